/**
 * A long message as the chunks it arrived in. They are read in place, because joining them costs as much as
 * sending them.
 */
export type Pieces = readonly Buffer[];

export function totalBytes(pieces: Pieces): number {
  let size = 0;
  for (const { length } of pieces) size += length;
  return size;
}

/** Returns the bytes from `start` to `end`, counted through all pieces, without copying. */
export function slicePieces(pieces: Pieces, start: number, end: number): Pieces {
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

export function joinPieces(pieces: Pieces): Buffer {
  const [only] = pieces;
  return only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces);
}
