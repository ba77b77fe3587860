import type { ConfigError } from '../../../shared/error/config-error.ts';
import type { Problem } from '../../../shared/error/problem.ts';
import { printableWord } from '../../../shared/printable.ts';
import { redactText } from '../../engine/base/mask/redact-log.ts';

/**
 * Formats a problem for a terminal: sentence, evidence, fix, and the code to search for. Secrets are masked.
 */
export function problemText(problem: Problem): string {
  const evidence = problem.evidence.map(({ label, value }) => `  ${label}: ${indent(value)}`);
  return redactText(
    [
      `${printableWord(problem.sentence)} [${problem.code}]`,
      ...evidence,
      `  what to do: ${printableWord(problem.fix)}`,
    ].join('\n'),
  );
}

/** Lists everything wrong with a config file, one line each, with its position. */
export function configErrorText(error: ConfigError): string {
  const lines = error.issues.map((issue) => {
    const position = issue.line === undefined ? '' : `${issue.line}:${issue.column ?? 1} `;
    return `  ${position}${printableWord(issue.message)} [${issue.code}]`;
  });
  return [`${error.file} cannot be used, so nothing was started:`, ...lines].join('\n');
}

/** Evidence such as the end of stderr has several lines. */
function indent(text: string): string {
  return text.includes('\n') ? `\n${text.replace(/^/gm, '    ')}` : text;
}
