import type { Readable, Writable } from 'node:stream';
import { type Clock, systemClock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import { createLineFramer, type LineFramer, type OversizeLine } from '../rpc/line-framer.ts';
import { ConnectionClosedError, type JsonRpcMessage, rpcErrorCodes } from '../rpc/message.ts';
import { messageKind } from '../rpc/message-kind.ts';
import type { Transport, TransportHandlers } from '../rpc/transport.ts';
import { identifyMessage } from './identify-message.ts';

export interface StreamTransportOptions {
  /** Where messages come from: a child's stdout, our stdin, a socket. Must not have been given an encoding. */
  readonly readable: Readable;
  /** Where messages go to; may be the same stream. `close` ends it. */
  readonly writable: Writable;
  /** Longest message in bytes, default 64 MiB; the request a longer one belongs to is answered with an error. */
  readonly maxLineBytes?: number;
  readonly clock?: Clock;
}

/**
 * Newline-framed JSON-RPC over a pair of streams. `closed` comes when the readable side has ended, or shortly after
 * the writable side broke: what the other side said before it went is still delivered.
 */
export function createStreamTransport(options: StreamTransportOptions): Transport {
  return new StreamTransport(options);
}

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'open'; readonly handlers: TransportHandlers }
  /** Nothing can be written any more, but what was said last is still being read. */
  | {
      readonly kind: 'mute';
      readonly handlers: TransportHandlers;
      readonly timer: Disposable;
      readonly reason: Error | undefined;
    }
  | { readonly kind: 'closed'; readonly reason: Error | undefined };

/** Senders waiting for a full stream to drain share one of these. */
interface Congestion {
  readonly over: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (reason: Error) => void;
}

const SENT: Promise<void> = Promise.resolve();
const LAST_WORDS_MS = 1000;
const FLUSH_MS = 2000;
const NOISE_CHARACTERS = 4096;

class StreamTransport implements Transport {
  readonly #readable: Readable;
  readonly #writable: Writable;
  readonly #clock: Clock;
  readonly #framer: LineFramer;
  #state: State = { kind: 'idle' };
  #congestion: Congestion | undefined;

