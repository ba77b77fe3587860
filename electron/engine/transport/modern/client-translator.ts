import { isRecord } from '../../../../shared/json.ts';
import { protocolVersions } from '../../../../shared/model/mcp.ts';
import { logLevelIndex, logLevels } from '../../../../shared/model/server/log-levels.ts';
import { type Clock, delay } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
import { readMember } from '../../jsonrpc/json/edit-json.ts';
import {
  ConnectionClosedError,
  type JsonRpcErrorObject,
  type JsonRpcId,
  RpcError,
  rpcErrorCodes,
} from '../../jsonrpc/message.ts';
import { toOwnId } from '../../jsonrpc/message-kind.ts';
import type { RawMessage } from '../../jsonrpc/raw-message.ts';
import { toRaw, type WireMessage } from '../../jsonrpc/read-message.ts';
import { toErrorResponse, toResponse } from '../../jsonrpc/response.ts';
import type { Transport, TransportHandlers } from '../../jsonrpc/transport.ts';
import type { ClientChannel } from './client-channel.ts';
import { ClientListens } from './client-listens.ts';
import { askedParams, inputRequests, noAnswerTo, type Question } from './client-question.ts';
import { toModernError, toModernResult, urlQuestions } from './client-result.ts';
import { ClientTasks } from './client-tasks.ts';
import {
  editMessage,
  isObject,
  jsonBytes,
  messageOf,
  resultMessage,
  withoutReserved,
} from './edit-message.ts';
import { type Envelope, readEnvelope, supportedVersions } from './envelope.ts';
import { askingMethods, hopKeys, metaKeys, modernErrorCodes, modernMethods } from './protocol.ts';
import { type MissingCapabilities, missingForQuestion } from './question-capability.ts';
import { relationOf } from './related-transport.ts';
import { createHandle, digestRequest, RequestStates } from './request-state.ts';
import { declaresTasks, taskMethods, tasksNotDeclared, withTasksExtension } from './task-shapes.ts';

/** A request of the client that is being answered; undefined once it is. */
export interface ClientRequestHandle {
  /** Stops it because the client does not wait any more. */
  cancel(reason?: unknown): void;
}

/** One call over all its rounds. */
interface Call {
  readonly method: string;
  readonly request: RawMessage;
  /** Id in the session. */
  innerId: number;
  /** Set while the client waits for an answer; otherwise the call is parked. */
  waiting: Waiting | undefined;
  envelope: Envelope;
  round: number;
  /** Number of keys that were made up for its questions. */
  keys: number;
  questions: Question[];
  missing: MissingCapabilities | undefined;
  parked: Parked | undefined;
  batch: Disposable | undefined;
}

interface Waiting {
  readonly request: RawMessage;
  readonly channel: ClientChannel;
}

interface Parked {
  readonly state: string;
  readonly expiry: Disposable;
  /** The answer, if it came while the client was away. */
  outcome: RawMessage | undefined;
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
  readonly #clock: Clock;
  readonly #congestion: (() => Promise<void> | undefined) | undefined;
  readonly #states = new RequestStates();
  readonly #listens = new ClientListens((method, uri) => this.#ask(method, { uri }));
  readonly #tasks: ClientTasks;
  readonly #calls = new Map<number, Call>();
  readonly #parked = new Map<string, Call>();
  /** Requests of our own in the session, with what to do with the answer. */
  readonly #own = new Map<number, (answer: RawMessage) => void>();
  #handlers: TransportHandlers | undefined;
  #initialized: Promise<InitializeOutcome> | undefined;
  #lastId = firstId;
  #logLevel = Number.POSITIVE_INFINITY;
  #isClosed = false;

