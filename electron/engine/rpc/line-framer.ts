const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

export interface LineFramerOptions extends FramerLimits {
  line(text: string): void;
  /** A line over the limit was skipped; the lines after it are not affected. */
  oversize(line: OversizeLine): void;
}

export interface ByteFramerOptions extends FramerLimits {
  /** The line with its newline (the last one of a stream may have none); a view that nobody writes to again. */
  line(bytes: Buffer): void;
  /**
   * Is offered a long line first, in the pieces it came in, which together are as `line` gets it; false to get that instead.
   * Never the last line of a stream that ends without a newline: such a line may have been cut off.
   */
  longLine?(pieces: readonly Buffer[]): boolean;
  /** Whether bytes that nothing has ended yet are whole messages: then they count as a line. */
  isWhole?(bytes: Buffer): boolean;
  /** A line over the limit was skipped; the lines after it are not affected. */
  oversize(line: OversizeLine): void;
}

interface FramerLimits {
  /** Longest line that can be a message, in bytes without its newline. Default 64 MiB. */
  readonly maxLineBytes?: number;
  /** Longest line kept that does not begin like JSON, so that a program's chatter cannot fill memory. Default 64 KiB. */
  readonly maxNoiseBytes?: number;
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
  /** A long line that has not ended may be whole messages; `endWhole` looks, at a cost that is too high while more comes. */
  readonly mayBeWhole: boolean;
  endWhole(): void;
  /** The stream has ended: what is left without a newline counts as a line. */
  end(): void;
}

type State =
  | { readonly kind: 'collecting' }
  | { readonly kind: 'skipping'; size: number; readonly limit: number; readonly head: Buffer; tail: Buffer };

const COLLECTING: State = { kind: 'collecting' };
const EXCERPT_BYTES = 512;
const EMPTY = Buffer.alloc(0);
const NEWLINES = Buffer.from([NEWLINE]);
const GATHERED_BYTES = 4096;
/** Up to this size a line that has not ended is looked at after each chunk. */
const SHORT_BYTES = 8192;
/** From this size on it costs something to put a line together. */
const LONG_BYTES = 64 * 1024;

/**
 * Splits a byte stream into lines at 0x0A only; U+2028 and U+2029 are ordinary characters.
 * Characters may be cut anywhere between chunks. Takes time linear in the bytes, whatever the chunking.
 */
export function createByteFramer(options: ByteFramerOptions): LineFramer {
  return new Framer(options);
}

/** The same with each line as text, without its newline and a CR before it. */
export function createLineFramer(options: LineFramerOptions): LineFramer {
  const { line, oversize, ...limits } = options;
  return new Framer({ ...limits, line: (bytes) => line(textOf(bytes)), oversize });
}

class Framer implements LineFramer {
  readonly #options: ByteFramerOptions;
  readonly #maxLine: number;
  readonly #maxNoise: number;
  #state: State = COLLECTING;
  /** The line begun in earlier chunks: views of them, small ones gathered so that they cannot become many. */
  #pieces: Buffer[] = [];
  #gathered = EMPTY;
  #gatheredLength = 0;
  #length = 0;
  #mayBeWhole = false;

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
    this.#mayBeWhole = this.#length > 0 && endsMessage(chunk.at(-1)) && this.#options.isWhole !== undefined;
    if (this.#mayBeWhole && this.#length <= SHORT_BYTES) this.endWhole();
  }

  get mayBeWhole(): boolean {
    return this.#mayBeWhole;
  }

  endWhole(): void {
    if (!this.#mayBeWhole) return;
    this.#mayBeWhole = false;
    this.#closeGathered();
    if (this.#options.isWhole?.(joined(this.#pieces, this.#length)) !== true) return;
    this.#append(NEWLINES, 0, 1);
    this.#reportLine();
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
      this.#append(NEWLINES, 0, 1);
      this.#reportLine();
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
    if (length >= GATHERED_BYTES) {
      this.#closeGathered();
      this.#pieces.push(chunk.subarray(start, end));
      return;
    }
    if (length > this.#gathered.length - this.#gatheredLength) {
      this.#closeGathered();
      this.#gathered = Buffer.allocUnsafe(GATHERED_BYTES);
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

  #reportLine(): void {
    const length = this.#length;
    const pieces = this.#takePieces();
    if (length >= LONG_BYTES && this.#options.longLine?.(pieces)) return;
    this.#options.line(joined(pieces, length));
  }

  #takeLine(): Buffer {
    const length = this.#length;
    return joined(this.#takePieces(), length);
  }

  /** The line so far, which is forgotten. */
  #takePieces(): readonly Buffer[] {
    this.#closeGathered();
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#length = 0;
    this.#mayBeWhole = false;
    return pieces;
  }

  #reportOversize(state: Extract<State, { kind: 'skipping' }>): void {
    this.#state = COLLECTING;
    const { size, limit, head, tail } = state;
    this.#options.oversize({ size, limit, head: head.toString('utf8'), tail: tail.toString('utf8') });
  }
}

function joined(pieces: readonly Buffer[], length: number): Buffer {
  const [first] = pieces;
  return pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces, length);
}

function skip(state: Extract<State, { kind: 'skipping' }>, bytes: Buffer): void {
  state.size += bytes.length;
  // Copied, not referred to: a view would keep the whole chunk in memory.
  const last = bytes.subarray(-EXCERPT_BYTES);
  state.tail = Buffer.concat([state.tail, last]).subarray(-EXCERPT_BYTES);
}

/** `}`, `]` or a carriage return. */
function endsMessage(byte: number | undefined): boolean {
  return byte === 0x7d || byte === 0x5d || byte === CARRIAGE_RETURN;
}

/** `{`, `[`, white space or a byte order mark before them, or a member on a line of its own. */
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
