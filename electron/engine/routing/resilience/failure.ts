import type { ProblemCode } from '../../../../shared/error/problem.ts';
import { ConnectionClosedError, RpcError } from '../../jsonrpc/message.ts';
import type { CallOutcome } from '../contract.ts';
import type { Verdict } from './circuit.ts';

/** How an attempt without a result ended. */
export type FailureKind =
  /** The server certainly did not receive it. */
  | 'unsent'
  /** No response will come, and the server may have been processing it. */
  | 'lost'
  /** We stopped waiting at the configured limit. */
  | 'timeout'
  /** The server answered with an error of its own. */
  | 'answered'
  /** The server could not be called: it is down, its circuit is open, or its queue is full. */
  | 'unreachable'
  /** The client no longer waits. */
  | 'cancelled'
  /** No server was called and none will be: the hub is shutting down, or the request is invalid. */
  | 'refused';

/** `call` is the call, or its signal. */
export function kindOf(error: unknown, call: Pick<AbortSignal, 'aborted'>): FailureKind {
  if (call.aborted) return 'cancelled';
  if (error instanceof ConnectionClosedError) return error.sent ? 'lost' : 'unsent';
  if (!(error instanceof RpcError)) return 'refused';
  // An error from a server still has the message it came in.
  if (error.received !== undefined) return 'answered';
  return kindsByCode.get(ownCode(error)) ?? 'refused';
}

const kindsByCode: ReadonlyMap<ProblemCode | undefined, FailureKind> = new Map<
  ProblemCode | undefined,
  FailureKind
>([
  ['call.timeout', 'timeout'],
  ['call.outcome_unknown', 'lost'],
  ['call.server_unavailable', 'unreachable'],
  ['call.circuit_open', 'unreachable'],
  ['call.queue_full', 'unreachable'],
]);

/** Returns our own code of an error. */
function ownCode({ data }: RpcError): ProblemCode | undefined {
  // All our errors except a cancellation carry a code, see error-map.ts.
  return (data as { readonly code?: ProblemCode } | undefined)?.code;
}

/** Checks whether nothing more can be done: the server has answered, or nobody wants a response. */
export function isFinal(kind: FailureKind): boolean {
  return kind === 'answered' || kind === 'cancelled' || kind === 'refused';
}

/** Checks whether the call may have run, so that a retry might run it twice. */
export function mayHaveRun(kind: FailureKind): boolean {
  return kind === 'lost' || kind === 'timeout';
}

/**
 * Returns what the failure means for the tool's circuit. A server that answers works, whatever the answer:
 * the SDK returns "internal error" for any exception of a handler, even for a wrong argument. A server that
 * is down is the supervisor's concern.
 */
export function verdictFor(kind: FailureKind): Verdict {
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
