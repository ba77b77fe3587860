/** Offsets of the parts of a URL in a text. Each end is the index after the last character. */
export interface FoundUrl {
  /** Start of `scheme://`. */
  readonly start: number;
  /** User info: the part before the last `@` of the authority. Undefined if the URL has none. */
  readonly userInfo: TextRange | undefined;
  readonly path: TextRange;
  /** Query and fragment, including their `?` and `#`. */
  readonly rest: TextRange;
}

export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds every URL in a text in linear time: nothing is read twice. `ends` lists the characters that end a
 * URL, besides white space. Accepts passwords with characters that should have been encoded: `@`, or `/`
 * where no port is possible.
 */
export function* urlsIn(text: string, ends = ''): Generator<FoundUrl> {
  const isEnd = new Set(ends);
  let from = 0;
  let runEnd = 0;
  let nextAt = -1;
  let nextQuery = -1;
  for (let sign = text.indexOf('://'); sign !== -1; sign = text.indexOf('://', from)) {
    const start = schemeStart(text, sign, from);
    from = sign + 3;
    if (start === sign) continue;
    // A URL right behind or inside another one ends with it, and its own query belongs to the outer one.
    const isInside = from < runEnd;
    if (!isInside) [runEnd, nextAt, nextQuery] = [endOfRun(text, from, isEnd), -1, -1];
    if (nextAt < from) nextAt = indexOfAny(text, from, runEnd, '@');
    const userInfo = userInfoIn(text, from, indexOfAny(text, from, runEnd, '/?#'), nextAt, runEnd);
    if (userInfo !== undefined) from = userInfo.end + 1;
    const path = indexOfAny(text, from, runEnd, '/?#');
    if (nextQuery < path) nextQuery = indexOfAny(text, path, runEnd, '?#');
    const rest = { start: nextQuery, end: isInside ? nextQuery : runEnd };
    yield { start, userInfo, path: { start: path, end: endOfPath(text, path, nextQuery) }, rest };
  }
}

/** Returns the end of a path that ends with its URL, or where the next one begins. */
function endOfPath(text: string, start: number, max: number): number {
  const sign = text.indexOf('://', start);
  return sign === -1 ? max : Math.min(sign, max);
}

const maxSchemeLength = 20;
/** Limits how many characters of one URL are read, so that many nested URLs cost no more than one. */
const maxUrlLength = 4 * 1024;

function schemeStart(text: string, sign: number, min: number): number {
  let start = sign;
  for (let at = sign - 1; at >= Math.max(min, sign - maxSchemeLength); at -= 1) {
    const character = text[at] ?? '';
    if (/[a-z]/i.test(character)) start = at;
    else if (!/[0-9+.-]/.test(character)) break;
  }
  return start;
}

function endOfRun(text: string, start: number, isEnd: ReadonlySet<string>): number {
  const max = Math.min(text.length, start + maxUrlLength);
  for (let end = start; end < max; end += 1) {
    const character = text[end] ?? '';
    if (character <= ' ' || character === '\u00a0' || isEnd.has(character)) return end;
  }
  return max;
}

function userInfoIn(
  text: string,
  start: number,
  authority: number,
  firstAt: number,
  runEnd: number,
): TextRange | undefined {
  if (firstAt === runEnd) return undefined;
  if (firstAt < authority) return { start, end: start + text.slice(start, authority).lastIndexOf('@') };
  const colon = start + text.slice(start, authority).indexOf(':');
  const isPassword = colon >= start && !isPort(text, colon + 1, authority);
  return isPassword ? { start, end: firstAt } : undefined;
}

function isPort(text: string, start: number, end: number): boolean {
  return end > start && end - start <= 5 && /^\d+$/.test(text.slice(start, end));
}

function indexOfAny(text: string, start: number, end: number, signs: string): number {
  for (let at = start; at < end; at += 1) if (signs.includes(text[at] ?? '')) return at;
  return end;
}

/** Yields the parameters of a query or fragment: `?token=abc`, `&key=abc`, `#access_token=abc`. */
export function* queryParamsIn(
  text: string,
  { start, end }: TextRange,
): Generator<{ readonly name: string; readonly value: TextRange }> {
  for (let at = start; at < end; ) {
    const next = indexOfAny(text, at + 1, end, '?&#;');
    const equals = indexOfAny(text, at, next, '=');
    if (equals < next)
      yield { name: decoded(text.slice(at + 1, equals)), value: { start: equals + 1, end: next } };
    at = next;
  }
}

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
