import { maskText } from '../../base/mask/mask-text.ts';
import type { Redact } from './redact.ts';

/**
 * Masks known secrets and whatever looks like one in a server's output. Cuts long lines only afterwards, so
 * that no half of a secret is left at their end.
 */
export function maskLogText(text: string, redact: Redact): string {
  return maskText(redact(text)).split('\n').map(cutLine).join('\n');
}

function cutLine(line: string): string {
  return line.length <= maxLineLength ? line : `${line.slice(0, maxLineLength - 1)}…`;
}

const maxLineLength = 8 * 1024;
