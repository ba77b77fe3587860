import { type ParsedText, parseText, type SyntaxFault } from './parse.ts';

/** JSON found in pasted text. `alone` is true when the text is nothing but that JSON. */
export interface FoundJson {
  readonly parsed: ParsedText;
  readonly alone: boolean;
}

export interface PastedJson {
  readonly found: readonly FoundJson[];
  /** Why the likeliest piece could not be read, when nothing could. */
  readonly fault?: SyntaxFault;
}

/**
 * Finds JSON in what people paste: a whole document, a fragment `"name": {…}` without its braces, fenced code blocks,
 * or objects amid prose. Places of faults are places in `text`.
 */
export function findJson(text: string): PastedJson {
  const start = text.search(/\S/);
  if (start === -1) return { found: [] };
  const whole = parsePiece(text, start, text.length);
  if (whole?.parsed.root !== undefined) return { found: [{ parsed: whole.parsed, alone: true }] };
  const fenced = pieces(text, fences(text));
  if (fenced.found.length > 0) return fenced;
  const amid = pieces(text, objects(text));
  // Inside a document that is broken itself, objects found are only its parts.
  if (amid.found.length > 0 && !(whole?.braced && amid.first > start)) return amid;
  const fault = whole?.parsed.faults[0] ?? fenced.fault;
  return fault === undefined ? { found: [] } : { found: [], fault };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

interface Piece {
  readonly parsed: ParsedText;
  readonly braced: boolean;
}

function pieces(text: string, spans: Iterable<Span>): PastedJson & { readonly first: number } {
  const found: FoundJson[] = [];
  let fault: SyntaxFault | undefined;
  let first = text.length;
  for (const { start, end } of spans) {
    const piece = parsePiece(text, start, end);
    if (piece === undefined) continue;
    fault ??= piece.parsed.faults[0];
    if (piece.parsed.root === undefined) continue;
    found.push({ parsed: piece.parsed, alone: false });
    first = Math.min(first, start);
  }
  return { found, first, ...(fault === undefined ? {} : { fault }) };
}

/** Parses one piece in place, so that lines and columns stay those of the whole; undefined if it is no JSON at all. */
function parsePiece(text: string, start: number, end: number): Piece | undefined {
  const first = /\S/.exec(text.slice(start, end).replace(/^(?:\s|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)+/, ''))?.[0];
  const masked = blank(text.slice(0, start)) + text.slice(start, end);
  if (first === '{' || first === '[') return { parsed: parseText(masked), braced: true };
  if (first !== '"') return undefined;
  const wrapped = parseText(`{${masked}\n}`);
  const faults = wrapped.faults.map((fault) =>
    fault.line === 1 ? { ...fault, column: Math.max(1, fault.column - 1) } : fault,
  );
  return { parsed: { ...wrapped, faults }, braced: false };
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}

/** The contents of Markdown code fences. */
function* fences(text: string): Iterable<Span> {
  for (const match of text.matchAll(/^[ \t>]*(```+|~~~+)[^\r\n]*\r?\n([\s\S]*?)^[ \t>]*\1/gm)) {
    const end = match.index + match[0].lastIndexOf(match[1] ?? '');
    yield { start: match.index + match[0].indexOf('\n') + 1, end };
  }
}

/** More attempts than this are not made in one text. */
const maxObjects = 100;

/** Balanced `{…}` in prose, each with a `"name":` that stands before it. */
function* objects(text: string): Iterable<Span> {
  let at = text.indexOf('{');
  for (let count = 0; at !== -1 && count < maxObjects; count += 1) {
    const close = closingBrace(text, at);
    const name = /"(?:[^"\\\r\n]|\\.)*"\s*:\s*$/.exec(text.slice(Math.max(0, at - 300), at));
    if (close !== undefined) yield { start: at - (name?.[0].length ?? 0), end: close + 1 };
    at = text.indexOf('{', (close ?? at) + 1);
  }
}

function closingBrace(text: string, start: number): number | undefined {
  const token = /"(?:[^"\\\r\n]|\\.)*"|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|[{}]/g;
  token.lastIndex = start;
  let open = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    if (match[0] === '{') open += 1;
    if (match[0] === '}') open -= 1;
    if (open === 0) return match.index;
  }
  return undefined;
}
