import { type ParsedText, parseText, type SyntaxFault } from '../../../config/jsonc/parse.ts';
import { maxDepth } from './pasted-json.ts';
import { strictJson } from './strict-json.ts';
import { hasBrokenPath } from './windows-paths.ts';

/** JSON found in a text. `alone` is true if the text consists of nothing else. */
export interface FoundJson {
  readonly parsed: ParsedText;
  readonly alone: boolean;
}

export interface JsonReading {
  readonly found: readonly FoundJson[];
  /** The reason why the likeliest piece could not be read, if none could. */
  readonly fault?: SyntaxFault;
}

/**
 * Finds JSON and near-JSON: a whole document, a fragment `"name": {…}` without its braces, or objects inside
 * prose and code. Takes linear time. `inPieces` looks for objects even if the whole text can be parsed.
 */
export function findJson(written: string, inPieces = false): JsonReading {
  if (written.trim() === '') return { found: [] };
  const text = withoutNixHead(written);
  const whole = parsePiece(text);
  if (whole?.parsed.root !== undefined && (whole.braced || !inPieces))
    return { found: [{ parsed: whole.parsed, alone: true }] };
  const found = objectsIn(text).flatMap(({ start, end }) => {
    const parsed = parsePiece(text.slice(start, end))?.parsed;
    return parsed?.root === undefined ? [] : [{ start, parsed, alone: false }];
  });
  // Inside a broken document, the objects found are only its parts.
  const isPart = whole?.braced === true && (found[0]?.start ?? 0) > text.search(/\S/);
  const called = isPart ? [] : argumentsIn(text);
  const outside = found.filter(({ start }) => !called.some((call) => start > call.start && start < call.end));
  if (outside.length + called.length > 0 && !isPart) return { found: [...outside, ...called] };
  const fault = whole?.parsed.faults[0];
  return fault === undefined ? { found: [] } : { found: [], fault };
}

