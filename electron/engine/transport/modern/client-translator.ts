import { isRecord } from '../../../../shared/json.ts';
import { logLevelIndex, logLevels } from '../../../../shared/model/server/log-levels.ts';
import type { Clock } from '../../base/clock.ts';
import { TransientMap } from '../../base/transient-map.ts';
import type { MemberEdit } from '../../jsonrpc/json/edit-json.ts';
import {
  ConnectionClosedError,
  type JsonRpcErrorObject,
  type JsonRpcId,
  rpcErrorCodes,
} from '../../jsonrpc/message.ts';
import { toOwnId } from '../../jsonrpc/message-kind.ts';
import type { RawMessage } from '../../jsonrpc/raw-message.ts';
import { toRaw, type WireMessage } from '../../jsonrpc/read-message.ts';
import type { Transport, TransportHandlers } from '../../jsonrpc/transport.ts';
import { type Call, endWithError, sendError, sendResult, type Waiting } from './client-call.ts';
import type { ClientChannel } from './client-channel.ts';
import { ClientInitialization, discoverResult } from './client-initialization.ts';
import { ClientListens } from './client-listens.ts';
import { ClientQuestions, missingError } from './client-questions.ts';
import { toModernError, toModernResult, urlQuestions } from './client-result.ts';
import { ClientTasks } from './client-tasks.ts';
import { editMessage, jsonBytes, stampMeta, withoutReserved } from './edit-message.ts';
import { type Envelope, readEnvelope } from './envelope.ts';
import { askingMethods, hopKeys, modernMethods } from './protocol.ts';
import { relationOf } from './related-transport.ts';
import { declaresTasks, taskMethods, tasksNotDeclared } from './task-shapes.ts';

/** A request of the client that is being answered; undefined once it is. */
export interface ClientRequestHandle {
  /** Stops it because the client does not wait any more. */
  cancel(reason?: unknown): void;
}

export interface ClientTranslatorOptions {
  readonly clock: Clock;
  /** Set while the client reads too slowly, see {@link Transport.congestion}. Left out if its pipe tells. */
  readonly congestion?: (() => Promise<void> | undefined) | undefined;
}

/**
 * Serves a client of the stateless protocol through one session: initializes the session for it, takes the
 * envelope off its requests, and turns the session's requests into `input_required`. Such a call is parked
 * until the client comes back with the answers. Everything is bound to the session, and with that to its
 * token or program.
 */
export class ClientTranslator implements Transport {
  readonly #congestion: (() => Promise<void> | undefined) | undefined;
  readonly #listens = new ClientListens((method, uri) => this.#ask(method, { uri }));
  readonly #initialization: ClientInitialization;
  readonly #questions: ClientQuestions;
  readonly #tasks: ClientTasks;
  readonly #calls = new TransientMap<number, Call>();
  /** Requests of our own in the session, with what to do with the answer. */
  readonly #own = new Map<number, (answer: RawMessage) => void>();
  #handlers: TransportHandlers | undefined;
  #lastId = firstId;
  #logLevel = Number.POSITIVE_INFINITY;
  #isClosed = false;

