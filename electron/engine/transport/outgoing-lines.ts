import type { Writable } from 'node:stream';
import type { WireMessage } from '../rpc/read-message.ts';
import type { TransportHandlers } from '../rpc/transport.ts';

export interface OutgoingLines {
  /**
   * Queues a line, given in pieces; it is written together with other queued lines once the stream accepts
   * more. Urgent lines go first.
   */
  add(message: WireMessage, line: readonly Buffer[], urgent: boolean): void;
  /** Removes a message that is still queued; returns false if it is not. */
  withdraw(message: WireMessage): boolean;
  /**
   * Set while more than the limit is queued: resolves when it has been written, rejects with the reason given
   * to `abandon`.
   */
  readonly congestion: Promise<void> | undefined;
  /** Bytes waiting to be written. */
  readonly bytes: number;
  /** Passes everything to the stream, even if it is full. */
  flush(): void;
  /** Drops everything; nothing more is written. */
  abandon(reason: Error): void;
}

export interface OutgoingLinesOptions {
  readonly writable: Writable;
  /** Bytes that may be queued before there is congestion, default 4 MiB. */
  readonly limit?: number | undefined;
  /** Returns true if more messages are about to come. */
  readonly isBusy: NonNullable<TransportHandlers['isBusy']>;
}

/**
 * Creates a queue of lines for a stream. Lines that come together are written at once, but never more than
 * the stream accepts.
 */
export function createOutgoingLines(options: OutgoingLinesOptions): OutgoingLines {
  return new OutgoingQueue(options);
}

interface Line {
  readonly message: WireMessage;
  readonly pieces: readonly Buffer[];
  readonly size: number;
}

/** Shared by everybody who waits for the same stream. */
interface Congestion {
  readonly over: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (reason: Error) => void;
}

/** Lines up to this total length are copied together: one write is cheaper than many. */
const GATHERED_BYTES = 64 * 1024;

class OutgoingQueue implements OutgoingLines {
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
    // Messages that arrived together have been read by then, except for calls over HTTP, which come on
    // separate connections.
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
    // Lines that a broken stream dropped were not sent: the code that detects the break reports that.
    if (!this.#writable.writable || this.congestion !== undefined) return;
    this.#congestion?.resolve();
    this.#congestion = undefined;
  }

  /** Writes the first line, together with the following ones that are short enough. */
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
