import type { Problem } from '../../../shared/error/problem.ts';
import type { Disposable } from '../base/emitter.ts';
import type { ListPart, RawItem, ServerListing } from './contract.ts';
import { ListPace } from './list-pace.ts';
import type { ListSpec } from './list-specs.ts';

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
