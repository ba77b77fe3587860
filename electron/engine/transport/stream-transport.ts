import type { Readable, Writable } from 'node:stream';
import { type Clock, every, systemClock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import { readPieces } from '../rpc/byte-message.ts';
import { createByteFramer, type LineFramer, type OversizeLine } from '../rpc/line-framer.ts';
import { readLongAnswer } from '../rpc/long-answer.ts';
import type { Speaker } from '../rpc/mend-envelope.ts';
import { ConnectionClosedError, rpcErrorCodes } from '../rpc/message.ts';
import { lineOf } from '../rpc/object-message.ts';
import { areWholeValues } from '../rpc/odd-message.ts';
import { type Pieces, sizeOf } from '../rpc/pieces.ts';
import { type MessageSource, RawMessage } from '../rpc/raw-message.ts';
import { readMessages, toRaw, type WireMessage } from '../rpc/read-message.ts';
import { SENT, type Transport, type TransportHandlers } from '../rpc/transport.ts';
import { Batches } from './batches.ts';
import { identifyMessage } from './identify-message.ts';
import type { LastAnswers } from './last-answers.ts';
import { onOneLine } from './one-line.ts';
import { OpenRequests } from './open-requests.ts';
import { createOutgoingLines, type OutgoingLines } from './outgoing-lines.ts';
import { SplitMessage } from './split-message.ts';
import { isReadable, isSame } from './stream-pair.ts';
import { failureOf, MessagesAfterText, refusalOfLine } from './unclear-line.ts';
import { Utf8Input } from './utf8-input.ts';

export interface StreamTransportOptions {
  /** Source of messages: a child's stdout, our stdin, a socket. No encoding may be set on it. */
  readonly readable: Readable;
  /** Destination of messages; may be the same stream. `close` ends it. */
  readonly writable: Writable;
  /**
   * Longest message in bytes, default 64 MiB; if a longer one belongs to a request, that is answered with an
   * error.
   */
  readonly maxLineBytes?: number;
  /** Role of the other end, default `client`; see `mendEnvelope`. */
  readonly speaker?: Speaker;
  /**
   * True if the input was already parsed by a program of ours: then only the ends of long results are read.
   */
  readonly isReadBefore?: boolean;
  /** Bytes that may wait to be written before senders have to wait, default 4 MiB. */
  readonly maxWaitingBytes?: number;
  /** Answers requests that arrived before the input ended; by default the transport closes with its input. */
  readonly lastAnswers?: LastAnswers;
  readonly clock?: Clock;
}

/**
 * Creates a transport for newline-delimited JSON-RPC over a pair of streams. `closed` is called when the
 * readable side has ended, or shortly after the writable side broke: messages sent before are still
 * delivered.
 */
export function createStreamTransport(options: StreamTransportOptions): Transport {
  return new StreamTransport(options);
}

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'open'; readonly handlers: TransportHandlers }
  /** The input has ended; the other side still waits for answers. */
  | {
      readonly kind: 'answering';
      readonly handlers: TransportHandlers;
      readonly timers: readonly Disposable[];
    }
  /** Nothing can be written any more, but the last input is still being read. */
  | {
      readonly kind: 'mute';
      readonly handlers: TransportHandlers;
      readonly timer: Disposable;
      readonly reason: Error | undefined;
    }
  | { readonly kind: 'closed'; readonly reason: Error | undefined };

const LAST_WORDS_MS = 1000;
const FLUSH_MS = 2000;
const LOOK_MS = 250;
/** Longest time to stop reading for a slow reader: one that hangs must not block the others. */
const HOLD_MS = 2_000;
/** More bytes than this waiting mean that the reader has stopped; the connection is closed to save memory. */
const DEAF_BYTES = 256 * 1024 * 1024;
const NEWLINE = Buffer.from('\n');
const PAUSE_MS = 20;
const NOISE_CHARACTERS = 4096;
const LONGEST_SPLIT = 64 * 1024 * 1024;

