/** Bytes that are long come in pieces, which are looked at where they are: to put them together costs as much as to send them. */
export type Pieces = readonly Buffer[];

export function sizeOf(pieces: Pieces): number {
  let size = 0;
  for (const { length } of pieces) size += length;
  return size;
}

/** Those from `start` to `end`, counted through all pieces; not copied. */
export function cut(pieces: Pieces, start: number, end: number): Pieces {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return [only.subarray(start, end)];
  const inside: Buffer[] = [];
  let begin = 0;
  for (const piece of pieces) {
    if (begin >= end) break;
    const part = piece.subarray(Math.max(0, start - begin), end - begin);
    if (part.length > 0) inside.push(part);
    begin += piece.length;
  }
  return inside;
}

/** All of them in one. */
export function joined(pieces: Pieces): Buffer {
  const [only] = pieces;
  return only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces);
}
