/** Returns the pieces as one buffer, without a copy if there is only one. `length` is that of all of them, if known. */
export function joined(pieces: readonly Buffer[], length?: number): Buffer {
  const [first] = pieces;
  return pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces, length);
}
