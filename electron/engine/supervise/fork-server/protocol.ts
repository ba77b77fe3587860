import type { ChildExit } from '../failure-problem.ts';
import type { Program } from '../start-process.ts';

/** Message from the hub to the fork server. */
export interface StartRequest {
  readonly id: number;
  readonly program: Program;
  /** Socket on which the hub waits for the program's standard streams. */
  readonly listener: string;
  /** Tokens that identify stdin, stdout and stderr there. */
  readonly tokens: readonly string[];
}

/** Message from the fork server to the hub. */
export type ForkEvent =
  | { readonly kind: 'ready' }
  /** `id` is that of the request. */
  | { readonly kind: 'started'; readonly id: number; readonly pid: number }
  | { readonly kind: 'failed'; readonly id: number; readonly reason: string }
  | { readonly kind: 'ended'; readonly id: number; readonly exit: ChildExit };
