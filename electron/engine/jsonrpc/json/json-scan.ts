/**
 * Finds where JSON values end without parsing them. As strict as JSON.parse, except that invalid UTF-8 passes
 * (JSON.parse never sees it, because decoding replaces it). Takes linear time and constant stack depth.
 */

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
const LETTER_U = 0x75;

/** Returned in place of a position when the bytes are not JSON. */
export const BROKEN = -1;

/** Returns the first position from `at` on that is not white space. */
export function skipSpace(bytes: Uint8Array, at: number): number {
  let position = at;
  while (isSpace(bytes[position])) position += 1;
  return position;
}

/** Needs one comparison for most bytes, which are no white space. */
function isSpace(byte: number | undefined): boolean {
  return (
    byte !== undefined && byte <= 0x20 && (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09)
  );
}

/** Returns the position after the string whose opening quote is at `at`, or BROKEN. */
export function skipString(bytes: Uint8Array, at: number): number {
  let position = at + 1;
  for (;;) {
    position = skipOrdinary(bytes, position);
    if (bytes[position] === QUOTE) return position + 1;
    position = skipEscape(bytes, position);
    if (position === BROKEN) return BROKEN;
  }
}

/** Skips ordinary characters: four at a time, which takes half as long, and those of a long string by words. */
function skipOrdinary(bytes: Uint8Array, at: number): number {
  const last = Math.min(bytes.length, at + fewBytes) - 4;
  let position = at;
  while (position <= last && areFourOrdinary(bytes, position)) position += 4;
  if (position >= at + fewBytes) position = skipOrdinaryWords(bytes, position);
  while (isOrdinaryAt(bytes, position)) position += 1;
  return position;
}

/** For fewer bytes a view of words costs more than it saves. A multiple of four. */
const fewBytes = 128;

/** Skips aligned words of ordinary characters, two at a time. The three bytes before `at` must be ordinary as well. */
function skipOrdinaryWords(bytes: Uint8Array, at: number): number {
  const start = at - ((bytes.byteOffset + at) & 3);
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + start, (bytes.length - start) >> 2);
  let index = 0;
  while (index + 1 < words.length && ((marks(words, index) | marks(words, index + 1)) & HIGH_BITS) === 0)
    index += 2;
  return start + 4 * index;
}

/** Sets the high bit of a byte of the word if one is not ordinary; has no meaning in other bits. */
function marks(words: Int32Array, index: number): number {
  const word = words[index] as number;
  const quotes = word ^ (QUOTE * EACH_BYTE);
  const backslashes = word ^ (BACKSLASH * EACH_BYTE);
  return ((word - 0x20 * EACH_BYTE) | (quotes - EACH_BYTE) | (backslashes - EACH_BYTE)) & ~word;
}

const EACH_BYTE = 0x01010101;
const HIGH_BITS = 0x80808080;

function areFourOrdinary(bytes: Uint8Array, at: number): boolean {
  return (
    isOrdinaryAt(bytes, at) &&
    isOrdinaryAt(bytes, at + 1) &&
    isOrdinaryAt(bytes, at + 2) &&
    isOrdinaryAt(bytes, at + 3)
  );
}

function isOrdinaryAt(bytes: Uint8Array, at: number): boolean {
  return ordinary[bytes[at] ?? 0] === 1;
}

/** By byte: 1 if it is an ordinary character in a string. A table is faster than comparing. */
const ordinary = Uint8Array.from({ length: 256 }, (_, byte) => (isOrdinary(byte) ? 1 : 0));
/** By byte: 1 if it completes a two-character escape. */
const shortEscape = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number('"\\/bfnrt'.includes(String.fromCharCode(byte))),
);

function isOrdinary(byte: number): boolean {
  return byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH;
}

/** Returns the position after the value that starts at `at` (no leading white space), or BROKEN. */
export function skipValue(bytes: Uint8Array, at: number): number {
  const first = bytes[at];
  if (first === QUOTE) return skipString(bytes, at);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return skipContainer(bytes, at);
  return skipScalar(bytes, at);
}

/** Returns where the value of the member whose key starts at `at` begins, or BROKEN. */
export function skipKey(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== QUOTE) return BROKEN;
  const end = skipString(bytes, at);
  if (end === BROKEN) return BROKEN;
  const colon = skipSpace(bytes, end);
  return bytes[colon] === COLON ? skipSpace(bytes, colon + 1) : BROKEN;
}

