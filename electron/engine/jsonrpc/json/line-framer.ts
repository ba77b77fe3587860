import { joined } from '../../base/joined.ts';

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

export interface LineFramerOptions extends FramerLimits {
  line(text: string): void;
  /** A line over the limit was skipped; the lines after it are not affected. */
  oversize(line: OversizeLine): void;
}

export interface ByteFramerOptions extends FramerLimits {
  /**
   * Receives a line with its newline (the last line of a stream may have none). The buffer is never written
   * to again.
   */
  line(bytes: Buffer): void;
  /** Decides whether bytes without a newline are complete messages and so count as a line. */
  isComplete?(bytes: Buffer): boolean;
  /** A line over the limit was skipped; the lines after it are not affected. */
  oversize(line: OversizeLine): void;
}

interface FramerLimits {
  /** Maximum length of a message, in bytes without the newline. Default 64 MiB. */
  readonly maxLineBytes?: number;
  /**
   * Maximum length of a line that does not start like JSON, so that a program's output cannot fill memory.
   * Default 64 KiB.
   */
  readonly maxNoiseBytes?: number;
}

export interface OversizeLine {
  /** Length in bytes, without the newline. */
  readonly size: number;
  readonly limit: number;
  /** The first and last bytes as text, at most 512 each, to identify the line. */
  readonly head: string;
  readonly tail: string;
}

export interface LineFramer {
  push(chunk: Buffer): void;
  /**
   * True if a long unfinished line may be a complete message. `flushComplete` checks, which is too expensive while
   * more data arrives.
   */
  readonly mayBeComplete: boolean;
  flushComplete(): void;
  /** Ends the stream. Remaining bytes without a newline count as a line. */
  end(): void;
}

type State =
  | { readonly kind: 'collecting' }
  | { readonly kind: 'skipping'; size: number; readonly limit: number; readonly head: Buffer; tail: Buffer };

const COLLECTING: State = { kind: 'collecting' };
const EXCERPT_BYTES = 512;
const EMPTY = Buffer.alloc(0);
const NEWLINE_BYTES = Buffer.from([NEWLINE]);
const GATHER_BYTES = 4096;
/** Unfinished lines up to this size are checked for completeness after each chunk. */
const SHORT_BYTES = 8192;

/**
 * Splits a byte stream into lines at 0x0A only; U+2028 and U+2029 are ordinary characters. Chunks may cut a
 * character anywhere. Takes linear time however the bytes are chunked.
 */
export function createByteFramer(options: ByteFramerOptions): LineFramer {
  return new Framer(options);
}

/** Splits a byte stream into lines of text, without the newline and a CR before it. */
export function createLineFramer(options: LineFramerOptions): LineFramer {
  const { line, oversize, ...limits } = options;
  return new Framer({ ...limits, line: (bytes) => line(textOf(bytes)), oversize });
}

class Framer implements LineFramer {
  readonly #options: ByteFramerOptions;
  readonly #maxLine: number;
  readonly #maxNoise: number;
  #state: State = COLLECTING;
  /**
   * The unfinished line as views of earlier chunks. Small chunks are copied together to bound their number.
   */
  #pieces: Buffer[] = [];
  #gathered = EMPTY;
  #gatheredLength = 0;
  #length = 0;
  #mayBeComplete = false;

