import {
  BROKEN,
  CLOSE_BRACKET,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  skipKey,
  skipSpace,
  skipString,
  skipValue,
} from './json-scan.ts';

/** Position of a value in the bytes around it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the values of all members with this name in a JSON object, whichever way the name is escaped; more
 * than one if the name is repeated. Bytes that are not JSON give what was found before the first error.
 */
export function memberSpans(bytes: Buffer, name: string): readonly Span[] {
  const spans: Span[] = [];
  let position = startOfContent(bytes, 0, OPEN_BRACE);
  while (bytes[position] === QUOTE) {
    const keyEnd = skipString(bytes, position);
    const start = skipKey(bytes, position);
    const end = start === BROKEN ? BROKEN : skipValue(bytes, start);
    if (end === BROKEN) break;
    if (isNamed(bytes, position, keyEnd, name)) spans.push({ start, end });
    position = startOfNext(bytes, end);
  }
  return spans;
}

/**
 * Finds the first `most` elements of the array at `at`. Invalid JSON is treated as in {@link memberSpans}.
 */
export function elementSpans(
  bytes: Buffer,
  at: number,
  maxCount = Number.POSITIVE_INFINITY,
): readonly Span[] {
  const spans: Span[] = [];
  let start = startOfContent(bytes, at, OPEN_BRACKET);
  while (spans.length < maxCount && start < bytes.length && bytes[start] !== CLOSE_BRACKET) {
    const end = skipValue(bytes, start);
    if (end === BROKEN) break;
    spans.push({ start, end });
    start = startOfNext(bytes, end);
  }
  return spans;
}

function startOfContent(bytes: Buffer, at: number, opening: number): number {
  const start = skipSpace(bytes, at);
  return bytes[start] === opening ? skipSpace(bytes, start + 1) : bytes.length;
}

/** Returns where the next member or element begins, or the end of the bytes if there is none. */
function startOfNext(bytes: Buffer, at: number): number {
  const comma = skipSpace(bytes, at);
  return bytes[comma] === COMMA ? skipSpace(bytes, comma + 1) : bytes.length;
}

function isNamed(bytes: Buffer, start: number, end: number, name: string): boolean {
  const text = bytes.toString('utf8', start + 1, end - 1);
  return text.includes('\\') ? JSON.parse(`"${text}"`) === name : text === name;
}
