import type { Problem } from '../../../../shared/error/problem.ts';
import type { Disposable } from '../../base/emitter.ts';
import type { ListPart, RawItem, ServerListing } from '../contract.ts';
import type { ListSpec } from './list-specs.ts';

/** Limits how often a server is listed again, however often it announces changes. */
export class ListPace {
  /** Number of consecutive lists requested soon after the previous one. */
  #consecutive = 0;
  #endedAt = Number.NEGATIVE_INFINITY;

  /** Records the end of a list request. */
  recordEnd(at: number): void {
    this.#endedAt = at;
  }

  /**
   * Returns the milliseconds to wait before the next list: none after a quiet period, increasing otherwise.
   */
  nextDelayMs(now: number): number {
    const since = now - this.#endedAt;
    if (since >= quietMs) this.#consecutive = 0;
    const pause =
      this.#consecutive === 0 ? 0 : Math.min(maxPauseMs, initialPauseMs * 2 ** (this.#consecutive - 1));
    this.#consecutive += 1;
    return Math.max(0, pause - since);
  }

  /** True if it has gone on too long to be a burst of changes. */
  get isStorm(): boolean {
    return this.#consecutive >= stormLength;
  }
}

/** Milliseconds without announced changes after which the next list is requested at once. */
const quietMs = 2_000;

const initialPauseMs = 300;
const maxPauseMs = 30_000;

/** Number of lists, reached after about ten seconds. */
const stormLength = 7;

/** State of one list on one connection. */
export interface ListState {
  readonly spec: ListSpec;
  /** Undefined if the server declared nothing about it. */
  readonly declared: boolean | undefined;
  readonly pace: ListPace;
  /** Items of the last response on this connection. */
  items?: readonly RawItem[];
  /** Items received so far of a list in progress. */
  receivedItems?: readonly unknown[] | undefined;
  /** Items shown of the list in progress, if more than were known before. */
  partialItems?: readonly RawItem[] | undefined;
  problem: Problem | undefined;
  /** The error if the connection ended before the response. */
  closeError: Error | undefined;
  /** True if the server announced a change since the last request. */
  hasChanged: boolean;
  wasRequested: boolean;
  /** True if it was answered or refused at least once. */
  wasAnswered: boolean;
  isRunning: boolean;
  /** True if nobody needs to wait for it. */
  isSettled: boolean;
  /** Consecutive failures. */
  failures: number;
  /** How often it was not answered although it is undeclared. */
  silences: number;
  /** Timer for the retry after a failure. */
  retry?: Disposable;
  /** Timer for the next request after a change. */
  nextRequest?: Disposable | undefined;
}

export function createListState(spec: ListSpec, declared: boolean | undefined): ListState {
  return {
    spec,
    declared,
    pace: new ListPace(),
    problem: undefined,
    closeError: undefined,
    hasChanged: false,
    wasRequested: false,
    wasAnswered: false,
    isRunning: false,
    isSettled: declared === false,
    failures: 0,
    silences: 0,
  };
}

/** Returns all known lists; those not answered on this connection stay as they were. */
export function partsOf(
  states: readonly ListState[],
  previous: ServerListing | undefined,
): Pick<ServerListing, ListPart> {
  const itemsOf = (part: ListPart) => {
    const list = states.find(({ spec }) => spec.part === part);
    const known = list === undefined || list.declared === false ? [] : previous?.[part];
    return list?.partialItems ?? list?.items ?? known ?? [];
  };
  return {
    tools: itemsOf('tools'),
    prompts: itemsOf('prompts'),
    resources: itemsOf('resources'),
    resourceTemplates: itemsOf('resourceTemplates'),
  };
}

/** Checks whether the list is declared but was never completely received. */
export function isNeverListed(
  { spec, declared, items }: ListState,
  previous: ServerListing | undefined,
): boolean {
  if (items !== undefined || declared !== true) return false;
  return previous === undefined || previous.unlisted?.includes(spec.part) === true;
}