  constructor({ clock, congestion }: ClientTranslatorOptions) {
    this.#clock = clock;
    this.#congestion = congestion;
    this.#tasks = new ClientTasks({
      clock,
      ask: (method, params, onAnswer) => this.#ask(method, params, onAnswer),
      answer: (message) => this.#handlers?.message(message),
    });
  }

  get congestion(): Promise<void> | undefined {
    return this.#congestion?.();
  }

  /** True while nothing of the client's is open. */
  get isIdle(): boolean {
    return this.#calls.size === 0 && this.#listens.size === 0 && this.#tasks.size === 0;
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
      this.#answerError(call, closedError);
    }
    for (const call of this.#parked.values()) call.parked?.expiry.dispose();
    this.#calls.clear();
    this.#parked.clear();
    for (const [id, onAnswer] of this.#own) onAnswer(toRaw({ jsonrpc: '2.0', id, error: closedError }));
    this.#own.clear();
    this.#handlers?.closed();
  }

  /** Takes a request of the client; its answer and everything about it go to the channel. */
  request(message: RawMessage, channel: ClientChannel): ClientRequestHandle | undefined {
    const { method = '' } = message;
    const waiting = { request: message, channel };
    const refuse = (error: JsonRpcErrorObject) => void sendError(waiting, error);
    if (this.#isClosed) return refuse(closedError);
    const envelope = readEnvelope(message);
    if ('error' in envelope) return refuse(envelope.error);
    if (!modernMethods.has(method))
      return refuse({ code: rpcErrorCodes.methodNotFound, message: `Method not found: ${method}` });
    if (method === 'server/discover') return void this.#discover(waiting, envelope);
    if (method === 'subscriptions/listen') return this.#listen(message, waiting, envelope);
    if (taskMethods.has(method)) return this.#aboutTask(message, waiting, envelope);
    const mayResume = askingMethods.has(method) && message.line().includes('"requestState"');
    const { requestState } = mayResume ? (message.params ?? {}) : {};
    if (requestState !== undefined && requestState !== null)
      return this.#resume(message, requestState, waiting, envelope);
    return this.#begin(message, waiting, envelope);
  }

  /** Initializes the session for the client of this request; resolves whether or not that works. */
  async prepare(message: RawMessage): Promise<void> {
    const envelope = readEnvelope(message);
    if (!('error' in envelope)) await this.#initialize(envelope);
  }

  #begin(message: RawMessage, waiting: Waiting, envelope: Envelope): ClientRequestHandle {
    const { method = '' } = message;
    const call: Call = {
      method,
      request: this.#inner(message, envelope),
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
    const outcome = await this.#initialize(call.envelope);
    if (call.waiting === undefined) return;
    if ('error' in outcome) return this.#answerError(call, outcome.error);
    this.#raiseLogLevel(call.envelope);
    call.innerId = this.#nextId();
    this.#calls.set(call.innerId, call);
    const token = call.envelope.progressToken === undefined ? {} : { metaToken: String(call.innerId) };
    this.#handlers?.message(call.request.with({ id: String(call.innerId), params: token }));
  }

  /**
   * The request as a client with a session would send it. Its capabilities, and answers that came without a
   * state of ours, are left for a modern server; others do not get them.
   */
  #inner(message: RawMessage, { capabilities }: Envelope): RawMessage {
    const stripped = withoutReserved(message, ['params', '_meta']);
    const stamp = [{ name: hopKeys.capabilities, value: jsonBytes(capabilities) }];
    return editMessage(stripped, ['params', '_meta'], stamp);
  }

  /** Initializes the session once, for everything that such a client may be able to do. */
  #initialize({ clientInfo, capabilities }: Envelope): Promise<InitializeOutcome> {
    this.#initialized ??= new Promise((resolve) => {
      const params = {
        protocolVersion: protocolVersions[0],
        capabilities: {
          ...sessionCapabilities,
          ...(capabilities.extensions === undefined ? {} : { extensions: capabilities.extensions }),
        },
        clientInfo: clientInfo ?? { name: 'unknown', version: '0' },
        _meta: { [hopKeys.era]: 'modern' },
      };
      this.#ask('initialize', params, (answer) => {
        if (answer.kind === 'result' && isRecord(answer.result)) {
          this.#handlers?.message(toRaw({ jsonrpc: '2.0', method: 'notifications/initialized' }));
          resolve({ result: answer.result });
          return;
        }
        this.#initialized = undefined;
        resolve({ error: answer.error ?? { code: rpcErrorCodes.internalError, message: 'No session' } });
      });
    });
    return this.#initialized;
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
    const outcome = await this.#initialize(envelope);
    if ('error' in outcome) return sendError(waiting, outcome.error);
    const { capabilities, serverInfo, instructions } = outcome.result;
    const result = {
      resultType: 'complete',
      supportedVersions,
      capabilities: modernCapabilities(capabilities),
      ...(instructions === undefined ? {} : { instructions }),
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { [metaKeys.serverInfo]: serverInfo },
    };
    sendResult(waiting, result);
  }

  #listen(message: RawMessage, waiting: Waiting, envelope: Envelope): ClientRequestHandle {
    let end: (() => void) | undefined;
    let isCancelled = false;
    const open = async () => {
      const outcome = await this.#initialize(envelope);
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
    const { method = '' } = message;
    const named = this.#states.parse(requestState);
    if (named === 'earlier-run') return void sendError(waiting, { ...stateInvalid, data: sendAgain });
    const call = named && this.#parked.get(named.handle);
    const digest = digestRequest(message);
    const binding = named && { handle: named.handle, round: named.round, method, digest };
    const isSealed = binding !== undefined && this.#states.verify(String(requestState), binding);
    if (call?.parked === undefined || !isSealed || call.parked.state !== requestState)
      return void sendError(waiting, stateInvalid);
    const { outcome, expiry } = call.parked;
    expiry.dispose();
    this.#parked.delete(named?.handle ?? '');
    call.parked = undefined;
    call.waiting = waiting;
    call.envelope = envelope;
    if (outcome !== undefined) this.#deliver(call, outcome);
    else this.#takeAnswers(call, readMember(message.line(), ['params', 'inputResponses']));
    return { cancel: (reason) => this.#cancel(call, waiting, reason) };
  }

  #takeAnswers(call: Call, responses: Buffer | undefined): void {
    this.#raiseLogLevel(call.envelope);
    const answers = new Map<Question, Buffer>();
    for (const question of call.questions) {
      const answer = responses && readMember(responses, [question.key]);
      if (answer !== undefined && isObject(answer)) answers.set(question, answer);
    }
    call.questions = call.questions.filter((question) => !answers.has(question));
    for (const [{ id }, answer] of answers)
      if (id !== undefined) this.#handlers?.message(resultMessage(id, answer));
    if (call.questions.length > 0) this.#park(call);
    else if ([...answers.keys()].some(({ id }) => id === undefined)) void this.#run(call);
  }

  /** Stops a request whose client does not wait any more; a parked call is none. */
  #cancel(call: Call, waiting: Waiting, reason: unknown): void {
    if (call.waiting !== waiting) return;
    call.waiting = undefined;
    call.batch?.dispose();
    call.batch = undefined;
    if (!this.#calls.delete(call.innerId)) return;
    this.#cancelQuestions(call, 'The client has cancelled the call');
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
    call.batch?.dispose();
    call.batch = undefined;
    this.#cancelQuestions(call, 'The call is over');
    if (call.waiting !== undefined) this.#deliver(call, message);
    else if (call.parked !== undefined) call.parked.outcome = message;
  }

  #deliver(call: Call, message: RawMessage): void {
    const { waiting, missing, method } = call;
    if (waiting === undefined) return;
    const isFailure = message.kind === 'failure';
    // A result is read only if it matters: it may be long.
    if (missing !== undefined && (isFailure || isErrorValue(message.result))) {
      this.#answerError(call, missingError(missing));
      return;
    }
    const urls = isFailure ? urlQuestions(message) : [];
    if (urls.length > 0) {
      this.#askForVisits(call, urls);
      return;
    }
    call.waiting = undefined;
    if (isFailure) sendError(waiting, message.error ?? closedError, toModernError(message, method));
    else sendResult(waiting, this.#tasks.created(call, message) ?? toModernResult(message, method));
  }

  /** Asks the client to visit pages; the call is sent again afterwards, as the server did not act on it. */
  #askForVisits(call: Call, urls: readonly Buffer[]): void {
    const method = 'elicitation/create';
    const missing = missingForQuestion(call.envelope.capabilities, method, { mode: 'url' });
    if (missing !== undefined) {
      this.#answerError(call, missingError(missing));
      return;
    }
    call.questions = urls.map((params, at) => ({ key: `q${at + 1}`, id: undefined, method, params }));
    this.#park(call);
  }

  #answerError(call: Call, error: JsonRpcErrorObject): void {
    const { waiting } = call;
    call.waiting = undefined;
    if (waiting !== undefined) sendError(waiting, error);
  }

  /** Takes a question of a server, which must belong to a call that the client waits for. */
  #onQuestion(message: RawMessage, relatedTo: JsonRpcId | undefined): void {
    const { method = '', id } = message;
    if (this.#tasks.onQuestion(message)) return;
    const call = this.#callOf(relatedTo);
    const refuse = (text: string) => {
      const error = { code: rpcErrorCodes.methodNotFound, message: text };
      this.#handlers?.message(toRaw({ jsonrpc: '2.0', id: id ?? null, error }));
    };
    if (call === undefined) {
      refuse(`${method} can only be asked within a call of this client`);
      return;
    }
    const missing = missingForQuestion(call.envelope.capabilities, method, message.params ?? {});
    if (missing !== undefined) {
      call.missing = { ...call.missing, ...missing };
      refuse(`The client does not support ${method}`);
      return;
    }
    if (call.round >= maxRounds || this.#parked.size >= maxParked) {
      refuse('Too many requests to this client are open');
      return;
    }
    call.questions.push({ key: keyFor(call, message), id: id ?? 0, method, params: askedParams(message) });
    // Questions of the same turn become one round.
    call.batch ??= this.#clock.after(batchMs, () => {
      call.batch = undefined;
      if (call.waiting !== undefined) this.#park(call);
    });
  }

  /** The call that a question or log message belongs to; without its name it may be anybody's. */
  #callOf(relatedTo: JsonRpcId | undefined): Call | undefined {
    return relatedTo === undefined ? undefined : this.#calls.get(toOwnId(relatedTo) ?? -1);
  }

  /** Ends the HTTP request or its like with the open questions; the call stays alive in the session. */
  #park(call: Call): void {
    const { waiting } = call;
    if (waiting === undefined) return;
    call.round += 1;
    const handle = createHandle();
    const digest = digestRequest(call.request);
    const state = this.#states.create({ handle, round: call.round, method: call.method, digest });
    const expiry = this.#clock.after(parkedMs, () => void this.#expire(call, handle));
    call.parked = { state, expiry, outcome: undefined };
    call.waiting = undefined;
    this.#parked.set(handle, call);
    sendResult(waiting, questionsResult(call.questions, state));
  }

  /** Ends a parked call whose client never came back: its questions first, then the call itself. */
  async #expire(call: Call, handle: string): Promise<void> {
    this.#parked.delete(handle);
    call.parked = undefined;
    this.#cancelQuestions(call, 'The client did not answer in time');
    await delay(this.#clock, endingMs);
    if (this.#isClosed || !this.#calls.delete(call.innerId)) return;
    const params = { requestId: call.innerId, reason: 'The client did not return' };
    this.#handlers?.message(toRaw({ jsonrpc: '2.0', method: 'notifications/cancelled', params }));
  }

  #cancelQuestions(call: Call, message: string): void {
    for (const question of call.questions.splice(0)) {
      const answer = noAnswerTo(question, message);
      if (answer !== undefined) this.#handlers?.message(answer);
    }
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
    this.#own.set(id, onAnswer);
    this.#handlers?.message(toRaw({ jsonrpc: '2.0', id, method, params }));
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }
}

