import type { ProblemCode } from '../../../../shared/error/problem.ts';
import { ConnectionClosedError, RpcError } from '../../rpc/message.ts';
import type { CallOutcome, CallSignal } from '../contract.ts';
import type { Verdict } from './circuit.ts';

/** What became of one attempt that brought no result. */
export type FailureKind =
  /** The server provably did not take it. */
  | 'unsent'
  /** No answer will come, and the server may have been at work on it. */
  | 'lost'
  /** We stopped waiting at the configured limit. */
  | 'timeout'
  /** The server answered with an error of its own. */
  | 'answered'
  /** There was no way to the server: it is down, its circuit open, its queue full. */
  | 'unreachable'
  /** The client no longer waits. */
  | 'cancelled'
  /** No server was asked, and none is to be: the hub is ending, or the request is wrong. */
  | 'refused';

export function kindOf(error: unknown, signal: CallSignal): FailureKind {
  if (signal.aborted) return 'cancelled';
  if (error instanceof ConnectionClosedError) return error.sent ? 'lost' : 'unsent';
  if (!(error instanceof RpcError)) return 'refused';
  // Whatever came from elsewhere still is the message it came in.
  if (error.wire !== undefined) return 'answered';
  return ownKinds.get(ownCode(error)) ?? 'refused';
}

const ownKinds: ReadonlyMap<ProblemCode | undefined, FailureKind> = new Map<
  ProblemCode | undefined,
  FailureKind
>([
  ['call.timeout', 'timeout'],
  ['call.outcome_unknown', 'lost'],
  ['call.server_unavailable', 'unreachable'],
  ['call.circuit_open', 'unreachable'],
  ['call.queue_full', 'unreachable'],
]);

/** The code of an error that is ours. */
function ownCode({ data }: RpcError): ProblemCode | undefined {
  // Ours all carry one, see error-map.ts, but for a cancellation.
  return (data as { readonly code?: ProblemCode } | undefined)?.code;
}

/** Whether nothing more is to be done about it: the server has answered, or nobody wants an answer. */
export function isFinal(kind: FailureKind): boolean {
  return kind === 'answered' || kind === 'cancelled' || kind === 'refused';
}

/** Whether it may have run, so that asking again may be asking twice, though nothing is known of it. */
export function mayHaveRun(kind: FailureKind): boolean {
  return kind === 'lost' || kind === 'timeout';
}

/**
 * What it says of the tool. A server that answers works, whatever it answers: the SDK says "internal error" for anything
 * that a handler throws, a wrong argument included. That it is not there at all is its supervisor's business.
 */
export function verdictOn(kind: FailureKind): Verdict {
  if (kind === 'lost' || kind === 'timeout') return 'failure';
  return kind === 'answered' ? 'success' : 'undecided';
}

const outcomes: Readonly<Record<FailureKind, CallOutcome>> = {
  unsent: 'refused',
  lost: 'lost',
  timeout: 'timeout',
  answered: 'error',
  unreachable: 'refused',
  cancelled: 'cancelled',
  refused: 'refused',
};

export function outcomeOf(kind: FailureKind): CallOutcome {
  return outcomes[kind];
}
