import type { ApprovalAnswer, ApprovalRequest } from '../../shared/model/access.ts';
import { clientTitle } from './client-title.ts';
import { comboLabels } from './key-combo.ts';

/** Takes the keyboard to the calls that wait, from everywhere. */
export const approvalsShortcut = 'mod+shift+a';

/** Those behind the ones that are shown, too. */
export function callsWaiting(approvals: readonly ApprovalRequest[]): number {
  return approvals.reduce((sum, { behind }) => sum + 1 + behind, 0);
}

export function waitingTitle(count: number): string {
  return count === 1 ? 'Approval needed' : `${count} calls need approval`;
}

/** For screen readers, when calls have begun to wait. */
export function askedText(asked: readonly ApprovalRequest[], mac: boolean): string {
  const [first, ...rest] = asked;
  if (first === undefined) return '';
  const more = rest.length === 0 ? '' : ` ${rest.length} more calls are waiting.`;
  return `${wishOf(first)}.${more} Press ${comboLabels(approvalsShortcut, mac).join(' ')} to answer.`;
}

/** `Claude Desktop wants to run filesystem:write_file` */
export function wishOf({ clientName, serverKey, tool }: ApprovalRequest): string {
  return `${clientTitle({ name: clientName })} wants to run ${serverKey}:${tool}`;
}

/** When calls are gone that nobody answered in this window. */
export function withdrawnText(gone: readonly ApprovalRequest[], now: number): string {
  const [first, ...rest] = gone;
  if (first === undefined) return '';
  if (rest.length > 0) return `${gone.length} calls are no longer waiting.`;
  const who = clientTitle({ name: first.clientName });
  const what = `${first.serverKey}:${first.tool}`;
  return first.expiresAt <= now
    ? `No answer in time: ${who} was not allowed to run ${what}.`
    : `${who} is no longer waiting for ${what}.`;
}

export function answeredText(
  { clientName, serverKey, tool }: ApprovalRequest,
  answer: ApprovalAnswer,
): string {
  const who = clientTitle({ name: clientName });
  const what = `${serverKey}:${tool}`;
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

/** When “always” was taken back. */
export function askedAgainText({ clientName, serverKey, tool }: ApprovalRequest): string {
  return `${clientTitle({ name: clientName })} asks again before it runs ${serverKey}:${tool}.`;
}