type InitializeOutcome =
  | { readonly result: Readonly<Record<string, unknown>> }
  | { readonly error: JsonRpcErrorObject };

const sessionCapabilities = {
  sampling: { context: {}, tools: {} },
  elicitation: { form: {}, url: {} },
  roots: {},
};
/** Higher than the ids of a client with a session that uses the same pipe, times of day among them. */
const firstId = 2 ** 52;
/** Milliseconds in which questions are gathered into one round. */
const batchMs = 20;
/** Milliseconds that a client has to come back with its answers. */
const parkedMs = 10 * 60_000;
/** Milliseconds that a server has to end a call by itself once its questions were cancelled. */
const endingMs = 5_000;
const maxParked = 1_000;
const maxRounds = 32;
const maxListens = 64;
const closedError = { code: rpcErrorCodes.internalError, message: 'Patchbay closed the connection' };
const tooManyListens = 'Too many subscriptions are open; close one first';
const stateInvalid = {
  code: rpcErrorCodes.invalidParams,
  message: 'This requestState is not valid, or not any more. Send the request again without it.',
};
const sendAgain = {
  reason: 'Patchbay was restarted in between; the outcome of the first request is unknown',
};
const ignore = () => {};

function missingError(requiredCapabilities: MissingCapabilities): JsonRpcErrorObject {
  const names = Object.keys(requiredCapabilities).join(', ');
  return {
    code: modernErrorCodes.missingCapability,
    message: `This needs capabilities that the client did not declare: ${names}`,
    data: { requiredCapabilities },
  };
}

