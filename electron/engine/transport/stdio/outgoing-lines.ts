import type { Writable } from 'node:stream';
import { joined } from '../../base/joined.ts';
import type { WireMessage } from '../../jsonrpc/read-message.ts';
import type { TransportHandlers } from '../../jsonrpc/transport.ts';

export interface OutgoingLines {
  /**
   * Queues a line; it is written together with other queued lines once the stream accepts more. Urgent lines
   * go first.
   */
  add(message: WireMessage, line: Buffer, urgent: boolean): void;
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
  readonly bytes: Buffer;
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

  add(message: WireMessage, bytes: Buffer, urgent: boolean): void {
    const line = { message, bytes };
    if (urgent) this.#waiting.unshift(line);
    else this.#waiting.push(line);
    this.#bytes += bytes.length;
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
    this.#bytes -= line.bytes.length;
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
    const bytes = joined(this.#takeNext());
    this.#bytes -= bytes.length;
    this.#writable.write(bytes);
  }

  #takeNext(): readonly Buffer[] {
    let size = 0;
    let count = 0;
    for (const { bytes } of this.#waiting) {
      size += bytes.length;
      if (count > 0 && size > GATHERED_BYTES) break;
      count += 1;
    }
    return this.#waiting.splice(0, count).map(({ bytes }) => bytes);
  }
}

function createCongestion(): Congestion {
  const settle = { resolve: () => {}, reject: (_reason: Error) => {} };
  const over = new Promise<void>((resolve, reject) => Object.assign(settle, { resolve, reject }));
  over.catch(() => {});
  return { over, ...settle };
}
