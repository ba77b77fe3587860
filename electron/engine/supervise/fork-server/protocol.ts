import type { ChildExit } from '../failure-problem.ts';
import type { Program } from '../start-process.ts';

/** What the hub tells its fork server to do. */
export interface StartOrder {
  readonly id: number;
  readonly program: Program;
  /** The socket on which the hub waits for the program's standard streams. */
  readonly door: string;
  /** The line by which each of stdin, stdout and stderr is known there. */
  readonly tokens: readonly string[];
}

/** What the fork server tells the hub. */
export type ForkNews =
  | { readonly kind: 'ready' }
  /** The id is that of the order. */
  | { readonly kind: 'started'; readonly id: number; readonly pid: number }
  | { readonly kind: 'failed'; readonly id: number; readonly reason: string }
  | { readonly kind: 'ended'; readonly id: number; readonly exit: ChildExit };
