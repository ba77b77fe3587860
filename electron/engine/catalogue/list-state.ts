import type { Problem } from '../../../shared/error/problem.ts';
import type { Disposable } from '../base/emitter.ts';
import type { Offer, OfferPart, RawItem } from './contract.ts';
import { ListPace } from './list-pace.ts';
import type { ListSpec } from './list-specs.ts';

/** One list of a server over one connection. */
export interface ListState {
  readonly spec: ListSpec;
  /** Undefined where the server says nothing of it. */
  readonly declared: boolean | undefined;
  readonly pace: ListPace;
  /** As it was answered last over this connection. */
  items?: readonly RawItem[];
  /** Items that have come of an answer that is under way. */
  coming?: readonly unknown[] | undefined;
  /** Shown of that, as long as it is more than was known. */
  partial?: readonly RawItem[] | undefined;
  problem: Problem | undefined;
  /** Why it could not be had, where the connection could no longer answer. */
  ending: Error | undefined;
  /** The server says that it has changed since it was asked for last. */
  hasChanged: boolean;
  wasAsked: boolean;
  /** Answered or refused at least once. */
  wasAnswered: boolean;
  isRunning: boolean;
  /** Nobody need wait for it. */
  isSettled: boolean;
  /** Failures in a row. */
  failures: number;
  /** Asks for it again after a failure. */
  retry?: Disposable;
  /** Asks for it again, as it has changed. */
  pause?: Disposable | undefined;
}

export function newState(spec: ListSpec, declared: boolean | undefined): ListState {
  return {
    spec,
    declared,
    pace: new ListPace(),
    problem: undefined,
    ending: undefined,
    hasChanged: false,
    wasAsked: false,
    wasAnswered: false,
    isRunning: false,
    isSettled: declared === false,
    failures: 0,
  };
}

/** All lists as far as they are known, with those not answered over this connection as they were before. */
export function partsOf(states: readonly ListState[], previous: Offer | undefined): Pick<Offer, OfferPart> {
  const itemsOf = (part: OfferPart) => {
    const list = states.find(({ spec }) => spec.part === part);
    const known = list === undefined || list.declared === false ? [] : previous?.[part];
    return list?.partial ?? list?.items ?? known ?? [];
  };
  return {
    tools: itemsOf('tools'),
    prompts: itemsOf('prompts'),
    resources: itemsOf('resources'),
    resourceTemplates: itemsOf('resourceTemplates'),
  };
}

/** Whether it is declared and has never been told to its end, now or before. */
export function isUnlisted({ spec, declared, items }: ListState, previous: Offer | undefined): boolean {
  if (items !== undefined || declared !== true) return false;
  return previous === undefined || previous.unlisted?.includes(spec.part) === true;
}
