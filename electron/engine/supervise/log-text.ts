import { maskText } from '../base/mask-text.ts';
import type { Redact } from './redact.ts';

/**
 * What a server says, as it may be kept: without what is known to be secret, and without what looks so by its name or form.
 * Long lines are cut after that, so that no half of a secret is left at their end.
 */
export function maskLogText(text: string, redact: Redact): string {
  return maskText(redact(text)).split('\n').map(cutLine).join('\n');
}

function cutLine(line: string): string {
  return line.length <= longestLine ? line : `${line.slice(0, longestLine - 1)}…`;
}

const longestLine = 8 * 1024;
