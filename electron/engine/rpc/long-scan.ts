import { type Member, messageMembers, noOffsets, type PartOffsets, scanEnvelope } from './envelope.ts';
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  isDigit,
  isHex,
  isSpace,
  LETTER_U,
  Nesting,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  StringBytes,
  shortEscape,
} from './json-scan.ts';
import { joinPieces, type Pieces } from './pieces.ts';

/**
 * Works like scanEnvelope on bytes in pieces, which may be cut anywhere. Long messages that are mostly text
 * are scanned without being joined. Messages with much structure are joined after all, because scanning one
 * buffer is faster even with the copy.
 */
export function scanPieces(pieces: Pieces): PartOffsets | undefined {
  const scanner = new PiecewiseScanner();
  for (const piece of pieces) {
    if (!scanner.push(piece)) return undefined;
    if (scanner.isMostlyStructure) return scanEnvelope(joinPieces(pieces));
  }
  return scanner.end();
}

/** The token that is expected next. */
const state = {
  broken: 0,
  message: 1,
  value: 2,
  firstItem: 3,
  firstKey: 4,
  key: 5,
  colon: 6,
  afterValue: 7,
  end: 8,
  string: 9,
  escape: 10,
  /** Four states: 11 to 14 for the four digits. */
  hex: 11,
  word: 15,
  /** From here on: the last character of the number so far. */
  minus: 16,
  zero: 17,
  integer: 18,
  point: 19,
  fraction: 20,
  exponent: 21,
  sign: 22,
  power: 23,
} as const;

const MINUS = 0x2d;
const ZERO = 0x30;
const words: ReadonlyMap<number, string> = new Map(
  ['true', 'false', 'null'].map((word) => [word.charCodeAt(0), word.slice(1)]),
);

const nothing = Buffer.alloc(0);
const minSteps = 256;
const bytesPerStep = 32;

/** An object whose members are being located. */
interface TrackedObject {
  readonly members: readonly Member[];
  readonly depth: number;
  /** Part of the member whose value is being read; -1 if it is not tracked. */
  part: number;
  /** Members to locate inside that value. */
  inner: readonly Member[] | undefined;
}

class PiecewiseScanner {
  readonly #offsets = noOffsets.slice();
  readonly #open = new Nesting();
  readonly #tracked: TrackedObject[] = [];
  #state: number = state.message;
  /** Position of the current piece in the message. */
  #base = 0;
  #bytes: Buffer = nothing;
  #steps = 0;
  #isKey = false;
  /** The start of the current key from earlier pieces, and where it continues in this piece. */
  #keyStart = '';
  #keyFrom = 0;
  /** The rest of the current literal (true, false, null). */
  #word = '';

  /** Returns false if the bytes are not a message, or if only a full parse can decide. */
  push(bytes: Buffer): boolean {
    this.#bytes = bytes;
    const strings = new StringBytes(bytes);
    let at = 0;
    while (at < bytes.length && this.#state !== state.broken) {
      if (this.#state === state.string) at = strings.skip(at);
      if (at === bytes.length) break;
      at += this.#step(bytes[at] ?? 0, at);
      this.#steps += 1;
    }
    if (this.#isKey && this.#state >= state.string && this.#state < state.word) {
      this.#keyStart += bytes.toString('latin1', this.#keyFrom);
      this.#keyFrom = 0;
    }
    this.#base += bytes.length;
    return this.#state !== state.broken;
  }

  /** True if the message has more than a little structure besides text in strings. */
  get isMostlyStructure(): boolean {
    return this.#steps > minSteps + this.#base / bytesPerStep;
  }

  end(): PartOffsets | undefined {
    return this.#state === state.end ? this.#offsets : undefined;
  }

  /** Processes one byte. Returns 1 if it was consumed, 0 if it must be looked at again. */
  #step(byte: number, at: number): number {
    const current = this.#state;
    if (current >= state.minus) return this.#number(current, byte, at);
    if (current >= state.string) this.#state = this.#insideToken(current, byte, at);
    else if (!isSpace(byte)) this.#state = this.#structural(current, byte, at);
    return 1;
  }

  #structural(current: number, byte: number, at: number): number {
    switch (current) {
      case state.message:
        return byte === OPEN_BRACE ? this.#begin(byte, at) : state.broken;
      case state.firstItem:
        return byte === CLOSE_BRACKET ? this.#close(at) : this.#begin(byte, at);
      case state.value:
        return this.#begin(byte, at);
      case state.firstKey:
        return byte === CLOSE_BRACE ? this.#close(at) : this.#beginKey(byte, at);
      case state.key:
        return this.#beginKey(byte, at);
      case state.colon:
        return byte === COLON ? state.value : state.broken;
      case state.afterValue:
        if (byte === COMMA) return this.#open.isObject ? state.key : state.value;
        return byte === (this.#open.isObject ? CLOSE_BRACE : CLOSE_BRACKET) ? this.#close(at) : state.broken;
      default:
        return state.broken;
    }
  }

