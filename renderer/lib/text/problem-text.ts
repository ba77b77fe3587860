import type { Problem } from '../../../shared/error/problem.ts';

/** Formats a problem as plain text for the clipboard: everything the card shows, in the same order. */
export function problemText(problem: Problem, about?: string): string {
  const head = about === undefined ? problem.code : `${problem.code} (${about})`;
  const evidence = problem.evidence.map(({ label, value }) =>
    value.includes('\n') ? `${label}:\n${indent(value)}` : `${label}: ${value}`,
  );
  return [head, problem.sentence, `What to do: ${problem.fix}`, ...evidence].join('\n');
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}
