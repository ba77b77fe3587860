import type { JsonNode } from './parse.ts';

/** The parts of an object or array member outside its own text. */
export interface Tail {
  /** Offset of the comma after the member, if there is one. */
  readonly comma: number | undefined;
  /** End of the member with its comma and its comments on the same line. */
  readonly end: number;
  /** True if the line ends there. */
  readonly endsLine: boolean;
  /** The comments that end at `end`, with the whitespace before them; empty if there are none. */
  readonly comments: string;
}

/**
 * Finds the comma and the comments of a member. A comment on the same line belongs to the member before it,
 * unless another member follows on that line.
 */
export function tailOf(body: string, node: JsonNode): Tail {
  const end = node.offset + node.length;
  const next = skipTrivia(body, end, true);
  const comma = body[next] === ',' ? next : undefined;
  const between = comma === undefined ? '' : body.slice(end, comma);
  const from = comma === undefined ? end : comma + 1;
  const stop = skipTrivia(body, from, false);
  const endsLine = isLineBreak(body[stop]) || stop === body.length;
  const owned = endsLine || body[stop] === '}' || body[stop] === ']' ? trimEnd(body, from, stop) : from;
  return {
    comma,
    end: owned,
    endsLine,
    comments: (between.trim() === '' ? '' : between) + body.slice(from, owned),
  };
}

/**
 * Returns the first offset from `from` that is neither whitespace nor comment; a line break stops it unless
 * `lines`.
 */
export function skipTrivia(body: string, from: number, lines: boolean): number {
  let at = from;
  for (;;) {
    const length = triviaLength(body, at, lines);
    if (length === 0) return at;
    at += length;
  }
}

function triviaLength(body: string, at: number, lines: boolean): number {
  const char = body[at];
  if (char === ' ' || char === '\t') return 1;
  if (isLineBreak(char)) return lines ? 1 : 0;
  if (body.startsWith('//', at)) return /^[^\r\n]*/.exec(body.slice(at))?.[0].length ?? 0;
  if (body.startsWith('/*', at)) return blockLength(body, at);
  return 0;
}

function blockLength(body: string, at: number): number {
  const close = body.indexOf('*/', at + 2);
  return close === -1 ? 0 : close + 2 - at;
}

function isLineBreak(char: string | undefined): boolean {
  return char === '\n' || char === '\r';
}

function trimEnd(body: string, from: number, end: number): number {
  return from + body.slice(from, end).trimEnd().length;
}
