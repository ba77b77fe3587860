import type { Talker } from './memory-hub.ts';

/** A call as its server sees it; its arguments name whose it is. */
export interface HeldCall {
  /** The process: its key, or for an instance its id. */
  readonly server: string;
  readonly owner: string;
  readonly sentAs: unknown;
  readonly token: unknown;
  readonly end: (result: unknown) => void;
}

export interface Question {
  readonly server: string;
  readonly pending: { readonly id: unknown };
}

export interface Member {
  readonly name: string;
  readonly talker: Talker;
  readonly level: boolean;
  /** Calls that wait for their answer, and how to cancel each. */
  readonly calls: { readonly id: unknown }[];
  /** Questions that wait for this client's answer. */
  readonly asked: (() => void)[];
  readonly subscribed: Set<string>;
  isGone: boolean;
}

export type CrowdStep =
  | 'call'
  | 'answer'
  | 'ask'
  | 'progress'
  | 'log'
  | 'reply'
  | 'cancelCall'
  | 'cancelQuestion'
  | 'complete'
  | 'subscribe'
  | 'update'
  | 'outside'
  | 'grow'
  | 'list'
  | 'reconnect'
  | 'restart'
  | 'settle';

/** Picks an item by any number. */
export function pickOf<T>(items: readonly T[], pick: number): T | undefined {
  return items[pick % Math.max(items.length, 1)];
}
