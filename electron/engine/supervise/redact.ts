import type { Cause } from '../../../shared/error/cause.ts';
import type { Problem } from '../../../shared/error/problem.ts';

/** Replaces secrets in a text. */
export type Redact = (text: string) => string;

/**
 * Replaces every one of `secrets` in a text, also as JSON or a URL would write it. What is shorter than four characters
 * is left, it would blacken ordinary words; what is not much longer counts only where it stands alone.
 */
export function createRedactor(secrets: Iterable<string>): Redact {
  const written = [...secrets].flatMap(spellings).filter(isWorthHiding);
  const patterns = [...new Set(written)].sort((a, b) => b.length - a.length).map(patternOf);
  return (text) => patterns.reduce<string>((result, pattern) => result.replaceAll(pattern, hidden), text);
}

/** The same problem with the secrets in it replaced. */
export function redactProblem(problem: Problem, redact: Redact): Problem {
  return {
    code: problem.code,
    sentence: redact(problem.sentence),
    fix: redact(problem.fix),
    evidence: problem.evidence.map(({ label, value }) => ({ label, value: redact(value) })),
    ...(problem.cause === undefined ? {} : { cause: redactCause(problem.cause, redact) }),
  };
}

function redactCause({ code, subject }: Cause, redact: Redact): Cause {
  return { code, ...(subject === undefined ? {} : { subject: redact(subject) }) };
}

const hidden = '•••';

function spellings(secret: string): readonly string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), encoded(secret)];
}

/** Half a surrogate pair has no form in a URL. */
function encoded(secret: string): string {
  try {
    return encodeURIComponent(secret);
  } catch {
    return secret;
  }
}

function isWorthHiding(secret: string): boolean {
  return secret.trim().length >= shortest && !plainValues.has(secret.toLowerCase());
}

const shortest = 4;

/** Switches, and what stands for no value. */
const plainValues: ReadonlySet<string> = new Set(['true', 'false', 'null', 'none', 'undefined']);

function patternOf(secret: string): string | RegExp {
  return secret.length < 6 && /^[A-Za-z0-9]+$/.test(secret)
    ? new RegExp(`(?<![A-Za-z0-9])${secret}(?![A-Za-z0-9])`, 'g')
    : secret;
}
