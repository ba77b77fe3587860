import type { Writable } from 'node:stream';
import type { WireMessage } from '../rpc/read-message.ts';
import type { TransportHandlers } from '../rpc/transport.ts';

export interface OutgoingLines {
  /** Takes a line, in pieces; it leaves with those that come with it, or when the stream takes more. Urgent ones go first. */
  add(message: WireMessage, line: readonly Buffer[], urgent: boolean): void;
  /** Takes a message back that still waits; false if it does not. */
  withdraw(message: WireMessage): boolean;
  /** While more than the limit waits to leave: resolves when it has left, rejects with `abandon`'s reason. */
  readonly congestion: Promise<void> | undefined;
  /** How much waits to leave. */
  readonly bytes: number;
  /** Hands everything to the stream, whether it wants more or not. */
  flush(): void;
  /** Nothing more will leave. */
  abandon(reason: Error): void;
}

export interface OutgoingLinesOptions {
  readonly writable: Writable;
  /** How many bytes may wait before there is congestion, default 4 MiB. */
  readonly limit?: number | undefined;
  /** Others are about to come. */
  readonly isBusy: NonNullable<TransportHandlers['isBusy']>;
}

/** Lines waiting for a stream. Those that come together are written at once, and never more than the stream can take. */
export function createOutgoingLines(options: OutgoingLinesOptions): OutgoingLines {
  return new Lines(options);
}

interface Line {
  readonly message: WireMessage;
  readonly pieces: readonly Buffer[];
  readonly size: number;
}

/** Everybody who waits for the same stream shares one of these. */
interface Congestion {
  readonly over: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (reason: Error) => void;
}

/** Lines up to this long are copied together: one write is cheaper than many. */
const GATHERED_BYTES = 64 * 1024;

class Lines implements OutgoingLines {
  readonly #writable: Writable;
  readonly #limit: number;
  readonly #isBusy: OutgoingLinesOptions['isBusy'];
  #waiting: Line[] = [];
  #bytes = 0;
  #isScheduled = false;
  #congestion: Congestion | undefined;

  constructor({ writable, limit = 4 * 1024 * 1024, isBusy }: OutgoingLinesOptions) {
    this.#writable = writable;
    this.#limit = limit;
    this.#isBusy = isBusy;
    writable.on('drain', () => this.#write());
  }

  get bytes(): number {
    return this.#bytes + this.#writable.writableLength;
  }

  get congestion(): Promise<void> | undefined {
    const waiting = this.bytes;
    if (waiting <= this.#limit || !this.#writable.writable) return undefined;
    this.#congestion ??= createCongestion();
    return this.#congestion.over;
  }

  add(message: WireMessage, pieces: readonly Buffer[], urgent: boolean): void {
    const line = { message, pieces, size: sizeOf(pieces) };
    if (urgent) this.#waiting.unshift(line);
    else this.#waiting.push(line);
    this.#bytes += line.size;
    if (this.#isScheduled || this.#writable.writableNeedDrain) return;
    this.#isScheduled = true;
    // What came in with it has been read by then, but for calls over HTTP, which come on a connection each.
    if (this.#isBusy()) setImmediate(this.#writeLater);
    else process.nextTick(this.#writeLater);
  }

  withdraw(message: WireMessage): boolean {
    const index = this.#waiting.findIndex((line) => line.message === message);
    const line = this.#waiting[index];
    if (line === undefined) return false;
    this.#waiting.splice(index, 1);
    this.#bytes -= line.size;
    return true;
  }

  flush(): void {
    while (this.#waiting.length > 0) this.#writeNext();
  }

  abandon(reason: Error): void {
    this.#waiting = [];
    this.#bytes = 0;
    this.#congestion?.reject(reason);
    this.#congestion = undefined;
  }

  readonly #writeLater = (): void => {
    this.#isScheduled = false;
    this.#write();
  };

  #write(): void {
    while (this.#waiting.length > 0 && this.#writable.writable && !this.#writable.writableNeedDrain) {
      this.#writeNext();
    }
    // What a broken stream no longer holds has not left: whoever learns of the break says so.
    if (!this.#writable.writable || this.congestion !== undefined) return;
    this.#congestion?.resolve();
    this.#congestion = undefined;
  }

  /** The first line, and with it those after it that are short enough. */
  #writeNext(): void {
    const pieces: Buffer[] = [];
    let size = 0;
    for (const line of this.#takeNext()) {
      size += line.size;
      for (const piece of line.pieces) pieces.push(piece);
    }
    this.#bytes -= size;
    const [first] = pieces;
    if (pieces.length === 1 && first !== undefined) this.#writable.write(first);
    else if (size <= GATHERED_BYTES) this.#writable.write(Buffer.concat(pieces, size));
    else this.#writePieces(pieces);
  }

  #takeNext(): readonly Line[] {
    let count = 0;
    let size = 0;
    for (const line of this.#waiting) {
      if (count > 0 && size + line.size > GATHERED_BYTES) break;
      size += line.size;
      count += 1;
    }
    const lines = this.#waiting;
    this.#waiting = count === lines.length ? [] : lines.slice(count);
    return count === lines.length ? lines : lines.slice(0, count);
  }

  #writePieces(pieces: readonly Buffer[]): void {
    this.#writable.cork();
    for (const piece of pieces) this.#writable.write(piece);
    this.#writable.uncork();
  }
}

function sizeOf(pieces: readonly Buffer[]): number {
  let size = 0;
  for (const piece of pieces) size += piece.length;
  return size;
}

function createCongestion(): Congestion {
  const settle = { resolve: () => {}, reject: (_reason: Error) => {} };
  const over = new Promise<void>((resolve, reject) => Object.assign(settle, { resolve, reject }));
  over.catch(() => {});
  return { over, ...settle };
}