function isErrorValue(result: unknown): boolean {
  return isRecord(result) && result.isError === true;
}

/** Key of a question that no other open question of the call has; that of a modern server stays. */
function keyFor(call: Call, { params }: RawMessage): string {
  const isUsed = (key: unknown) => call.questions.some((question) => question.key === key);
  const given = isRecord(params?._meta) ? params._meta[hopKeys.inputKey] : undefined;
  if (typeof given === 'string' && !isUsed(given)) return given;
  do call.keys += 1;
  while (isUsed(`q${call.keys}`));
  return `q${call.keys}`;
}

/** Result that asks the client; the questions are as they were written. */
function questionsResult(questions: readonly Question[], state: string): RawMessage {
  const head = '{"jsonrpc":"2.0","id":0,"result":{"resultType":"input_required","inputRequests":';
  return messageOf(head, inputRequests(questions), `,"requestState":${JSON.stringify(state)}}}`);
}

/** Answers the client; an answer that cannot be written becomes an error. */
function sendResult({ request, channel }: Waiting, result: unknown): void {
  const send = async () => channel.send(toResponse(request, result));
  send().catch((error: unknown) => {
    if (!(error instanceof ConnectionClosedError)) sendError({ request, channel }, unwritable);
  });
}

/** `received` is the message that carried the error, if any; it is forwarded as it is. */
function sendError({ request, channel }: Waiting, error: JsonRpcErrorObject, received?: RawMessage): void {
  channel.send(toErrorResponse(request, new RpcError(error, received))).catch(ignore);
}

const unwritable = { code: rpcErrorCodes.internalError, message: 'The result cannot be written as JSON' };

/** Tasks of the session-based protocol are an extension in the stateless one. */
function modernCapabilities(capabilities: unknown): unknown {
  if (!isRecord(capabilities)) return {};
  const { tasks, ...others } = capabilities;
  const requests = isRecord(tasks) && isRecord(tasks.requests) ? tasks.requests : {};
  return isRecord(requests.tools) && isRecord(requests.tools.call) ? withTasksExtension(others) : others;
}
