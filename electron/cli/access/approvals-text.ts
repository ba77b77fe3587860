import type { ApprovalRequest } from '../../../shared/model/access/access.ts';
import { formatCount } from '../../../shared/model/amount.ts';
import { printableWord } from '../../../shared/printable.ts';

/** Lists calls that wait for approval, and how to answer them. */
export function approvalsText(waiting: readonly ApprovalRequest[]): string {
  if (waiting.length === 0) return 'No calls are waiting for approval.\n';
  const lines = waiting.map(({ id, clientName, serverKey, tool, risk, argumentsText, expiresAt, behind }) => {
    const more = behind === 0 ? '' : `, ${formatCount(behind, 'more call')} behind it`;
    const until = new Date(expiresAt).toISOString();
    const call = `${id.slice(0, 8)}  ${clientName}  ${serverKey}:${tool}  (${risk} risk, until ${until}${more})`;
    return `  ${printableWord(call)}\n      ${printableWord(argumentsText)}\n`;
  });
  const how = 'To answer: patchbay access answer ID once, 15m, always or deny\n';
  return `${formatCount(waiting.length, 'call waits', 'calls wait')} for approval:\n${lines.join('')}${how}`;
}
