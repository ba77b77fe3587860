import { maskCertain } from './mask-text.ts';

/** Redacts log data: whole values under a secret-looking key, and credentials inside texts by their shape. */
export function redact(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, secretKey.test(key) ? redacted : redactValue(value, 0)]),
  );
}

export function redactText(text: string): string {
  return maskCertain(text.replace(credential, `$1${redacted}`));
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return '[too deep]';
  if (value instanceof Error) return redactText(value.stack ?? value.message);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      secretKey.test(key) ? redacted : redactValue(item, depth + 1),
    ]),
  );
}

const redacted = '[redacted]';
const maxDepth = 6;
const secretKey = /token|secret|passw|authorization|cookie|api[-_]?key|credential|^env$|^headers$/i;
const credential = /(\b(?:bearer|basic)\s+|[?&](?:access_token|token|api_?key|key)=)[^\s&"']+/gi;
