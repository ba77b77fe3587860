import type { InvocationFailure } from '../contract.ts';
import { ApiError, type ErrorStatus, type ErrorType } from '../http/api-error.ts';

/** Converts a failed call into an error by the integration design's table. */
export function callRefusal(failure: InvocationFailure, facts: Readonly<Record<string, unknown>>): ApiError {
  const { code, message, fix, wire, retryAfter } = failure;
  const [status, type] = statuses.get(code) ?? [500, 'ToolInvocationError'];
  return new ApiError(status, type, code, message, {
    fix,
    facts,
    cause: wire,
    ...(retryAfter === undefined ? {} : { retryAfter: retryAfter / 1_000 }),
    ...(status === 429 ? { retryAfter: 1 } : {}),
  });
}

type Row = readonly [ErrorStatus, ErrorType];
const refused: Row = [401, 'AuthorizationError'];
const busy: Row = [429, 'RateLimitError'];

const statuses: ReadonlyMap<string, Row> = new Map<string, Row>([
  ['call.not_allowed', refused],
  ['call.token_needed', refused],
  ['call.identity_ended', refused],
  ['call.approval_denied', refused],
  ['access.unreadable', refused],
  ['call.approval_timeout', [504, 'TimeoutError']],
  ['call.approvals_full', busy],
  ['call.unknown_tool', [404, 'ToolNotFoundError']],
  ['call.tool_disabled', [409, 'ToolDisabledError']],
  ['call.tool_held', [409, 'ToolDisabledError']],
  ['call.idempotency_mismatch', [409, 'ConflictError']],
  ['call.queue_full', busy],
  ['call.circuit_open', [503, 'CircuitOpenError']],
  ['call.timeout', [504, 'TimeoutError']],
  ['app.invalid_request', [400, 'BadRequestError']],
]);
