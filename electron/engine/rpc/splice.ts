import { type Pieces, slicePieces, totalBytes } from './pieces.ts';

/** Text that replaces the bytes from `start` to `end`. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Buffers of this size or more are not copied but referred to by views. */
const LARGE_BYTES = 64 * 1024;

/** Applies the replacements, given in any order and without overlaps. Short input gives a single piece. */
export function splice(pieces: Pieces, replacements: Replacement[]): Pieces {
  sort(replacements);
  const [only] = pieces;
  const isShort = only !== undefined && pieces.length === 1 && only.length < LARGE_BYTES;
  return isShort ? [copyWith(only, replacements)] : cutWith(pieces, replacements);
}

function cutWith(pieces: Pieces, replacements: readonly Replacement[]): Pieces {
  const spliced: Buffer[] = [];
  let read = 0;
  for (const { start, end, text } of replacements) {
    spliced.push(...slicePieces(pieces, read, start), Buffer.from(text));
    read = end;
  }
  return [...spliced, ...slicePieces(pieces, read, totalBytes(pieces))];
}

function copyWith(bytes: Buffer, replacements: readonly Replacement[]): Buffer {
  let length = bytes.length;
  for (const { start, end, text } of replacements) length += bytesOf(text) - (end - start);
  const spliced = Buffer.allocUnsafe(length);
  let read = 0;
  let written = 0;
  for (const { start, end, text } of replacements) {
    written += bytes.copy(spliced, written, read, start);
    written += write(spliced, written, text);
    read = end;
  }
  bytes.copy(spliced, written, read);
  return spliced;
}

/** Insertion sort, as there are only two or three. */
function sort(replacements: Replacement[]): void {
  for (let index = 1; index < replacements.length; index += 1) {
    for (let position = index; position > 0; position -= 1) {
      const one = replacements[position - 1];
      const other = replacements[position];
      if (one === undefined || other === undefined || one.start < other.start) break;
      replacements[position - 1] = other;
      replacements[position] = one;
    }
  }
}

/** Ids, names and tokens are short and ASCII; for those a loop is faster than a native call. */
const SHORT = 64;

function bytesOf(text: string): number {
  return isShortAscii(text) ? text.length : Buffer.byteLength(text);
}

function write(target: Buffer, at: number, text: string): number {
  if (!isShortAscii(text)) return target.write(text, at);
  for (let index = 0; index < text.length; index += 1) target[at + index] = text.charCodeAt(index);
  return text.length;
}

function isShortAscii(text: string): boolean {
  if (text.length > SHORT) return false;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 0x7f) return false;
  return true;
}
