const NEWLINE = 0x0a;
/** Lines up to this size are handed over in one piece. */
const WHOLE = 64 * 1024;
const HEAD = 1024;

/**
 * Splits a byte stream at 0x0A without copying: `onLine` gets a line as the pieces it came in, newline excluded.
 * Returns the function to feed chunks to.
 */
export function lineSplitter(onLine) {
  let begun = [];
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const piece = chunk.subarray(start, end);
      if (begun.length === 0) onLine([piece]);
      else {
        const pieces = wellCut([...begun, piece]);
        begun = [];
        onLine(pieces);
      }
      start = end + 1;
    }
    if (start < chunk.length) begun.push(chunk.subarray(start));
  };
}

/** Pieces whose first one holds at least a message's head. */
function wellCut(pieces) {
  if (sizeOf(pieces) < WHOLE) return [Buffer.concat(pieces)];
  if (pieces[0].length >= HEAD) return pieces;
  return [Buffer.concat(pieces.slice(0, 2)), ...pieces.slice(2)];
}

export function sizeOf(pieces) {
  let size = 0;
  for (const piece of pieces) size += piece.length;
  return size;
}
