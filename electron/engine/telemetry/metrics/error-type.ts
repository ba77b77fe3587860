import type { ProblemCode } from '../../../../shared/error/problem.ts';
import type { RpcError } from '../../jsonrpc/message.ts';
import type { CallOutcome } from '../../routing/contract.ts';

/** Tells apart calls that were not allowed from calls for which no server was available. */
export function isRefusal(error: RpcError | undefined): boolean {
  const type = errorTypeOf(error, 'refused');
  return type === 'authorization' || type === 'not_found' || wrongRequests.has(codeOf(error));
}

const wrongRequests: ReadonlySet<string | undefined> = new Set<ProblemCode>([
  'call.idempotency_mismatch',
  'app.invalid_request',
]);

/** The error classes of the integration document. */
export type ErrorType = 'timeout' | 'authorization' | 'circuit_breaker' | 'not_found' | 'other';

export function errorTypeOf(error: RpcError | undefined, outcome: CallOutcome | undefined): ErrorType {
  if (outcome === 'timeout') return 'timeout';
  const code = codeOf(error);
  return (code === undefined ? undefined : byCode.get(code)) ?? 'other';
}

const byCode: ReadonlyMap<string, ErrorType> = new Map<ProblemCode, ErrorType>([
  ['call.timeout', 'timeout'],
  ['call.circuit_open', 'circuit_breaker'],
  ['call.unknown_tool', 'not_found'],
  ['call.tool_disabled', 'not_found'],
  ['call.tool_held', 'authorization'],
  ['call.outside_profile', 'authorization'],
  ['call.not_allowed', 'authorization'],
  ['call.token_needed', 'authorization'],
  ['call.identity_ended', 'authorization'],
  ['call.approval_denied', 'authorization'],
  ['call.approval_timeout', 'authorization'],
  ['call.approvals_full', 'authorization'],
  ['access.unreadable', 'authorization'],
]);

/** Returns the code of an error that is our own. */
function codeOf(error: RpcError | undefined): string | undefined {
  if (error?.received !== undefined || typeof error?.data !== 'object' || error.data === null)
    return undefined;
  return 'code' in error.data && typeof error.data.code === 'string' ? error.data.code : undefined;
}