/** A Nix module lists its arguments before its object. */
function withoutNixHead(text: string): string {
  return text.replace(/^\s*\{[^{}"'`:=]{0,300}\}\s*:(?=\s*\{)/, (head) => head.replace(/\S/g, ' '));
}

/** Finds calls with named arguments: `StdioServerParameters(command="python", args=[…])`. */
function argumentsIn(text: string): readonly (FoundJson & TextRange)[] {
  const starts = text.matchAll(
    /(?<known>(?:Stdio|HTTP|Http|SSE|Sse)\w{0,40})?\(\s*(?=(?:\w{1,40}\s*=\s*[^=\n]{0,300},\s*){0,4}(?:(?:command|url|server_url)\s*=\s*(?:["']|sys\.executable)|(?:params|connection_params|server_params)\s*=\s*(?:\{|[A-Z]\w{0,60}\())|(?<=Stdio\w{0,40}\(\s{0,40})["']|(?<=(?:HTTP|Http|SSE|Sse)\w{0,40}\(\s{0,40})["']https?:)/g,
  );
  let last = 0;
  return [...starts].slice(0, maxCalls).flatMap(({ index, 0: written, groups }) => {
    const start = index + (groups?.known?.length ?? 0);
    // Nested calls are part of the outer one.
    if (start < last) return [];
    const end = closingBracket(text, start);
    if (end === undefined) return [];
    // The program or the address may come first without a name.
    const given = text.slice(start + 1, end);
    const first = /^\s*["']https?:/.test(given) ? 'url=' : /^\s*["']/.test(given) ? 'command=' : '';
    const json = strictJson(`{${first}${given}}`);
    const parsed = json === undefined ? undefined : parseText(json);
    if (parsed?.root === undefined || written === '') return [];
    last = end;
    return [{ parsed, alone: false, start, end }];
  });
}

const maxCalls = 50;
const maxCallLength = 5000;

function closingBracket(text: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < Math.min(text.length, from + maxCallLength); at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}

interface ParsedPiece {
  readonly parsed: ParsedText;
  readonly braced: boolean;
}

/**
 * Returns undefined if the text is not JSON at all. Faults are those of strict JSON, which best describe what
 * to correct.
 */
function parsePiece(text: string): ParsedPiece | undefined {
  const first = firstCharacter(text);
  const braced = first === '{' || first === '[';
  if (!braced && !/["'`\w$]/.test(first)) return undefined;
  if (!braced && !/^[\s\S]{0,300}?[:=]/.test(text)) return undefined;
  if (nestsTooDeeply(text)) {
    return {
      parsed: { ...parseText(''), faults: [{ message: 'nested too deeply', line: 1, column: 1 }] },
      braced,
    };
  }
  const strict = braced ? parseText(text) : first === '"' ? parseWrapped(text) : undefined;
  if (strict?.root !== undefined && !hasBrokenPath(text)) return { parsed: strict, braced };
  const loose = strictJson(braced ? text : `{${text}\n}`, !braced);
  const parsed = loose === undefined ? undefined : parseText(loose);
  if (parsed?.root !== undefined) return { parsed, braced };
  return strict === undefined ? undefined : { parsed: strict, braced };
}

function parseWrapped(text: string): ParsedText {
  const parsed = parseText(`{${text}\n}`);
  const faults = parsed.faults.map((fault) =>
    fault.line === 1 ? { ...fault, column: Math.max(1, fault.column - 1) } : fault,
  );
  return { ...parsed, faults };
}

/** Returns the first character that is neither whitespace nor comment. */
function firstCharacter(text: string): string {
  let at = 0;
  for (;;) {
    at += /^\s*/.exec(text.slice(at, at + 1000))?.[0].length ?? 0;
    const end = text.startsWith('//', at)
      ? text.indexOf('\n', at)
      : text.startsWith('/*', at)
        ? text.indexOf('*/', at) + 1
        : undefined;
    if (end === undefined && (/\S/.test(text[at] ?? 'x') || at >= text.length)) return text[at] ?? '';
    if (end !== undefined) {
      if (end <= 0) return '/';
      at = end + 1;
    }
  }
}

interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Maximum number of objects per text. */
const maxObjects = 1000;

/** Returns balanced `{…}` that are not inside another one, each with a preceding `name:`. */
function objectsIn(text: string): readonly TextRange[] {
  const open: number[] = [];
  const closed: TextRange[] = [];
  const scan = new BraceScanner(text);
  for (let at = scan.next(0); at < text.length; at = scan.next(at)) {
    const sign = text[at];
    at += 1;
    if (sign === '{') open.push(at - 1);
    const start = sign === '}' ? open.pop() : undefined;
    if (start === undefined) continue;
    while ((closed.at(-1)?.start ?? -1) > start) closed.pop();
    closed.push({ start, end: at });
  }
  return closed
    .slice(0, maxObjects)
    .map(({ start, end }) => ({ start: start - nameBefore(text, start), end }));
}

/** Finds braces outside strings and comments, in one pass. */
class BraceScanner {
  readonly #text: string;
  /** If a quote has no partner on its line, the rest of the line contains no string. */
  readonly #noTextUntil = new Map<string, number>();

  constructor(text: string) {
    this.#text = text;
  }

  next(from: number): number {
    const sign = /["'{}/]/g;
    sign.lastIndex = from;
    for (let match = sign.exec(this.#text); match !== null; match = sign.exec(this.#text)) {
      const [found] = match;
      if (found === '{' || found === '}') return match.index;
      sign.lastIndex = found === '/' ? this.#afterComment(match.index) : this.#afterText(match.index, found);
    }
    return this.#text.length;
  }

  #afterComment(at: number): number {
    const second = this.#text[at + 1];
    if (second !== '/' && second !== '*') return at + 1;
    if ((this.#noTextUntil.get(second) ?? -1) > at) return at + 2;
    const end = this.#text.indexOf(second === '/' ? '\n' : '*/', at + 2);
    if (end === -1) this.#noTextUntil.set(second, this.#text.length);
    // An address contains two slashes too.
    if (second === '/' && this.#text[at - 1] === ':') return at + 2;
    return end === -1 ? at + 2 : end + (second === '/' ? 1 : 2);
  }

  #afterText(at: number, quote: string): number {
    if ((this.#noTextUntil.get(quote) ?? -1) > at) return at + 1;
    let index = at + 1;
    for (; index < this.#text.length && this.#text[index] !== '\n'; index += 1) {
      if (this.#text[index] === quote) return index + 1;
      if (this.#text[index] === '\\') index += 1;
    }
    this.#noTextUntil.set(quote, index);
    return at + 1;
  }
}

/** Returns the length of a `"name":` right before an offset. */
function nameBefore(text: string, at: number): number {
  const before = text.slice(Math.max(0, at - 300), at);
  return /(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[\w$-]+)\s*(?::|=>)\s*$/.exec(before)?.[0].length ?? 0;
}

function nestsTooDeeply(text: string): boolean {
  let depth = 0;
  for (const sign of text) {
    if (sign === '{' || sign === '[') depth += 1;
    if (sign === '}' || sign === ']') depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
}
