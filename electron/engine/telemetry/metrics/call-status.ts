import { looksLikeErrorResult } from '../../jsonrpc/error-result.ts';
import type { CallRecord } from '../../routing/contract.ts';
import { isRefusal } from './error-type.ts';

/**
 * Results of calls in metrics. `refused`: not allowed, or the tool does not exist. `unavailable`: no server
 * could be reached. `unanswered`: a server was reached but did not answer. `cancelled`: the client cancelled
 * the call.
 */
export const callStatuses = [
  'success',
  'error',
  'refused',
  'unavailable',
  'unanswered',
  'cancelled',
] as const;

export type CallStatus = (typeof callStatuses)[number];

export function statusOf({ outcome, answer, error }: CallRecord): CallStatus {
  switch (outcome) {
    case 'ok':
      // A tool result with `isError` counts as an error, as in the summary of the audit log.
      return answer !== undefined && looksLikeErrorResult(answer) ? 'error' : 'success';
    case 'error':
      return 'error';
    case 'cancelled':
      return 'cancelled';
    case 'refused':
      return isRefusal(error) ? 'refused' : 'unavailable';
    default:
      return 'unanswered';
  }
}
