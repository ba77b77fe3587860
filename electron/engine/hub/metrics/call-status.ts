import type { CallRecord } from '../../route/contract.ts';
import { seemsFailed } from '../../rpc/tool-failure.ts';
import { isRefusal } from './error-type.ts';

/**
 * What became of a call, as metrics tell it. `refused`: it was not allowed, or what it names is not there. `unavailable`: no server
 * could be asked. `unanswered`: one was, and no answer came. `cancelled`: its client took it back.
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
      // What a tool calls an error itself is one, as in the summary of the audit log.
      return answer !== undefined && seemsFailed(answer) ? 'error' : 'success';
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
