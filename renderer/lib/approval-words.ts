import type { ApprovalAnswer, ApprovalRequest } from '../../shared/model/access.ts';
import { clientTitle } from './client-title.ts';
import { comboLabels } from './key-combo.ts';

type TitleOf = (serverKey: string) => string;

/** Moves the focus to the waiting calls from anywhere. */
export const approvalsShortcut = 'mod+shift+a';

/** Counts waiting calls, including those queued behind the shown ones. */
export function waitingCallCount(approvals: readonly ApprovalRequest[]): number {
  return approvals.reduce((sum, { behind }) => sum + 1 + behind, 0);
}

export function waitingTitle(count: number): string {
  return count === 1 ? 'Approval needed' : `${count} calls need approval`;
}

/** Announces new waiting calls to screen readers. */
export function askedText(asked: readonly ApprovalRequest[], mac: boolean, titleOf: TitleOf): string {
  const [first, ...rest] = asked;
  if (first === undefined) return '';
  const more = rest.length === 0 ? '' : ` ${rest.length} more calls are waiting.`;
  return `${requestText(first, titleOf)}.${more} Press ${comboLabels(approvalsShortcut, mac).join(' ')} to answer.`;
}

/** Returns `Claude Desktop wants to run filesystem:write_file`, for example. */
export function requestText({ clientName, serverKey, tool }: ApprovalRequest, titleOf: TitleOf): string {
  return `${clientTitle({ name: clientName })} wants to run ${titleOf(serverKey)}:${tool}`;
}

/** Text for calls that ended without an answer from this window. */
export function withdrawnText(gone: readonly ApprovalRequest[], now: number, titleOf: TitleOf): string {
  const [first, ...rest] = gone;
  if (first === undefined) return '';
  if (rest.length > 0) return `${gone.length} calls are no longer waiting.`;
  const who = clientTitle({ name: first.clientName });
  const what = `${titleOf(first.serverKey)}:${first.tool}`;
  return first.expiresAt <= now
    ? `No answer in time: ${who} was not allowed to run ${what}.`
    : `${who} is no longer waiting for ${what}.`;
}

export function answeredText(
  { clientName, serverKey, tool }: ApprovalRequest,
  answer: ApprovalAnswer,
  titleOf: TitleOf,
): string {
  const who = clientTitle({ name: clientName });
  const what = `${titleOf(serverKey)}:${tool}`;
  switch (answer) {
    case 'once':
      return `${who} may run ${what} once.`;
    case 'for-15-minutes':
      return `${who} may run ${what} for 15 minutes.`;
    case 'always':
      return `${who} may always run ${what}.`;
    case 'deny':
      return `${who} was denied ${what}.`;
  }
}

/** Text for undoing “always”. */
export function askedAgainText({ clientName, serverKey, tool }: ApprovalRequest, titleOf: TitleOf): string {
  return `${clientTitle({ name: clientName })} asks again before it runs ${titleOf(serverKey)}:${tool}.`;
}