  constructor(options: ByteFramerOptions) {
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
    this.#mayBeComplete =
      this.#length > 0 && endsMessage(chunk.at(-1)) && this.#options.isComplete !== undefined;
    if (this.#mayBeComplete && this.#length <= SHORT_BYTES) this.flushComplete();
  }

  get mayBeComplete(): boolean {
    return this.#mayBeComplete;
  }

  flushComplete(): void {
    if (!this.#mayBeComplete) return;
    this.#mayBeComplete = false;
    this.#closeGathered();
    if (this.#options.isComplete?.(joined(this.#pieces, this.#length)) !== true) return;
    this.#append(NEWLINE_BYTES, 0, 1);
    this.#options.line(this.#takeLine());
  }

  end(): void {
    if (this.#state.kind === 'skipping') this.#reportOversize(this.#state);
    else if (this.#length > 0) this.#options.line(this.#takeLine());
  }

  /** Completes the current line with the bytes from `start` to the newline at `end`. */
  #finish(chunk: Buffer, start: number, end: number): void {
    if (this.#isWholeLine(chunk, start, end)) {
      this.#options.line(chunk.subarray(start, end + 1));
      return;
    }
    this.#keep(chunk, start, end);
    if (this.#state.kind === 'skipping') {
      this.#reportOversize(this.#state);
    } else {
      this.#append(NEWLINE_BYTES, 0, 1);
      this.#options.line(this.#takeLine());
    }
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
    const limit =
      this.#length > 0 ? this.#limit(this.#pieces[0] ?? this.#gathered, 0) : this.#limit(chunk, start);
    if (length > limit) {
      this.#beginSkipping(limit, chunk.subarray(start, end));
      return;
    }
    this.#append(chunk, start, end);
  }

  #append(chunk: Buffer, start: number, end: number): void {
    const length = end - start;
    this.#length += length;
    if (length >= GATHER_BYTES) {
      this.#closeGathered();
      this.#pieces.push(chunk.subarray(start, end));
      return;
    }
    if (length > this.#gathered.length - this.#gatheredLength) {
      this.#closeGathered();
      this.#gathered = Buffer.allocUnsafe(GATHER_BYTES);
    }
    this.#gatheredLength += chunk.copy(this.#gathered, this.#gatheredLength, start, end);
  }

  #closeGathered(): void {
    if (this.#gatheredLength > 0) this.#pieces.push(this.#gathered.subarray(0, this.#gatheredLength));
    this.#gathered = this.#gathered.subarray(this.#gatheredLength);
    this.#gatheredLength = 0;
  }

  #limit(bytes: Buffer, start: number): number {
    return beginsLikeJson(bytes[start]) ? this.#maxLine : this.#maxNoise;
  }

  #beginSkipping(limit: number, rest: Buffer): void {
    const length = this.#length;
    const begun = joined(this.#takePieces(), length);
    const head = Buffer.concat([begun.subarray(0, EXCERPT_BYTES), rest.subarray(0, EXCERPT_BYTES)]);
    const state: State = {
      kind: 'skipping',
      size: begun.length,
      limit,
      head: head.subarray(0, EXCERPT_BYTES),
      tail: Buffer.from(begun.subarray(-EXCERPT_BYTES)),
    };
    skip(state, rest);
    this.#state = state;
  }

  #takeLine(): Buffer {
    const length = this.#length;
    return joined(this.#takePieces(), length);
  }

  /** Returns the line so far and resets the state. */
  #takePieces(): readonly Buffer[] {
    this.#closeGathered();
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#length = 0;
    this.#mayBeComplete = false;
    return pieces;
  }

  #reportOversize(state: Extract<State, { kind: 'skipping' }>): void {
    this.#state = COLLECTING;
    const { size, limit, head, tail } = state;
    this.#options.oversize({ size, limit, head: head.toString('utf8'), tail: tail.toString('utf8') });
  }
}

function skip(state: Extract<State, { kind: 'skipping' }>, bytes: Buffer): void {
  state.size += bytes.length;
  // Copied because a view would keep the whole chunk in memory.
  const last = bytes.subarray(-EXCERPT_BYTES);
  state.tail = Buffer.concat([state.tail, last]).subarray(-EXCERPT_BYTES);
}

/** Matches `}`, `]`, carriage return and NUL. */
function endsMessage(byte: number | undefined): boolean {
  return byte === 0x7d || byte === 0x5d || byte === CARRIAGE_RETURN || byte === 0;
}

/** Matches `{`, `[`, `"` (a member on its own line), white space and a byte order mark. */
function beginsLikeJson(byte: number | undefined): boolean {
  return byte !== undefined && jsonStarts.has(byte);
}

const jsonStarts: ReadonlySet<number> = new Set(Buffer.from('{[" \t\u{feff}').subarray(0, 6));

function textOf(line: Buffer): string {
  let end = line.length;
  if (line[end - 1] === NEWLINE) end -= 1;
  if (line[end - 1] === CARRIAGE_RETURN) end -= 1;
  return line.toString('utf8', 0, end);
}