  constructor({ clock, congestion }: ClientTranslatorOptions) {
    this.#congestion = congestion;
    const answer = (message: WireMessage) => this.#handlers?.message(message);
    this.#initialization = new ClientInitialization({
      ask: (method, params, onAnswer) => this.#ask(method, params, onAnswer),
      confirm: () => answer(toRaw({ jsonrpc: '2.0', method: 'notifications/initialized' })),
    });
    this.#questions = new ClientQuestions({
      clock,
      answer,
      abandon: (call) => this.#abandon(call, 'The client did not return'),
    });
    this.#tasks = new ClientTasks({
      clock,
      ask: (method, params, onAnswer) => this.#ask(method, params, onAnswer),
      answer,
    });
  }

  get congestion(): Promise<void> | undefined {
    return this.#congestion?.();
  }

  /** True while nothing of the client's is open. */
  get isIdle(): boolean {
    const { size } = this.#calls;
    return size + this.#questions.size + this.#listens.size + this.#tasks.size === 0;
  }

  /** Tells whether a message of the session answers a request that came through here. */
  isAnswered({ method, id }: RawMessage): boolean {
    const number = toOwnId(id) ?? 0;
    return method === undefined && number > firstId && number <= this.#lastId;
  }

  async start(handlers: TransportHandlers): Promise<void> {
    this.#handlers = handlers;
  }

  /** Takes a message of the session. */
  async send(wire: WireMessage, relatedTo?: JsonRpcId): Promise<void> {
    if (this.#isClosed) throw new ConnectionClosedError('The connection is closed', false);
    const message = toRaw(wire);
    const related = relatedTo ?? (message.method === undefined ? undefined : relationOf(message));
    switch (message.kind) {
      case 'result':
      case 'failure':
        return this.#onAnswer(message);
      case 'request':
        return this.#onQuestion(message, related);
      default:
        return this.#onNotification(message, related);
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#listens.close();
    this.#tasks.close();
    for (const call of this.#calls.values()) {
      call.batch?.dispose();
      endWithError(call, closedError);
    }
    this.#questions.close();
    this.#calls.clear();
    for (const [id, onAnswer] of this.#own) onAnswer(closedAnswer(id));
    this.#own.clear();
    this.#handlers?.closed();
  }

  /**
   * Takes a request of the client; its answer and everything about it go to the channel. `envelope` is left out if
   * nobody has read it yet.
   */
  request(
    message: RawMessage,
    channel: ClientChannel,
    envelope = readEnvelope(message),
  ): ClientRequestHandle | undefined {
    const { method = '' } = message;
    const waiting = { request: message, channel };
    const refuse = (error: JsonRpcErrorObject) => void sendError(waiting, error);
    if (this.#isClosed) return refuse(closedError);
    if ('error' in envelope) return refuse(envelope.error);
    if (!modernMethods.has(method))
      return refuse({ code: rpcErrorCodes.methodNotFound, message: `Method not found: ${method}` });
    if (method === 'server/discover') return void this.#discover(waiting, envelope);
    if (method === 'subscriptions/listen') return this.#listen(message, waiting, envelope);
    if (taskMethods.has(method)) return this.#aboutTask(message, waiting, envelope);
    const requestState = askingMethods.has(method) ? stateOf(message) : undefined;
    if (requestState !== undefined && requestState !== null)
      return this.#resume(message, requestState, waiting, envelope);
    return this.#begin(message, waiting, envelope);
  }

  /** Initializes the session for the client of this request; undefined if it is initialized already. */
  prepare(message: RawMessage): Promise<void> | undefined {
    return this.#initialization.done === undefined ? this.#initialization.prepare(message) : undefined;
  }

  #begin(message: RawMessage, waiting: Waiting, envelope: Envelope): ClientRequestHandle {
    const { method = '' } = message;
    const call: Call = {
      method,
      innerId: 0,
      waiting,
      envelope,
      round: 0,
      keys: 0,
      questions: [],
      missing: undefined,
      parked: undefined,
      batch: undefined,
    };
    void this.#run(call);
    return { cancel: (reason) => this.#cancel(call, waiting, reason) };
  }

  async #run(call: Call): Promise<void> {
    const outcome = this.#initialization.done ?? (await this.#initialization.run(call.envelope));
    const { waiting, envelope, round } = call;
    if (waiting === undefined) return;
    if ('error' in outcome) return endWithError(call, outcome.error);
    this.#raiseLogLevel(envelope);
    call.innerId = this.#nextId();
    this.#calls.set(call.innerId, call);
    const request = round === 0 ? waiting.request : withoutAnswers(waiting.request);
    this.#handlers?.message(innerRequest(request, envelope, call.innerId));
  }

  #aboutTask(message: RawMessage, waiting: Waiting, envelope: Envelope): ClientRequestHandle | undefined {
    const outcome = this.#tasks.request(message, envelope);
    if (outcome === 'forward') return this.#begin(message, waiting, envelope);
    void outcome.then((answer) => {
      if ('error' in answer) sendError(waiting, answer.error, answer.received);
      else sendResult(waiting, answer.result);
    });
    return undefined;
  }

  async #discover(waiting: Waiting, envelope: Envelope): Promise<void> {
    const outcome = await this.#initialization.run(envelope);
    if ('error' in outcome) sendError(waiting, outcome.error);
    else sendResult(waiting, discoverResult(outcome.result));
  }

  #listen(message: RawMessage, waiting: Waiting, envelope: Envelope): ClientRequestHandle {
    let end: (() => void) | undefined;
    let isCancelled = false;
    const open = async () => {
      const outcome = await this.#initialization.run(envelope);
      if (isCancelled) return;
      if ('error' in outcome) return sendError(waiting, outcome.error);
      if (this.#listens.size >= maxListens)
        return sendError(waiting, { code: rpcErrorCodes.internalError, message: tooManyListens });
      const notifications = message.params?.notifications;
      const wantsTasks = isRecord(notifications) && notifications.taskIds !== undefined;
      if (wantsTasks && !declaresTasks(envelope.capabilities))
        return sendError(waiting, tasksNotDeclared('taskIds'));
      const capabilities = isRecord(outcome.result.capabilities) ? outcome.result.capabilities : {};
      end = this.#listens.open(message.idText, notifications, capabilities, waiting.channel);
    };
    void open();
    return {
      cancel() {
        isCancelled = true;
        end?.();
      },
    };
  }

  /** Goes on with a parked call whose client has come back. */
  #resume(
    message: RawMessage,
    requestState: unknown,
    waiting: Waiting,
    envelope: Envelope,
  ): ClientRequestHandle | undefined {
    const retried = this.#questions.unpark(message, requestState);
    if ('error' in retried) return void sendError(waiting, retried.error);
    const { call, outcome } = retried;
    call.waiting = waiting;
    call.envelope = envelope;
    if (outcome !== undefined) this.#deliver(call, outcome);
    else {
      this.#raiseLogLevel(envelope);
      if (this.#questions.takeAnswers(call, message)) void this.#run(call);
    }
    return { cancel: (reason) => this.#cancel(call, waiting, reason) };
  }

  /** Stops a request whose client does not wait any more; a parked call is none. */
  #cancel(call: Call, waiting: Waiting, reason: unknown): void {
    if (call.waiting !== waiting) return;
    call.waiting = undefined;
    this.#questions.cancel(call, 'The client has cancelled the call');
    this.#abandon(call, reason);
  }

  /** Tells the session that nobody waits for a call any more, unless it is over. */
  #abandon(call: Call, reason: unknown): void {
    if (!this.#calls.delete(call.innerId)) return;
    const why = typeof reason === 'string' ? { reason } : {};
    const params = { requestId: call.innerId, ...why };
    this.#handlers?.message(toRaw({ jsonrpc: '2.0', method: 'notifications/cancelled', params }));
  }

  #onAnswer(message: RawMessage): void {
    const id = toOwnId(message.id) ?? -1;
    const own = this.#own.get(id);
    this.#own.delete(id);
    if (own !== undefined) {
      own(message);
      return;
    }
    const call = this.#calls.get(id);
    if (call === undefined) return;
    this.#calls.delete(id);
    this.#questions.cancel(call, 'The call is over');
    if (call.waiting !== undefined) this.#deliver(call, message);
    else if (call.parked !== undefined) call.parked.outcome = message;
  }

  #deliver(call: Call, message: RawMessage): void {
    const { waiting, missing, method } = call;
    if (waiting === undefined) return;
    const isFailure = message.kind === 'failure';
    // A result is read only if it matters: it may be long.
    if (missing !== undefined && (isFailure || isErrorValue(message.result))) {
      endWithError(call, missingError(missing));
      return;
    }
    const urls = isFailure ? urlQuestions(message) : [];
    if (urls.length > 0) {
      this.#questions.askForVisits(call, urls);
      return;
    }
    call.waiting = undefined;
    if (isFailure) sendError(waiting, message.error ?? closedError, toModernError(message, method));
    else sendResult(waiting, this.#tasks.created(call, message) ?? toModernResult(message, waiting.request));
  }

  #onQuestion(message: RawMessage, relatedTo: JsonRpcId | undefined): void {
    if (!this.#tasks.onQuestion(message)) this.#questions.ask(this.#callOf(relatedTo), message);
  }

  /** The call that a question or log message belongs to; without its name it may be anybody's. */
  #callOf(relatedTo: JsonRpcId | undefined): Call | undefined {
    return relatedTo === undefined ? undefined : this.#calls.get(toOwnId(relatedTo) ?? -1);
  }

  #onNotification(message: RawMessage, relatedTo: JsonRpcId | undefined): void {
    const { method = '', params } = message;
    if (this.#listens.onNotification(message)) return;
    if (method === 'notifications/progress') {
      this.#onProgress(message);
      return;
    }
    if (method === 'notifications/message') {
      this.#onLog(message, relatedTo);
      return;
    }
    if (method === 'notifications/cancelled') this.#withdraw(params?.requestId);
  }

  #onProgress(message: RawMessage): void {
    const call = this.#calls.get(toOwnId(message.params?.progressToken) ?? -1);
    const token = call?.envelope.progressToken;
    if (call?.waiting === undefined || token === undefined) return;
    const own = message.with({ params: { progressToken: token } });
    call.waiting.channel.send(own).catch(ignore);
  }

  #onLog(message: RawMessage, relatedTo: JsonRpcId | undefined): void {
    const call = this.#callOf(relatedTo);
    const wanted = call?.envelope.logLevel;
    const level = logLevelIndex(message.params?.level);
    if (call?.waiting !== undefined && wanted !== undefined && level >= wanted)
      call.waiting.channel.send(withoutReserved(message, ['params', '_meta'])).catch(ignore);
  }

  /** Handles the end of a question by its server. */
  #withdraw(questionId: unknown): void {
    this.#tasks.withdraw(questionId);
    for (const call of this.#calls.values())
      call.questions = call.questions.filter(({ id }) => id !== questionId);
  }

  /** Sets the session's log level to the most verbose that any request has wanted. */
  #raiseLogLevel({ logLevel }: Envelope): void {
    if (logLevel === undefined || logLevel >= this.#logLevel) return;
    this.#logLevel = logLevel;
    this.#ask('logging/setLevel', { level: logLevels[logLevel] });
  }

  #ask(
    method: string,
    params: Readonly<Record<string, unknown>>,
    onAnswer: (answer: RawMessage) => void = ignore,
  ): void {
    const id = this.#nextId();
    if (this.#isClosed) {
      onAnswer(closedAnswer(id));
      return;
    }
    this.#own.set(id, onAnswer);
    this.#handlers?.message(toRaw({ jsonrpc: '2.0', id, method, params }));
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }
}

