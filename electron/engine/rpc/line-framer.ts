const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

export interface LineFramerOptions {
  /** Longest line that can be a message, in bytes without its newline. Default 64 MiB. */
  readonly maxLineBytes?: number;
  /** Longest line kept that does not begin like JSON, so that a program's chatter cannot fill memory. Default 64 KiB. */
  readonly maxNoiseBytes?: number;
  line(text: string): void;
  /** A line over the limit was skipped; the lines after it are not affected. */
  oversize(line: OversizeLine): void;
}

export interface OversizeLine {
  /** Length of the line in bytes, without its newline. */
  readonly size: number;
  /** The limit it exceeded. */
  readonly limit: number;
  /** Its first and last bytes as text, at most 512 each: enough to tell what it was. */
  readonly head: string;
  readonly tail: string;
}

export interface LineFramer {
  push(chunk: Buffer): void;
  /** The stream has ended: what is left without a newline counts as a line. */
  end(): void;
}

type State =
  | { readonly kind: 'collecting' }
  | { readonly kind: 'skipping'; size: number; readonly limit: number; readonly head: Buffer; tail: Buffer };

const COLLECTING: State = { kind: 'collecting' };
const EXCERPT_BYTES = 512;
/** A buffer that grew beyond this is given back after its line. */
const KEPT_BUFFER_BYTES = 256 * 1024;

/**
 * Splits a byte stream into lines at 0x0A only, dropping one trailing CR; U+2028 and U+2029 are ordinary characters.
 * Characters may be cut anywhere between chunks. Takes time linear in the bytes, whatever the chunking.
 */
export function createLineFramer(options: LineFramerOptions): LineFramer {
  return new Framer(options);
}

class Framer implements LineFramer {
  readonly #options: LineFramerOptions;
  readonly #maxLine: number;
  readonly #maxNoise: number;
  #state: State = COLLECTING;
  /** The line begun in earlier chunks; grows by doubling, so that each byte is copied a bounded number of times. */
  #buffer = Buffer.alloc(0);
  #length = 0;

  constructor(options: LineFramerOptions) {
    this.#options = options;
    this.#maxLine = options.maxLineBytes ?? 64 * 1024 * 1024;
    this.#maxNoise = Math.min(options.maxNoiseBytes ?? 64 * 1024, this.#maxLine);
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#finish(chunk, start, end);
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk, start, chunk.length);
  }

  end(): void {
    if (this.#state.kind === 'skipping' || this.#length > 0) this.#finish(Buffer.alloc(0), 0, 0);
  }

  /** Completes the current line with the bytes from `start` to `end`. */
  #finish(chunk: Buffer, start: number, end: number): void {
    if (this.#isWholeLine(chunk, start, end)) {
      this.#options.line(textOf(chunk, start, end));
      return;
    }
    this.#keep(chunk, start, end);
    if (this.#state.kind === 'skipping') this.#reportOversize(this.#state);
    else this.#reportLine();
  }

  #isWholeLine(chunk: Buffer, start: number, end: number): boolean {
    return (
      this.#state.kind === 'collecting' && this.#length === 0 && end - start <= this.#limit(chunk, start)
    );
  }

  #keep(chunk: Buffer, start: number, end: number): void {
    if (this.#state.kind === 'skipping') {
      skip(this.#state, chunk.subarray(start, end));
      return;
    }
    const length = this.#length + end - start;
    const limit = this.#length > 0 ? this.#limit(this.#buffer, 0) : this.#limit(chunk, start);
    if (length > limit) {
      this.#beginSkipping(limit, chunk.subarray(start, end));
      return;
    }
    this.#reserve(length, limit);
    chunk.copy(this.#buffer, this.#length, start, end);
    this.#length = length;
  }

  #limit(bytes: Buffer, start: number): number {
    return beginsLikeJson(bytes[start]) ? this.#maxLine : this.#maxNoise;
  }

  #reserve(length: number, limit: number): void {
    if (length <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(length, Math.min(limit, this.#buffer.length * 2), 4096));
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
  }

  #beginSkipping(limit: number, rest: Buffer): void {
    const begun = this.#buffer.subarray(0, this.#length);
    const head = Buffer.concat([begun.subarray(0, EXCERPT_BYTES), rest.subarray(0, EXCERPT_BYTES)]);
    const state: State = {
      kind: 'skipping',
      size: this.#length,
      limit,
      head: head.subarray(0, EXCERPT_BYTES),
      tail: Buffer.from(begun.subarray(-EXCERPT_BYTES)),
    };
    skip(state, rest);
    this.#forget();
    this.#state = state;
  }

  #reportLine(): void {
    const text = textOf(this.#buffer, 0, this.#length);
    this.#forget();
    this.#options.line(text);
  }

  #reportOversize(state: Extract<State, { kind: 'skipping' }>): void {
    this.#state = COLLECTING;
    const { size, limit, head, tail } = state;
    this.#options.oversize({ size, limit, head: head.toString('utf8'), tail: tail.toString('utf8') });
  }

  #forget(): void {
    this.#length = 0;
    if (this.#buffer.length > KEPT_BUFFER_BYTES) this.#buffer = Buffer.alloc(0);
  }
}

function skip(state: Extract<State, { kind: 'skipping' }>, bytes: Buffer): void {
  state.size += bytes.length;
  // Copied, not referred to: a view would keep the whole chunk in memory.
  const last = bytes.subarray(-EXCERPT_BYTES);
  state.tail = Buffer.concat([state.tail, last]).subarray(-EXCERPT_BYTES);
}

/** `{`, `[` or white space before them. */
function beginsLikeJson(byte: number | undefined): boolean {
  return byte === 0x7b || byte === 0x5b || byte === 0x20 || byte === 0x09;
}

function textOf(bytes: Buffer, start: number, end: number): string {
  const last = end > start && bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
  return bytes.toString('utf8', start, last);
}
