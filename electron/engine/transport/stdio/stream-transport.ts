import type { Readable, Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { type Clock, every, systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
import { createByteFramer, type LineFramer, type OversizeLine } from '../../jsonrpc/json/line-framer.ts';
import { areCompleteValues, textBehindValues, withoutStrayMarks } from '../../jsonrpc/lenient-message.ts';
import { ConnectionClosedError, rpcErrorCodes } from '../../jsonrpc/message.ts';
import { lineOf } from '../../jsonrpc/object-message.ts';
import { type MessageSource, RawMessage } from '../../jsonrpc/raw-message.ts';
import { readMessages, toRaw, type WireMessage } from '../../jsonrpc/read-message.ts';
import type { MessageSender } from '../../jsonrpc/repair-envelope.ts';
import { readResultStart } from '../../jsonrpc/result-start.ts';
import type { Transport, TransportHandlers } from '../../jsonrpc/transport.ts';
import { toOneLine } from '../one-line.ts';
import { Utf8Input } from '../utf8-input.ts';
import { Batches } from './batches.ts';
import type { DrainOptions } from './drain-options.ts';
import { identifyMessage } from './identify-message.ts';
import { failureForLine, MessagesAfterText, refusalForLine } from './invalid-line.ts';
import { isEcho } from './is-echo.ts';
import { OpenRequests } from './open-requests.ts';
import { createOutgoingLines, type OutgoingLines } from './outgoing-lines.ts';
import { SplitMessage } from './split-message.ts';
import { isReadable, isSame } from './stream-pair.ts';

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
  /** Role of the other end, default `client`; see `repairEnvelope`. */
  readonly speaker?: MessageSender;
  /** The other end is a program of ours, which has read all that it sends: results are not read again. */
  readonly isReadBefore?: boolean;
  /** Bytes that may wait to be written before senders have to wait, default 4 MiB. */
  readonly maxWaitingBytes?: number;
  /** Answers requests that arrived before the input ended; by default the transport closes with its input. */
  readonly drain?: DrainOptions;
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

const FINAL_READ_MS = 1000;
const FLUSH_MS = 2000;
const PEER_CHECK_MS = 250;
/** Longest time to stop reading for a slow reader: one that hangs must not block the others. */
const MAX_HOLD_MS = 2_000;
/** More bytes than this waiting mean that the reader has stopped; the connection is closed to save memory. */
const MAX_UNREAD_BYTES = 256 * 1024 * 1024;
const NEWLINE = Buffer.from('\n');
/** Bytes that may end a line: a carriage return and a newline. */
const MAX_LINE_END = 2;
const MESSAGE_PAUSE_MS = 20;
/** Most bytes of text before a message on its line: a progress bar may be written without a newline. */
const MAX_NOISE_BYTES = 1024 * 1024;
const MAX_NOISE_CHARACTERS = 4096;
const MAX_SPLIT_BYTES = 64 * 1024 * 1024;

class StreamTransport implements Transport, MessageSource {
  readonly #readable: Readable;
  readonly #writable: Writable;
  readonly #clock: Clock;
  readonly #framer: LineFramer;
  readonly #outgoing: OutgoingLines;
  readonly #speaker: MessageSender;
  readonly #isReadBefore: boolean;
  /** Batches from the client. */
  readonly #batches = new Batches();
  readonly #input = new Utf8Input();
  readonly #split: SplitMessage;
  /** The other side writes `Content-Length` before its messages, as language servers do. */
  #hasHeaders = false;
  /** Used for servers only. */
  readonly #afterText: MessagesAfterText | undefined;
  readonly #drain: DrainOptions | undefined;
  /** Tracked only if remaining requests are answered after the end of the input. */
  readonly #openRequests: OpenRequests | undefined;
  /** Promises that reading waits for. */
  readonly #holds = new Set<Promise<void>>();
  /** Promises that took too long; reading does not wait for them again. */
  readonly #ignoredHolds = new WeakSet<Promise<void>>();
  #state: State = { kind: 'idle' };
  /** Fires if nothing follows a long message without a newline. */
  #pauseTimer: Disposable | undefined;

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
    this.#speaker = options.speaker ?? 'client';
    this.#isReadBefore = options.isReadBefore ?? false;
    this.#afterText = this.#speaker === 'server' ? new MessagesAfterText() : undefined;
    this.#drain = options.drain;
    this.#openRequests = options.drain && new OpenRequests();
    const giveUp = (lines: Buffer) => this.#receiveInvalid(lines);
    this.#split = new SplitMessage({ clock, maxBytes: maxLineBytes ?? MAX_SPLIT_BYTES, giveUp });
    this.#framer = createByteFramer({
      ...(maxLineBytes === undefined ? {} : { maxLineBytes }),
      maxNoiseBytes: MAX_NOISE_BYTES,
      line: (line) => this.#receiveLine(this.#speaker === 'server' ? withoutTerminalSequences(line) : line),
      isComplete: (bytes) => areCompleteValues(bytes) || this.#split.isEndedBy(bytes),
      oversize: (line) => this.#receiveOversize(line),
    });
    // Stays attached: a stream may fail before the start and after the end, and must not crash the program.
    readable.on('error', (error) => this.#end(error));
    if (!isSame(readable, writable)) writable.on('error', (error) => this.#stopWriting(error));
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
      if (this.#drain !== undefined && this.#state.kind === 'open') this.#startDraining(this.#drain);
      else this.#end(this.#state.kind === 'mute' ? this.#state.reason : undefined);
    });
    this.#readable.on('close', () => {
      if (this.#state.kind !== 'answering') this.#end(undefined);
    });
    if (!isSame(this.#readable, this.#writable))
      this.#writable.on('close', () => this.#stopWriting(undefined));
    // Reads the last output of a program that ended before anything could be sent to it.
    if (!this.#writable.writable) this.#stopWriting(undefined);
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
      const line = message instanceof RawMessage ? message.line() : lineOf(message);
      this.#write(message, line, urgent);
      this.#openRequests?.sent(message);
      this.#afterText?.sent(message);
    } catch (error) {
      return Promise.reject(this.#notSent('The message cannot be written as JSON', error));
    }
    if (this.#outgoing.bytes > MAX_UNREAD_BYTES)
      this.#end(new Error('The other side is not reading its input'));
    if (this.#state.kind === 'answering') this.#endWhenAnswered();
    return this.#outgoing.congestion ?? Promise.resolve();
  }

  /** Writes a message; an answer of a batch waits for the others. */
  #write(message: WireMessage, line: Buffer, urgent: boolean): void {
    const written = this.#batches.lineFor(message, line);
    if (written === undefined) return;
    const isHeaded = this.#hasHeaders && this.#speaker === 'client';
    this.#outgoing.add(message, isHeaded ? withHeader(written) : written, urgent);
  }

  withdraw(message: WireMessage): boolean {
    return this.#outgoing.withdraw(message);
  }

  pauseUntil(until: Promise<void>): void {
    if (this.#holds.has(until) || this.#ignoredHolds.has(until)) return;
    this.#holds.add(until);
    this.#readable.pause();
    const release = () => {
      timeoutMs.dispose();
      if (this.#holds.delete(until) && this.#holds.size === 0) this.#readable.resume();
    };
    const timeoutMs = this.#clock.after(MAX_HOLD_MS, () => {
      this.#ignoredHolds.add(until);
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

  #startDraining({ timeoutMs, isPeerGone = () => false }: DrainOptions): void {
    if (this.#state.kind !== 'open') return;
    const { handlers } = this.#state;
    const timers = [
      this.#clock.after(timeoutMs, () => this.#refuseOpenRequests(timeoutMs)),
      every(this.#clock, PEER_CHECK_MS, () => {
        if (isPeerGone()) this.#end(new Error('The other side has gone'));
      }),
    ];
    this.#state = { kind: 'answering', handlers, timers };
    this.#endWhenAnswered();
  }

  /** Ends after the last answer has been written, which a slow reader may delay. */
  #endWhenAnswered(): void {
    if (this.#openRequests?.isEmpty === false) return;
    this.#outgoing.flush();
    this.#writable.write('', () => this.#end(undefined));
  }

  #refuseOpenRequests(timeoutMs: number): void {
    const sentence = `No answer came within ${timeoutMs / 1000} s after the end of the input`;
    const error = { code: rpcErrorCodes.internalError, message: sentence };
    for (const id of this.#openRequests?.all() ?? [])
      this.send({ jsonrpc: '2.0', id, error }).catch(() => {});
    // Ends the connection even if the answers cannot be written.
    this.#clock.after(FINAL_READ_MS, () => this.#end(undefined));
  }

  #receiveChunk(chunk: Buffer): void {
    this.#pauseTimer?.dispose();
    this.#framer.push(chunk);
    this.#pauseTimer = this.#framer.mayBeComplete
      ? this.#clock.after(MESSAGE_PAUSE_MS, () => this.#framer.flushComplete())
      : undefined;
  }

  /** Delivers one message; any of several may end the connection. */
  #deliver(message: RawMessage): void {
    if (this.#state.kind !== 'open' && this.#state.kind !== 'mute') return;
    if (this.#speaker === 'server' && isEcho(message)) return;
    this.#openRequests?.received(message);
    const answers = message.method === undefined ? undefined : this.#batches.received(message);
    if (answers !== undefined) this.#outgoing.add(message, answers, false);
    this.#state.handlers.message(message);
  }

  #receiveLine(line: Buffer): void {
    if (this.#state.kind !== 'open' && this.#state.kind !== 'mute') return;
    const messages = this.#messagesOf(line);
    if (messages.length === 0) {
      const clean = withoutStrayMarks(line);
      if (clean !== line && this.#messagesOf(clean).length > 0) this.#receiveLine(clean);
      else this.#receivePart(line);
      return;
    }
    this.#split.abandon();
    for (const message of messages) this.#deliver(message);
    const [first] = messages;
    // A message that is not its whole line may have others behind it.
    if (this.#afterText !== undefined && (first?.byteLength ?? 0) < line.length - MAX_LINE_END)
      this.#receiveBehind(line);
  }

  #receiveBehind(line: Buffer): void {
    const from = textBehindValues(line);
    const found = from === undefined ? undefined : this.#afterText?.read(line, this, from);
    for (const message of found?.messages ?? []) this.#deliver(message);
  }

  #messagesOf(line: Buffer): readonly RawMessage[] {
    const result = this.#isReadBefore ? readResultStart(line, this) : undefined;
    if (result !== undefined) return [result];
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
    if (ended === undefined) this.#receiveInvalid(line);
    if (ended === undefined || ended === 'part') return;
    const messages = this.#messagesOf(toOneLine(Buffer.from(ended.whole)));
    for (const message of messages) this.#deliver(message);
    if (messages.length === 0) this.#receiveInvalid(Buffer.concat([ended.whole, NEWLINE]));
    if (ended.rest.length > 0) this.#receiveLine(ended.rest);
  }

  /** Handles other output of a program, which may end with a message, or a message that cannot be read. */
  #receiveInvalid(line: Buffer): void {
    if (this.#speaker === 'client') this.#refuseLine(line);
    const found = this.#afterText?.read(line, this);
    const failure = found === undefined ? failureForLine(line) : undefined;
    const text = found?.text ?? line.toString('utf8').trimEnd();
    if (text.trim() !== '' && 'handlers' in this.#state) this.#state.handlers.noise?.(excerpt(text));
    for (const message of found?.messages ?? []) this.#deliver(message);
    if (failure !== undefined) this.#deliver(toRaw(failure));
  }

  /** Answers every invalid line of a client with an error. */
  #refuseLine(line: Buffer): void {
    const refusal = refusalForLine(line);
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

  #stopWriting(reason: Error | undefined): void {
    // Nothing more can be received either.
    if (this.#state.kind === 'idle' || this.#state.kind === 'answering') this.#end(reason);
    if (this.#state.kind !== 'open') return;
    // Reads input that has already arrived: in a busy program, timers fire before streams.
    const timer = this.#clock.after(FINAL_READ_MS, () => setImmediate(() => this.#end(reason)));
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
    if (this.#writable.destroyed || this.#writable.writableFinished) return Promise.resolve();
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
  return line.length < MAX_HEADER_LENGTH && header.test(line.toString('latin1'));
}

const header = /^content-(?:length:\s{0,8}\d{1,12}|type:[^\r\n]{0,120})\s{0,4}$/i;
const MAX_HEADER_LENGTH = 160;

function withHeader(line: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`Content-Length: ${line.length}\r\n\r\n`), line]);
}

function excerpt(text: string): string {
  if (text.length <= MAX_NOISE_CHARACTERS) return text;
  return `${text.slice(0, MAX_NOISE_CHARACTERS)}… (${text.length} characters)`;
}

/** Removes colours and other terminal sequences. JSON never contains the byte that begins them. */
function withoutTerminalSequences(line: Buffer): Buffer {
  return line.includes(ESCAPE) ? Buffer.from(stripVTControlCharacters(line.toString('utf8'))) : line;
}

const ESCAPE = 0x1b;
