import { isRecord } from '../../../../../shared/json.ts';
import { hubErrorCodes } from '../../../../../shared/model/mcp.ts';
import { logLevelIndex, logLevels } from '../../../../../shared/model/server/log-levels.ts';
import type { Clock } from '../../../base/clock.ts';
import { TransientMap } from '../../../base/transient-map.ts';
import {
  ConnectionClosedError,
  type JsonRpcErrorObject,
  type JsonRpcId,
  rpcErrorCodes,
} from '../../../jsonrpc/message.ts';
import { toOwnId } from '../../../jsonrpc/message-kind.ts';
import type { RawMessage } from '../../../jsonrpc/raw-message.ts';
import { toRaw, type WireMessage } from '../../../jsonrpc/read-message.ts';
import type { Transport, TransportHandlers } from '../../../jsonrpc/transport.ts';
import { withoutReserved } from '../edit-message.ts';
import { type Envelope, readEnvelope } from '../envelope.ts';
import { askingMethods, modernMethods } from '../protocol.ts';
import { relationOf } from '../related-transport.ts';
import { declaresTasks, taskMethods, tasksNotDeclared } from '../task-shapes.ts';
import { type Call, endWithError, sendError, sendResult, type Waiting } from './client-call.ts';
import type { ClientChannel } from './client-channel.ts';
import { ClientInitialization, discoverResult, type InitializeOutcome } from './client-initialization.ts';
import { ClientListens } from './client-listens.ts';
import { ClientQuestions, missingError } from './client-questions.ts';
import { toModernError, toModernResult, urlQuestions } from './client-result.ts';
import { ClientTasks } from './client-tasks.ts';
import { continuationIn, innerRequest, withoutContinuation, withState } from './inner-request.ts';
import { closedError, OwnRequests } from './own-requests.ts';

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
  readonly #listens: ClientListens;
  readonly #initialization: ClientInitialization;
  readonly #questions: ClientQuestions;
  readonly #tasks: ClientTasks;
  readonly #calls = new TransientMap<number, Call>();
  readonly #own = new OwnRequests({
    send: (request) => this.#handlers?.message(request),
    isClosed: () => this.#isClosed,
  });
  #handlers: TransportHandlers | undefined;
  #logLevel = Number.POSITIVE_INFINITY;
  #isClosed = false;

  constructor({ clock, congestion }: ClientTranslatorOptions) {
    this.#congestion = congestion;
    const answer = (message: WireMessage) => this.#handlers?.message(message);
    this.#initialization = new ClientInitialization({
      ask: (method, params, onAnswer) => this.#own.ask(method, params, onAnswer),
      confirm: () => answer(toRaw({ jsonrpc: '2.0', method: 'notifications/initialized' })),
    });
    this.#listens = new ClientListens(clock, (method, uri, onAnswer) =>
      this.#own.ask(method, { uri }, onAnswer),
    );
    this.#questions = new ClientQuestions({
      clock,
      answer,
      abandon: (call) => this.#abandon(call, 'The client did not return'),
    });
    this.#tasks = new ClientTasks({
      clock,
      ask: (method, params, onAnswer) => this.#own.ask(method, params, onAnswer),
      answer,
      hasListener: (taskId) => this.#listens.hasTask(taskId),
      notify: (taskId, state) => this.#listens.onTask(taskId, state),
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
    return method === undefined && this.#own.hasIssued(toOwnId(id));
  }

  async start(handlers: TransportHandlers): Promise<void> {
    this.#handlers = handlers;
  }

  /** Takes a message of the session. */
  send(wire: WireMessage, relatedTo?: JsonRpcId): Promise<void> {
    if (this.#isClosed) return Promise.reject(new ConnectionClosedError('The connection is closed', false));
    try {
      this.#receive(toRaw(wire), relatedTo);
      return Promise.resolve();
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #receive(message: RawMessage, relatedTo: JsonRpcId | undefined): void {
    const related = relatedTo ?? (message.method === undefined ? undefined : relationOf(message));
    switch (message.kind) {
      case 'result':
      case 'failure':
        this.#onAnswer(message);
        break;
      case 'request':
        this.#onQuestion(message, related);
        break;
      default:
        this.#onNotification(message, related);
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#listens.close();
    this.#tasks.close();
    for (const call of this.#calls.values()) {
      call.batch?.dispose();
      endWithError(call, cutOffError);
    }
    this.#questions.close();
    this.#calls.clear();
    this.#own.close();
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
    const requestState = askingMethods.has(method) ? message.param('requestState') : undefined;
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
      continuation: undefined,
    };
    this.#run(call);
    return { cancel: (reason) => this.#cancel(call, waiting, reason) };
  }

  #run(call: Call): void {
    const { done } = this.#initialization;
    if (done !== undefined) this.#forward(call, done);
    else void this.#initialization.run(call.envelope).then((outcome) => this.#forward(call, outcome));
  }

  #forward(call: Call, outcome: InitializeOutcome): void {
    const { waiting, envelope, round } = call;
    if (waiting === undefined) return;
    if ('error' in outcome) {
      endWithError(call, outcome.error);
      return;
    }
    this.#raiseLogLevel(envelope);
    call.innerId = this.#own.nextId();
    this.#calls.set(call.innerId, call);
    const { continuation } = call;
    call.continuation = undefined;
    const request = round === 0 ? waiting.request : withState(waiting.request, continuation);
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
      const watched = wantsTasks ? await this.#tasks.watch(notifications.taskIds) : undefined;
      if (isCancelled) return;
      end = this.#listens.open(message.idText, notifications, capabilities, waiting.channel, watched);
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
    call.continuation = outcome && continuationIn(outcome);
    if (call.continuation !== undefined) {
      call.questions = [];
      this.#run(call);
    } else if (outcome !== undefined) {
      this.#questions.takeLateAnswers(call, message);
      this.#deliver(call, outcome);
    } else {
      this.#raiseLogLevel(envelope);
      if (this.#questions.takeAnswers(call, message)) this.#run(call);
    }
    return { cancel: (reason) => this.#cancel(call, waiting, reason) };
  }

  /** Stops a request whose client no longer waits; a parked call is not affected. */
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
    if (this.#own.take(id, message)) return;
    const call = this.#calls.get(id);
    if (call === undefined) return;
    this.#calls.delete(id);
    const { waiting, parked } = call;
    if (waiting !== undefined) {
      this.#deliver(call, message);
      return;
    }
    // The client of a parked call is answering its questions, unless the server is gone.
    if (parked === undefined || continuationIn(message) !== undefined) this.#questions.cancel(call, callOver);
    if (parked !== undefined) parked.outcome = message;
  }

  #deliver(call: Call, message: RawMessage): void {
    const { waiting, missing, method } = call;
    if (waiting === undefined) return;
    const isFailure = message.kind === 'failure';
    const created = isFailure ? undefined : this.#tasks.created(call, message);
    // A server may ask for a task before it answers that there is one.
    if (created !== undefined) call.questions = call.questions.filter((one) => !this.#tasks.takeOver(one));
    this.#questions.cancel(call, callOver);
    // A result is read only if it matters: it may be long.
    if (missing !== undefined && (isFailure || isErrorValue(message.result))) {
      endWithError(call, missingError(missing));
      return;
    }
    const urls = isFailure && askingMethods.has(method) ? urlQuestions(message) : [];
    if (urls.length > 0) {
      this.#questions.askForVisits(call, urls);
      return;
    }
    call.waiting = undefined;
    const failed = isFailure ? withoutContinuation(message) : message;
    if (isFailure) sendError(waiting, failed.error ?? closedError, toModernError(failed, method));
    else sendResult(waiting, created ?? toModernResult(message, waiting.request));
  }

  #onQuestion(message: RawMessage, relatedTo: JsonRpcId | undefined): void {
    if (!this.#tasks.onQuestion(message)) this.#questions.ask(this.#callOf(relatedTo), message);
  }

  /** Finds the call that a question or log message names; undefined if none is named. */
  #callOf(relatedTo: JsonRpcId | undefined): Call | undefined {
    return relatedTo === undefined ? undefined : this.#calls.get(toOwnId(relatedTo) ?? -1);
  }

  #onNotification(message: RawMessage, relatedTo: JsonRpcId | undefined): void {
    const { method = '', params } = message;
    if (this.#listens.onNotification(message)) return;
    if (method === 'notifications/tasks/status') {
      void this.#tasks.onStatus(params?.taskId);
      return;
    }
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
    this.#questions.withdraw(questionId);
    for (const call of this.#calls.values())
      call.questions = call.questions.filter(({ id }) => id !== questionId);
  }

  /** Sets the session's log level to the most verbose that any request has wanted. */
  #raiseLogLevel({ logLevel }: Envelope): void {
    if (logLevel === undefined || logLevel >= this.#logLevel) return;
    this.#logLevel = logLevel;
    this.#own.ask('logging/setLevel', { level: logLevels[logLevel] });
  }
}

const maxListens = 64;
const cutOffError = {
  code: hubErrorCodes.outcomeUnknown,
  message: 'Patchbay closed the connection during this request, so it may or may not have taken effect.',
  data: {
    code: 'call.outcome_unknown',
    fix: 'Check whether the call took effect before you repeat it.',
  },
} as const;
const callOver = 'The call is over';
const tooManyListens = 'Too many subscriptions are open; close one first';
const ignore = () => {};

function isErrorValue(result: unknown): boolean {
  return isRecord(result) && result.isError === true;
}
