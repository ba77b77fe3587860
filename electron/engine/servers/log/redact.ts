import type { Cause } from '../../../../shared/error/cause.ts';
import type { Problem } from '../../../../shared/error/problem.ts';

/** Replaces secrets in a text. */
export type Redact = (text: string) => string;

/**
 * Creates a function that replaces `secrets` in a text, also in JSON, URL or base64 encoding. Secrets shorter
 * than four characters are ignored, since they would mask ordinary words; short ones are replaced only as
 * whole words.
 */
export function createRedactor(secrets: Iterable<string>): Redact {
  const written = [...secrets].flatMap(encodings).filter(isMaskable);
  const patterns = [...new Set(written)].sort((a, b) => b.length - a.length).map(patternOf);
  return (text) => patterns.reduce<string>((result, pattern) => result.replaceAll(pattern, masked), text);
}

/** Replaces the secrets in a problem. */
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

const masked = '•••';

function encodings(secret: string): readonly string[] {
  const url = encoded(secret);
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    url,
    url.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    url.replaceAll('%20', '+'),
    ...base64Of(secret),
  ];
}

/** Base64 in both alphabets, without padding. A short secret makes a word that other texts contain too. */
function base64Of(secret: string): readonly string[] {
  if (secret.length < minEncodedLength) return [];
  const url = Buffer.from(secret).toString('base64url');
  return [url.replaceAll('-', '+').replaceAll('_', '/'), url];
}

const minEncodedLength = 8;

/** A lone surrogate cannot be URL-encoded. */
function encoded(secret: string): string {
  try {
    return encodeURIComponent(secret);
  } catch {
    return secret;
  }
}

function isMaskable(secret: string): boolean {
  return secret.trim().length >= minLength && !commonValues.has(secret.toLowerCase());
}

const minLength = 4;

/** Flags, and words for no value. */
const commonValues: ReadonlySet<string> = new Set(['true', 'false', 'null', 'none', 'undefined']);

function patternOf(secret: string): string | RegExp {
  return secret.length < 6 && /^[A-Za-z0-9]+$/.test(secret)
    ? new RegExp(`(?<![A-Za-z0-9])${secret}(?![A-Za-z0-9])`, 'g')
    : secret;
}