/**
 * The request as a client with a session would send it. Its capabilities, and answers that came without a state of
 * ours, are left for a modern server; others do not get them.
 */
function innerRequest(request: RawMessage, envelope: Envelope, innerId: number): RawMessage {
  const id = String(innerId);
  const known = stamps.get(envelope);
  const stamp = known ?? [{ name: hopKeys.capabilities, value: jsonBytes(envelope.capabilities) }];
  if (known === undefined) stamps.set(envelope, stamp);
  if (envelope.progressToken === undefined) return stampMeta(request, stamp, id);
  return stampMeta(request, [...stamp, { name: 'progressToken', value: Buffer.from(id) }], id);
}

/** The request as the client first sent it, when it comes back for a call that is sent again. */
function withoutAnswers(request: RawMessage): RawMessage {
  const edits = ['requestState', 'inputResponses'].map((name) => ({ name, value: undefined }));
  return editMessage(request, ['params'], edits);
}

/** By envelope, which several requests may share. */
const stamps = new WeakMap<Envelope, readonly MemberEdit[]>();
/** Higher than the ids of a client with a session that uses the same pipe, times of day among them. */
const firstId = 2 ** 52;
const maxListens = 64;
const closedError = { code: rpcErrorCodes.internalError, message: 'Patchbay closed the connection' };
const tooManyListens = 'Too many subscriptions are open; close one first';
const ignore = () => {};

/** Most requests have none, and are not parsed for it. */
function stateOf(request: RawMessage): unknown {
  const mayHave = request.paramsBytes?.includes('"requestState"') ?? true;
  return mayHave ? request.params?.requestState : undefined;
}

function closedAnswer(id: number): RawMessage {
  return toRaw({ jsonrpc: '2.0', id, error: closedError });
}

function isErrorValue(result: unknown): boolean {
  return isRecord(result) && result.isError === true;
}