class StreamTransport implements Transport, MessageSource {
  readonly #readable: Readable;
  readonly #writable: Writable;
  readonly #clock: Clock;
  readonly #framer: LineFramer;
  readonly #outgoing: OutgoingLines;
  readonly #isReadBefore: boolean;
  readonly #speaker: Speaker;
  /** Batches from the client. */
  readonly #batches = new Batches();
  readonly #input = new Utf8Input();
  readonly #split: SplitMessage;
  /** The other side writes `Content-Length` before its messages, as language servers do. */
  #hasHeaders = false;
  /** Used for servers only. */
  readonly #afterText: MessagesAfterText | undefined;
  readonly #lastAnswers: LastAnswers | undefined;
  /** Tracked only if remaining requests are answered after the end of the input. */
  readonly #asked: OpenRequests | undefined;
  /** Promises that reading waits for. */
  readonly #holds = new Set<Promise<void>>();
  /** Promises that took too long; reading does not wait for them again. */
  readonly #hopeless = new WeakSet<Promise<void>>();
  #state: State = { kind: 'idle' };
  /** Fires if nothing follows a long message without a newline. */
  #pause: Disposable | undefined;

  constructor(options: StreamTransportOptions) {
    const { readable, writable, maxLineBytes, clock = systemClock } = options;
    this.#readable = readable;
    this.#writable = writable;
    this.#clock = clock;
    this.#outgoing = createOutgoingLines({
      writable,
      limit: options.maxWaitingBytes,
      isBusy: () => this.#state.kind === 'open' && this.#state.handlers.isBusy?.() === true,
    });
    this.#isReadBefore = options.isReadBefore ?? false;
    this.#speaker = options.speaker ?? 'client';
    this.#afterText = this.#speaker === 'server' ? new MessagesAfterText() : undefined;
    this.#lastAnswers = options.lastAnswers;
    this.#asked = options.lastAnswers && new OpenRequests();
    const giveUp = (lines: Buffer) => this.#receiveUnclear(lines);
    this.#split = new SplitMessage({ clock, maxBytes: maxLineBytes ?? LONGEST_SPLIT, giveUp });
    this.#framer = createByteFramer({
      ...(maxLineBytes === undefined ? {} : { maxLineBytes }),
      line: (line) => this.#receiveLine(line),
      isWhole: (bytes) => areWholeValues(bytes) || this.#split.isEndedBy(bytes),
      longLine: (pieces) => this.#receiveLong(pieces),
      oversize: (line) => this.#receiveOversize(line),
    });
    // Stays attached: a stream may fail before the start and after the end, and must not crash the program.
    readable.on('error', (error) => this.#end(error));
    if (!isSame(readable, writable)) writable.on('error', (error) => this.#mute(error));
  }

  async start(handlers: TransportHandlers): Promise<void> {
    if (this.#state.kind !== 'idle') throw this.#notSent('The transport has already been started or closed');
    if (!isReadable(this.#readable)) throw this.#notSent('The stream has ended');
    this.#state = { kind: 'open', handlers };
    this.#readable.on('data', (chunk: Buffer) => {
      if (this.#state.kind !== 'closed') this.#receiveChunk(this.#input.read(chunk));
    });
    this.#readable.on('end', () => {
      this.#framer.push(this.#input.end());
      this.#framer.end();
      this.#split.abandon();
      if (this.#lastAnswers !== undefined && this.#state.kind === 'open') this.#answerLast(this.#lastAnswers);
      else this.#end(this.#state.kind === 'mute' ? this.#state.reason : undefined);
    });
    this.#readable.on('close', () => {
      if (this.#state.kind !== 'answering') this.#end(undefined);
    });
    if (!isSame(this.#readable, this.#writable)) this.#writable.on('close', () => this.#mute(undefined));
    // Reads the last output of a program that ended before anything could be sent to it.
    if (!this.#writable.writable) this.#mute(undefined);
    // Reading a first line leaves the stream paused.
    this.#readable.resume();
  }

  get congestion(): Promise<void> | undefined {
    return this.#outgoing.congestion;
  }

  send(message: WireMessage, _relatedTo?: unknown, urgent = false): Promise<void> {
    if (!this.#isOpen || !this.#writable.writable) {
      return Promise.reject(this.#notSent('The connection is closed'));
    }
    try {
      const line = message instanceof RawMessage ? message.pieces() : [lineOf(message)];
      this.#write(message, line, urgent);
      this.#asked?.told(message);
      this.#afterText?.sent(message);
    } catch (error) {
      return Promise.reject(this.#notSent('The message cannot be written as JSON', error));
    }
    if (this.#outgoing.bytes > DEAF_BYTES) this.#end(new Error('The other side is not reading its input'));
    if (this.#state.kind === 'answering') this.#endOnceAnswered();
    return this.#outgoing.congestion ?? SENT;
  }

  /** Writes a message; an answer of a batch waits for the others. */
  #write(message: WireMessage, line: Pieces, urgent: boolean): void {
    const written = this.#batches.lineFor(message, line);
    if (written === undefined) return;
    const isHeaded = this.#hasHeaders && this.#speaker === 'client';
    this.#outgoing.add(message, isHeaded ? withHeader(written) : written, urgent);
  }

  withdraw(message: WireMessage): boolean {
    return this.#outgoing.withdraw(message);
  }

  hold(until: Promise<void>): void {
    if (this.#holds.has(until) || this.#hopeless.has(until)) return;
    this.#holds.add(until);
    this.#readable.pause();
    const release = () => {
      patience.dispose();
      if (this.#holds.delete(until) && this.#holds.size === 0) this.#readable.resume();
    };
    const patience = this.#clock.after(HOLD_MS, () => {
      this.#hopeless.add(until);
      release();
    });
    until.then(release, release);
  }

  /** Resolves when everything has been written, or after two seconds. */
  async close(): Promise<void> {
    if (this.#isOpen) this.#outgoing.flush();
    this.#end(undefined);
    await this.#flush();
    if (isSame(this.#readable, this.#writable)) this.#writable.destroy();
  }

  get #isOpen(): boolean {
    return this.#state.kind === 'open' || this.#state.kind === 'answering';
  }

  #answerLast({ patience, isGone = () => false }: LastAnswers): void {
    if (this.#state.kind !== 'open') return;
    const { handlers } = this.#state;
    const timers = [
      this.#clock.after(patience, () => this.#refuseLast(patience)),
      every(this.#clock, LOOK_MS, () => {
        if (isGone()) this.#end(new Error('The other side has gone'));
      }),
    ];
    this.#state = { kind: 'answering', handlers, timers };
    this.#endOnceAnswered();
  }

  /** Ends after the last answer has been written, which a slow reader may delay. */
  #endOnceAnswered(): void {
    if (this.#asked?.isEmpty === false) return;
    this.#outgoing.flush();
    this.#writable.write('', () => this.#end(undefined));
  }

  #refuseLast(patience: number): void {
    const sentence = `No answer came within ${patience / 1000} s after the end of the input`;
    const error = { code: rpcErrorCodes.internalError, message: sentence };
    for (const id of this.#asked?.all() ?? []) this.send({ jsonrpc: '2.0', id, error }).catch(() => {});
    // Ends the connection even if the answers cannot be written.
    this.#clock.after(LAST_WORDS_MS, () => this.#end(undefined));
  }

  #receiveChunk(chunk: Buffer): void {
    this.#pause?.dispose();
    this.#framer.push(chunk);
    this.#pause = this.#framer.mayBeWhole
      ? this.#clock.after(PAUSE_MS, () => this.#framer.endWhole())
      : undefined;
  }

  #receiveLong(pieces: readonly Buffer[]): boolean {
    if (this.#state.kind !== 'open' && this.#state.kind !== 'mute') return true;
    const known = this.#isReadBefore ? readLongAnswer(pieces, this) : undefined;
    const message = known ?? readPieces(pieces, this);
    if (message === undefined) return false;
    this.#split.abandon();
    this.#hear(message);
    return true;
  }

  /** Delivers one message; any of several may end the connection. */
  #hear(message: RawMessage): void {
    if (this.#state.kind !== 'open' && this.#state.kind !== 'mute') return;
    this.#asked?.heard(message);
    const answers = message.method === undefined ? undefined : this.#batches.heard(message);
    if (answers !== undefined) this.#outgoing.add(message, answers, false);
    this.#state.handlers.message(message);
  }

  #receiveLine(line: Buffer): void {
    if (this.#state.kind !== 'open' && this.#state.kind !== 'mute') return;
    const messages = this.#messagesOf(line);
    if (messages.length === 0) {
      this.#receivePart(line);
      return;
    }
    this.#split.abandon();
    for (const message of messages) this.#hear(message);
  }

  #messagesOf(line: Buffer): readonly RawMessage[] {
    const batch = this.#speaker === 'client' ? this.#batches.read(line, this) : undefined;
    return batch ?? readMessages(line, this.#speaker, this);
  }

  #receivePart(line: Buffer): void {
    if (isHeader(line)) {
      this.#hasHeaders = true;
      this.#split.abandon();
      return;
    }
    const ended = this.#split.add(line);
    if (ended === undefined) this.#receiveUnclear(line);
    if (ended === undefined || ended === 'part') return;
    const messages = this.#messagesOf(onOneLine(Buffer.from(ended.whole)));
    for (const message of messages) this.#hear(message);
    if (messages.length === 0) this.#receiveUnclear(Buffer.concat([ended.whole, NEWLINE]));
    if (ended.rest.length > 0) this.#receiveLine(ended.rest);
  }

  /** Handles other output of a program, which may end with a message, or a message that cannot be read. */
  #receiveUnclear(line: Buffer): void {
    if (this.#speaker === 'client') this.#refuseLine(line);
    const found = this.#afterText?.read(line, this);
    const failure = found === undefined ? failureOf(line) : undefined;
    const text = found?.text ?? line.toString('utf8').trimEnd();
    if (text.trim() !== '' && 'handlers' in this.#state) this.#state.handlers.noise?.(excerpt(text));
    if (found !== undefined) this.#hear(found.message);
    else if (failure !== undefined) this.#hear(toRaw(failure));
  }

  /** Answers every invalid line of a client with an error. */
  #refuseLine(line: Buffer): void {
    const refusal = refusalOfLine(line);
    if (refusal !== undefined) this.send(refusal).catch(() => {});
  }

  /** Answers a request that is part of a line too long to read. */
  #receiveOversize({ size, limit, head, tail }: OversizeLine): void {
    if (this.#state.kind !== 'open' && this.#state.kind !== 'mute') return;
    const sentence = `A message of ${size} bytes exceeds the limit of ${limit} bytes`;
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

  #mute(reason: Error | undefined): void {
    // Nothing more can be received either.
    if (this.#state.kind === 'idle' || this.#state.kind === 'answering') this.#end(reason);
    if (this.#state.kind !== 'open') return;
    // Reads input that has already arrived: in a busy program, timers fire before streams.
    const timer = this.#clock.after(LAST_WORDS_MS, () => setImmediate(() => this.#end(reason)));
    this.#state = { kind: 'mute', handlers: this.#state.handlers, timer, reason };
    this.#abandonSenders();
  }

  #end(reason: Error | undefined): void {
    const before = this.#state;
    if (before.kind === 'closed') return;
    this.#state = { kind: 'closed', reason };
    this.#abandonSenders();
    if (before.kind === 'mute') before.timer.dispose();
    if (before.kind === 'answering') for (const timer of before.timers) timer.dispose();
    if (before.kind !== 'idle') before.handlers.closed(reason);
  }

  #abandonSenders(): void {
    this.#outgoing.abandon(new ConnectionClosedError('The connection closed while sending', true));
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
 * Matches `Content-Length: 120` and the headers next to it. The length is ignored: a message shows its own
 * end.
 */
function isHeader(line: Buffer): boolean {
  return line.length < LONGEST_HEADER && header.test(line.toString('latin1'));
}

const header = /^content-(?:length:\s{0,8}\d{1,12}|type:[^\r\n]{0,120})\s{0,4}$/i;
const LONGEST_HEADER = 160;

function withHeader(line: Pieces): Pieces {
  return [Buffer.from(`Content-Length: ${sizeOf(line)}\r\n\r\n`), ...line];
}

function excerpt(text: string): string {
  if (text.length <= NOISE_CHARACTERS) return text;
  return `${text.slice(0, NOISE_CHARACTERS)}… (${text.length} characters)`;
}
