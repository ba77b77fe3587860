/** How far from either end of a message its id is looked for. */
const REACH = 96;
const MARK = '"id":';

/**
 * Finds a message's numeric id by its bytes, near the front (where most write it) or near the end (where the SDK
 * does), without parsing. Returns the piece and the bytes in it that spell the id, or undefined.
 */
export function findId(pieces) {
  return inFront(pieces) ?? atEnd(pieces);
}

/** The pieces of a message with another id in place of the one found. */
export function withId(pieces, found, id) {
  const piece = pieces[found.index];
  const spliced = [
    piece.subarray(0, found.start),
    Buffer.from(String(id), 'latin1'),
    piece.subarray(found.end),
  ];
  if (pieces.length === 1) return spliced;
  return [...pieces.slice(0, found.index), ...spliced, ...pieces.slice(found.index + 1)];
}

function inFront(pieces) {
  const head = pieces[0].latin1Slice(0, Math.min(REACH, pieces[0].length));
  const at = head.indexOf(MARK);
  return at === -1 ? undefined : read(head, at + MARK.length, 0, 0);
}

function atEnd(pieces) {
  let index = pieces.length - 1;
  // A cut through the tail would hide the id; the last pieces are joined until it is whole.
  while (index > 0 && pieces[index].length < REACH) {
    pieces.splice(index - 1, 2, Buffer.concat([pieces[index - 1], pieces[index]]));
    index -= 1;
  }
  const piece = pieces[index];
  const offset = Math.max(0, piece.length - REACH);
  const tail = piece.latin1Slice(offset, piece.length);
  const at = tail.lastIndexOf(MARK);
  return at === -1 ? undefined : read(tail, at + MARK.length, index, offset);
}

function read(text, from, index, offset) {
  let id = 0;
  let end = from;
  for (let code = text.charCodeAt(end); code >= 48 && code <= 57; code = text.charCodeAt(end)) {
    id = id * 10 + code - 48;
    end += 1;
  }
  return end === from ? undefined : { id, index, start: offset + from, end: offset + end };
}