function skipContainer(bytes: Uint8Array, at: number): number {
  const open = new Nesting();
  let position = at;
  for (;;) {
    const begun = bytes[position];
    if (begun === OPEN_BRACE || begun === OPEN_BRACKET) {
      const isObject = begun === OPEN_BRACE;
      position = skipSpace(bytes, position + 1);
      if (bytes[position] !== (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) {
        open.enter(isObject);
        if (isObject) position = skipKey(bytes, position);
        if (position === BROKEN) return BROKEN;
        continue;
      }
      position += 1;
    } else {
      position = begun === QUOTE ? skipString(bytes, position) : skipScalar(bytes, position);
      if (position === BROKEN) return BROKEN;
    }
    position = afterValue(bytes, position, open);
    if (position === BROKEN || open.depth === 0) return position;
  }
}

/** Returns where the next value begins or, when nothing is open any more, where the outermost one ended. */
function afterValue(bytes: Uint8Array, at: number, open: Nesting): number {
  let position = at;
  while (open.depth > 0) {
    position = skipSpace(bytes, position);
    const byte = bytes[position];
    if (byte === COMMA) {
      position = skipSpace(bytes, position + 1);
      return open.isObject ? skipKey(bytes, position) : position;
    }
    if (byte !== (open.isObject ? CLOSE_BRACE : CLOSE_BRACKET)) return BROKEN;
    open.leave();
    position += 1;
  }
  return position;
}

/** Keeps track of open objects and arrays, one bit per level, so that ordinary values allocate nothing. */
class Nesting {
  depth = 0;
  #bits = 0;
  #outer: number[] | undefined;

  get isObject(): boolean {
    return (this.#bits & 1) === 1;
  }

  enter(isObject: boolean): void {
    if (this.depth > 0 && this.depth % LEVELS === 0) {
      this.#outer ??= [];
      this.#outer.push(this.#bits);
      this.#bits = 0;
    }
    this.#bits = (this.#bits << 1) | (isObject ? 1 : 0);
    this.depth += 1;
  }

  leave(): void {
    this.depth -= 1;
    this.#bits >>>= 1;
    if (this.depth > 0 && this.depth % LEVELS === 0) this.#bits = this.#outer?.pop() ?? 0;
  }
}

const LEVELS = 30;

/** Returns the position after the escape at `at`, or BROKEN for anything else, including the end. */
function skipEscape(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== BACKSLASH) return BROKEN;
  if (shortEscape[bytes[at + 1] ?? 0] === 1) return at + 2;
  if (bytes[at + 1] !== LETTER_U) return BROKEN;
  for (let digit = at + 2; digit < at + 6; digit += 1) if (!isHex(bytes[digit])) return BROKEN;
  return at + 6;
}

function skipScalar(bytes: Uint8Array, at: number): number {
  switch (bytes[at]) {
    case 0x74:
      return skipWord(bytes, at, 'true');
    case 0x66:
      return skipWord(bytes, at, 'false');
    case 0x6e:
      return skipWord(bytes, at, 'null');
    default:
      return skipNumber(bytes, at);
  }
}

function skipWord(bytes: Uint8Array, at: number, word: string): number {
  return matches(bytes, at, word) ? at + word.length : BROKEN;
}

/** Checks whether these ASCII characters are at `at`. */
export function matches(bytes: Uint8Array, at: number, ascii: string): boolean {
  for (let index = 0; index < ascii.length; index += 1) {
    if (bytes[at + index] !== ascii.charCodeAt(index)) return false;
  }
  return true;
}

function skipNumber(bytes: Uint8Array, at: number): number {
  let position = bytes[at] === 0x2d ? at + 1 : at;
  if (bytes[position] === 0x30) position += 1;
  else position = skipDigits(bytes, position);
  if (position !== BROKEN && bytes[position] === 0x2e) position = skipDigits(bytes, position + 1);
  if (position === BROKEN || (Number(bytes[position]) | 0x20) !== 0x65) return position;
  const sign = bytes[position + 1];
  return skipDigits(bytes, sign === 0x2b || sign === 0x2d ? position + 2 : position + 1);
}

/** Requires at least one digit. */
function skipDigits(bytes: Uint8Array, at: number): number {
  let position = at;
  while (isDigit(bytes[position])) position += 1;
  return position > at ? position : BROKEN;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function isHex(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const lower = byte | 0x20;
  return isDigit(byte) || (lower >= 0x61 && lower <= 0x66);
}