  #insideToken(current: number, byte: number, at: number): number {
    switch (current) {
      case state.string:
        if (byte === QUOTE) return this.#isKey ? this.#endKey(at) : this.#endValue(at + 1);
        return byte === BACKSLASH ? state.escape : state.broken;
      case state.escape:
        if (byte === LETTER_U) return state.hex;
        return shortEscape[byte] === 1 ? state.string : state.broken;
      case state.word:
        if (byte !== this.#word.charCodeAt(0)) return state.broken;
        this.#word = this.#word.slice(1);
        return this.#word === '' ? this.#endValue(at + 1) : state.word;
      default:
        if (!isHex(byte)) return state.broken;
        return current + 1 === state.word ? state.string : current + 1;
    }
  }

  #number(current: number, byte: number, at: number): number {
    const next = nextInNumber(current, byte);
    this.#state = next ?? this.#endValue(at);
    return next === undefined ? 0 : 1;
  }

  #begin(byte: number, at: number): number {
    const tracked = this.#current;
    if (tracked !== undefined && tracked.part !== -1) this.#offsets[tracked.part] = this.#base + at;
    if (byte === OPEN_BRACE) return this.#beginObject(tracked);
    if (byte === OPEN_BRACKET) {
      this.#open.enter(false);
      return state.firstItem;
    }
    this.#isKey = false;
    if (byte === QUOTE) return state.string;
    if (byte === MINUS) return state.minus;
    if (byte === ZERO) return state.zero;
    if (isDigit(byte)) return state.integer;
    this.#word = words.get(byte) ?? '';
    return this.#word === '' ? state.broken : state.word;
  }

  #beginObject(tracked: TrackedObject | undefined): number {
    this.#open.enter(true);
    const { depth } = this.#open;
    const members = depth === 1 ? messageMembers : tracked?.inner;
    if (members !== undefined) this.#tracked.push({ members, depth, part: -1, inner: undefined });
    return state.firstKey;
  }

  #beginKey(byte: number, at: number): number {
    this.#isKey = true;
    this.#keyStart = '';
    this.#keyFrom = at + 1;
    return byte === QUOTE ? state.string : state.broken;
  }

  #endKey(at: number): number {
    this.#isKey = false;
    const tracked = this.#current;
    if (tracked === undefined) return state.colon;
    const name = this.#keyStart + this.#bytes.toString('latin1', this.#keyFrom, at);
    if (name.includes('\\')) return state.broken;
    const member = tracked.members.find(({ key }) => key === name);
    tracked.part = member?.part ?? -1;
    tracked.inner = member?.members;
    if (member === undefined || member.mayRepeat === true) return state.colon;
    return this.#offsets[member.part] === -1 ? state.colon : state.broken;
  }

  #endValue(end: number): number {
    const tracked = this.#current;
    if (tracked !== undefined && tracked.part !== -1) this.#offsets[tracked.part + 1] = this.#base + end;
    return this.#open.depth === 0 ? state.end : state.afterValue;
  }

  #close(at: number): number {
    if (this.#current !== undefined) this.#tracked.pop();
    this.#open.leave();
    return this.#endValue(at + 1);
  }

  /** The innermost open object, if its members are tracked. */
  get #current(): TrackedObject | undefined {
    const tracked = this.#tracked.at(-1);
    return tracked?.depth === this.#open.depth ? tracked : undefined;
  }
}

/** Returns undefined if the number ended before this byte. */
function nextInNumber(current: number, byte: number): number | undefined {
  const isExponent = (byte | 0x20) === 0x65;
  switch (current) {
    case state.minus:
      if (byte === ZERO) return state.zero;
      return isDigit(byte) ? state.integer : state.broken;
    case state.zero:
    case state.integer:
      if (current === state.integer && isDigit(byte)) return current;
      if (byte === 0x2e) return state.point;
      return isExponent ? state.exponent : undefined;
    case state.point:
      return isDigit(byte) ? state.fraction : state.broken;
    case state.fraction:
      if (isDigit(byte)) return current;
      return isExponent ? state.exponent : undefined;
    case state.exponent:
      if (byte === 0x2b || byte === MINUS) return state.sign;
      return isDigit(byte) ? state.power : state.broken;
    case state.sign:
      return isDigit(byte) ? state.power : state.broken;
    default:
      return isDigit(byte) ? current : undefined;
  }
}
