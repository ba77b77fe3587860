/** Where the parts of an address lie in a text. Each end is the index after the last character. */
export interface FoundAddress {
  /** Of `scheme://`. */
  readonly start: number;
  /** Of what stands before the last `@` of the authority; `undefined` where nothing does. */
  readonly userInfo: Part | undefined;
  readonly path: Part;
  /** The query and the fragment, each from its sign on. */
  readonly rest: Part;
}

export interface Part {
  readonly start: number;
  readonly end: number;
}

/**
 * Every address in a text, in time that grows with its length: nothing is read twice. `ends` are the characters that end
 * one besides spaces. Passwords may hold what should have been encoded: `@`, or `/` where no port can be meant.
 */
export function* addressesIn(text: string, ends = ''): Generator<FoundAddress> {
  const isEnd = new Set(ends);
  let from = 0;
  for (let sign = text.indexOf('://'); sign !== -1; sign = text.indexOf('://', from)) {
    const start = schemeStart(text, sign, from);
    from = sign + 3;
    if (start === sign) continue;
    const run = endOfRun(text, from, isEnd);
    const userInfo = userInfoIn(text, from, run.authority, run.at);
    const host = userInfo === undefined ? from : userInfo.end + 1;
    const path = firstOf(text, host, run.end, '/?#');
    const rest = firstOf(text, path, run.end, '?#');
    yield { start, userInfo, path: { start: path, end: rest }, rest: { start: rest, end: run.end } };
    // Another address may stand in the query.
    from = Math.max(from, rest);
  }
}

const longestScheme = 20;
/** Characters of one address that are looked at, so that many that begin in each other cost no more than one. */
const longestAddress = 4 * 1024;

function schemeStart(text: string, sign: number, least: number): number {
  let start = sign;
  for (let at = sign - 1; at >= Math.max(least, sign - longestScheme); at -= 1) {
    const character = text[at] ?? '';
    if (/[a-z]/i.test(character)) start = at;
    else if (!/[0-9+.-]/.test(character)) break;
  }
  return start;
}

interface Run {
  readonly end: number;
  /** The first `/`, `?` or `#`. */
  readonly authority: number;
  /** The first `@`, or -1. */
  readonly at: number;
}

function endOfRun(text: string, start: number, isEnd: ReadonlySet<string>): Run {
  const most = Math.min(text.length, start + longestAddress);
  let authority = -1;
  let at = -1;
  let end = start;
  for (; end < most; end += 1) {
    const character = text[end] ?? '';
    if (character <= ' ' || character === '\u00a0' || isEnd.has(character)) break;
    if (authority === -1 && (character === '/' || character === '?' || character === '#')) authority = end;
    if (at === -1 && character === '@') at = end;
  }
  return { end, authority: authority === -1 ? end : authority, at };
}

function userInfoIn(text: string, start: number, authority: number, firstAt: number): Part | undefined {
  if (firstAt === -1) return undefined;
  const last = text.lastIndexOf('@', authority);
  if (last >= start && last < authority) return { start, end: last };
  const colon = text.indexOf(':', start);
  const isPassword = colon !== -1 && colon < authority && !isPort(text, colon + 1, authority);
  return isPassword ? { start, end: firstAt } : undefined;
}

function isPort(text: string, start: number, end: number): boolean {
  return end > start && end - start <= 5 && /^\d+$/.test(text.slice(start, end));
}

function firstOf(text: string, start: number, end: number, signs: string): number {
  for (let at = start; at < end; at += 1) if (signs.includes(text[at] ?? '')) return at;
  return end;
}

/** The members of a query or fragment: `?token=abc`, `&key=abc`, `#access_token=abc`. */
export function* queryIn(
  text: string,
  { start, end }: Part,
): Generator<{ readonly name: string; readonly value: Part }> {
  for (let at = start; at < end; ) {
    const next = firstOf(text, at + 1, end, '?&#;');
    const equals = text.indexOf('=', at);
    if (equals !== -1 && equals < next)
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