  constructor({ readable, writable, maxLineBytes, clock = systemClock }: StreamTransportOptions) {
    this.#readable = readable;
    this.#writable = writable;
    this.#clock = clock;
    this.#framer = createLineFramer({
      ...(maxLineBytes === undefined ? {} : { maxLineBytes }),
      line: (text) => this.#receiveLine(text),
      oversize: (line) => this.#receiveOversize(line),
    });
    // Kept for good: a stream may fail before the start and after the end, and must not take the program with it.
    readable.on('error', (error) => this.#end(error));
    if (!isSame(readable, writable)) writable.on('error', (error) => this.#mute(error));
  }

  async start(handlers: TransportHandlers): Promise<void> {
    if (this.#state.kind !== 'idle') throw this.#notSent('The transport was started or closed before');
    if (!isUsable(this.#readable, this.#writable)) throw this.#notSent('The stream has ended');
    this.#state = { kind: 'open', handlers };
    this.#readable.on('data', (chunk: Buffer) => {
      if (this.#state.kind !== 'closed') this.#framer.push(chunk);
    });
    this.#readable.on('end', () => {
      this.#framer.end();
      this.#end(this.#state.kind === 'mute' ? this.#state.reason : undefined);
    });
    this.#readable.on('close', () => this.#end(undefined));
    this.#writable.on('drain', () => this.#relieve());
    if (!isSame(this.#readable, this.#writable)) this.#writable.on('close', () => this.#mute(undefined));
    // Whoever read a first line left the stream paused.
    this.#readable.resume();
  }

  send(message: JsonRpcMessage): Promise<void> {
    if (this.#state.kind !== 'open' || !this.#writable.writable) {
      return Promise.reject(this.#notSent('The connection is closed'));
    }
    try {
      if (this.#writable.write(lineOf(message))) return SENT;
    } catch (error) {
      return Promise.reject(this.#notSent('The message cannot be written as JSON', error));
    }
    this.#congestion ??= createCongestion();
    return this.#congestion.over;
  }

  /** Resolves when what was sent has left, or two seconds later. */
  async close(): Promise<void> {
    this.#end(undefined);
    await this.#flush();
    if (isSame(this.#readable, this.#writable)) this.#writable.destroy();
  }

  #receiveLine(text: string): void {
    const value = parse(text);
    if (this.#state.kind !== 'open' && this.#state.kind !== 'mute') return;
    // What is wrong with a malformed message is the peer's to judge; the cast only hands it on.
    if (messageKind(value) !== 'noise') this.#state.handlers.message(value as JsonRpcMessage);
    else if (text.trim() !== '') this.#state.handlers.noise?.(excerpt(text));
  }

  /** A request that is part of a line too long to read still gets its outcome. */
  #receiveOversize({ size, limit, head, tail }: OversizeLine): void {
    if (this.#state.kind !== 'open' && this.#state.kind !== 'mute') return;
    const sentence = `A message of ${size} bytes is over the limit of ${limit} bytes`;
    const found = identifyMessage(head, tail);
    const data = { size, limit };
    if (found?.kind === 'answer') {
      const error = { code: rpcErrorCodes.internalError, message: sentence, data };
      this.#state.handlers.message({ jsonrpc: '2.0', id: found.id, error });
    } else if (found?.kind === 'request') {
      const error = { code: rpcErrorCodes.invalidRequest, message: sentence, data };
      this.send({ jsonrpc: '2.0', id: found.id, error }).catch(() => {});
    }
    if (this.#state.kind === 'open' || this.#state.kind === 'mute') {
      this.#state.handlers.noise?.(`${sentence}; it begins with: ${head}`);
    }
  }

  #relieve(): void {
    this.#congestion?.resolve();
    this.#congestion = undefined;
  }

  #mute(reason: Error | undefined): void {
    if (this.#state.kind === 'idle') this.#end(reason);
    if (this.#state.kind !== 'open') return;
    const timer = this.#clock.after(LAST_WORDS_MS, () => this.#end(reason));
    this.#state = { kind: 'mute', handlers: this.#state.handlers, timer, reason };
    this.#abandonSenders();
  }

  #end(reason: Error | undefined): void {
    const before = this.#state;
    if (before.kind === 'closed') return;
    this.#state = { kind: 'closed', reason };
    this.#abandonSenders();
    if (before.kind === 'mute') before.timer.dispose();
    if (before.kind !== 'idle') before.handlers.closed(reason);
  }

  #abandonSenders(): void {
    this.#congestion?.reject(new ConnectionClosedError('The connection closed while sending', true));
    this.#congestion = undefined;
  }

  #flush(): Promise<void> {
    if (this.#writable.destroyed || this.#writable.writableFinished) return SENT;
    return new Promise((resolve) => {
      const timer = this.#clock.after(FLUSH_MS, resolve);
      this.#writable.once('close', () => {
        timer.dispose();
        resolve();
      });
      this.#writable.end(() => {
        timer.dispose();
        resolve();
      });
    });
  }

  #notSent(message: string, error?: unknown): ConnectionClosedError {
    const cause = error ?? (this.#state.kind === 'closed' ? this.#state.reason : undefined);
    return new ConnectionClosedError(message, false, cause === undefined ? {} : { cause });
  }
}

/**
 * U+2028 and U+2029 are legal in JSON, but readers that split at them exist; escaped they mean the same. The search
 * costs nothing where a string holds no such character.
 */
function lineOf(message: JsonRpcMessage): string {
  const text = JSON.stringify(message);
  if (!text.includes('\u2028') && !text.includes('\u2029')) return `${text}\n`;
  return `${text.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function excerpt(text: string): string {
  if (text.length <= NOISE_CHARACTERS) return text;
  return `${text.slice(0, NOISE_CHARACTERS)}… (${text.length} characters)`;
}

function createCongestion(): Congestion {
  const settle = { resolve: () => {}, reject: (_reason: Error) => {} };
  const over = new Promise<void>((resolve, reject) => Object.assign(settle, { resolve, reject }));
  over.catch(() => {});
  return { over, ...settle };
}

function isUsable(readable: Readable, writable: Writable): boolean {
  return writable.writable && !readable.readableEnded && !readable.destroyed;
}

function isSame(readable: Readable, writable: Writable): boolean {
  return (readable as unknown) === writable;
}
