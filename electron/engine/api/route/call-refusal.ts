import type { InvocationFailure } from '../contract.ts';
import { ApiError, type ErrorStatus, type ErrorType } from '../http/api-error.ts';

/** Why a call brought no result, by the integration design's table. */
export function callRefusal(failure: InvocationFailure, facts: Readonly<Record<string, unknown>>): ApiError {
  const { code, message, fix, wire, retryAfter } = failure;
  const [status, type] = statuses.get(code) ?? [500, 'ToolInvocationError'];
  return new ApiError(status, type, code, message, {
    fix,
    facts: { ...facts, ...(wire === undefined ? {} : { cause: JSON.parse(wire) }) },
    ...(retryAfter === undefined ? {} : { retryAfter: retryAfter / 1_000 }),
    ...(status === 429 ? { retryAfter: 1 } : {}),
  });
}

type Row = readonly [ErrorStatus, ErrorType];

const statuses: ReadonlyMap<string, Row> = new Map<string, Row>([
  ['call.not_allowed', [401, 'AuthorizationError']],
  ['call.unknown_tool', [404, 'ToolNotFoundError']],
  ['call.tool_disabled', [409, 'ToolDisabledError']],
  ['call.tool_held', [409, 'ToolDisabledError']],
  ['call.idempotency_mismatch', [409, 'ConflictError']],
  ['call.queue_full', [429, 'RateLimitError']],
  ['call.circuit_open', [503, 'CircuitOpenError']],
  ['call.timeout', [504, 'TimeoutError']],
  ['tester.invalid_arguments', [400, 'BadRequestError']],
]);
