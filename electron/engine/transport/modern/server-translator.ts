import { isRecord } from '../../../../shared/json.ts';
import { protocolVersions } from '../../../../shared/model/mcp.ts';
import { logLevelIndex } from '../../../../shared/model/server/log-levels.ts';
import { type Clock, delay } from '../../base/clock.ts';
import { invalidResponse } from '../../jsonrpc/invalid-messages.ts';
import { type MemberEdit, readMember } from '../../jsonrpc/json/edit-json.ts';
import { type JsonRpcErrorObject, type JsonRpcId, rpcErrorCodes } from '../../jsonrpc/message.ts';
import { toOwnId } from '../../jsonrpc/message-kind.ts';
import type { RawMessage } from '../../jsonrpc/raw-message.ts';
import { toRaw, type WireMessage } from '../../jsonrpc/read-message.ts';
import { type DiscoverResult, discoverRequest } from './discover.ts';
import { editMessage, jsonBytes, resultMessage, stampMeta, withoutReserved } from './edit-message.ts';
import { metaKeys } from './protocol.ts';
import { ServerListen } from './server-listen.ts';
import { type AskingCall, type Question, ServerQuestions } from './server-questions.ts';
import { ServerTasks } from './server-tasks.ts';
import { declaresTasks, declaresTasksIn, needsTasks, withTasksExtension } from './task-shapes.ts';

export interface ServerTranslatorOptions {
  readonly clock: Clock;
  readonly version: string;
  readonly discover: DiscoverResult;
  /** Sends a message to the modern server. */
  readonly send: (message: RawMessage) => Promise<void>;
  /** Delivers a message of a session-based server; `relatedTo` is the id of the hub's request. */
  readonly deliver: (message: WireMessage, relatedTo?: JsonRpcId) => void;
  /** Reports that a request of the hub gets no answer. */
  readonly lost: (id: JsonRpcId, reason: Error) => void;
}

/** A request of the hub to the server, over all its rounds. */
interface Call extends AskingCall {
  readonly request: RawMessage;
  capabilities: Buffer;
  task: TaskUse;
  wireId: number;
}

interface Stamp extends MemberEdit {
  readonly value: Buffer;
}

/**
 * Treatment of a task in the answer: passed to a stateless client, made one of a client with a session, or followed
 * to its end within the call. `refuse`: nothing that was asked for.
 */
type TaskUse = 'pass' | 'make' | 'follow' | 'refuse';

/**
 * Lets the hub, which speaks the session-based protocol inside, use a server of the stateless one: answers
 * the handshake from `server/discover`, stamps each request with the envelope, and turns `input_required`
 * into the requests that the hub knows, then repeats the call with their answers.
 */
export class ServerTranslator {
  readonly #options: ServerTranslatorOptions;
  readonly #listen: ServerListen;
  readonly #tasks: ServerTasks;
  /** True if the server has the extension for tasks. */
  readonly #hasTasks: boolean;
  readonly #calls = new Map<number, Call>();
  readonly #wireIds = new Map<JsonRpcId, number>();
  readonly #questions: ServerQuestions<Call>;
  /** Ids of requests of our own, with what to do when they are answered. */
  readonly #own = new Map<number, (answer: RawMessage) => void>();
  readonly #version: Buffer;
  #clientInfo: Readonly<Record<string, unknown>> = {};
  #clientInfoBytes = jsonBytes({});
  #capabilities = jsonBytes({});
  /** The same with the extension for tasks. */
  #taskCapabilities = jsonBytes(withTasksExtension({}));
  #logLevel: unknown;
  /** The envelope of the last request, which most others share. */
  #stamp: { readonly capabilities: Buffer; readonly members: readonly Stamp[] } | undefined;
  /** Higher than the ids of the hub, so that a late answer to one of those is not taken for another. */
  #lastId = 1_000_000;
  #isClosed = false;

  constructor(options: ServerTranslatorOptions) {
    this.#options = options;
    this.#version = jsonBytes(options.version);
    this.#hasTasks = declaresTasks(options.discover.capabilities);
    this.#questions = new ServerQuestions(options.deliver);
    this.#tasks = new ServerTasks({
      clock: options.clock,
      ask: (method, params) => this.#askServer(method, params),
      deliver: options.deliver,
    });
    this.#listen = new ServerListen({
      clock: options.clock,
      capabilities: options.discover.capabilities,
      open: (notifications) => this.#openListen(notifications),
      cancel: (id) => this.#cancel(id),
      missed: (methods) => {
        for (const method of methods) options.deliver({ jsonrpc: '2.0', method });
      },
    });
  }

  /** Takes a message of the hub. Rejects as the transport does. */
  async send(wire: WireMessage): Promise<void> {
    const message = toRaw(wire);
    if (message.kind === 'request') return this.#request(message);
    if (message.kind === 'notification') return this.#notification(message);
    this.#answerQuestion(message);
  }

  /** Takes a message of the server; `relatedTo` is the id of the request on whose stream it came. */
  receive(message: RawMessage, relatedTo?: number): void {
    if (message.kind === 'result' || message.kind === 'failure') {
      this.#answered(message, relatedTo);
      return;
    }
    if (message.kind === 'notification') {
      this.#receiveNotification(message, relatedTo);
      return;
    }
    if (message.kind === 'request') {
      const error = { code: rpcErrorCodes.methodNotFound, message: `Method not found: ${message.method}` };
      this.#options.send(toRaw(failure(message.id ?? null, error))).catch(ignore);
      return;
    }
    const isAnswer = message.kind === 'invalid' && message.method === undefined;
    const wireId = isAnswer ? toOwnId(message.id) : undefined;
    if (wireId === undefined || !this.#isOpen(wireId)) this.#options.deliver(message);
    else this.#answered(toRaw(failure(wireId, invalidResponse(message.value))), relatedTo);
  }

  #isOpen(wireId: number): boolean {
    return this.#calls.has(wireId) || this.#own.has(wireId) || this.#listen.has(wireId);
  }

  /** Handles the end of a request's stream without an answer. */
  lost(wireId: number, reason: Error): void {
    if (this.#listen.has(wireId)) {
      this.#listen.ended(wireId, false);
      return;
    }
    const own = this.#own.get(wireId);
    this.#own.delete(wireId);
    const call = this.#end(wireId);
    if (call !== undefined) this.#options.lost(call.id, reason);
    own?.(toRaw(failure(wireId, { code: rpcErrorCodes.internalError, message: reason.message })));
  }

  close(): void {
    this.#isClosed = true;
    this.#listen.close();
    this.#tasks.close();
  }

  async #request(message: RawMessage): Promise<void> {
    const { method } = message;
    switch (method) {
      case 'initialize':
        return this.#initialize(message);
      case 'ping':
        return this.#ping(message);
      case 'logging/setLevel':
        return this.#setLogLevel(message);
      case 'resources/subscribe':
        return this.#subscribe(message, (uri) => this.#listen.subscribe(uri));
      case 'resources/unsubscribe':
        return this.#subscribe(message, (uri) => this.#listen.unsubscribe(uri));
      default:
        if (!this.#isAboutLegacyTask(message)) return this.#call(message);
        // Sending is over long before the end of a task.
        void this.#tasks.request(message);
    }
  }

  #initialize({ id, params }: RawMessage): void {
    const { capabilities, serverInfo, instructions } = this.#options.discover;
    if (isRecord(params?.clientInfo)) this.#clientInfo = params.clientInfo;
    this.#clientInfoBytes = jsonBytes(this.#clientInfo);
    this.#stamp = undefined;
    const own = isRecord(params?.capabilities) ? params.capabilities : {};
    this.#capabilities = jsonBytes(own);
    this.#taskCapabilities = jsonBytes(withTasksExtension(own));
    this.#deliverResult(id, {
      protocolVersion: protocolVersions[0],
      capabilities: this.#hasTasks ? { ...capabilities, tasks: legacyTasks } : capabilities,
      serverInfo,
      ...(instructions === undefined ? {} : { instructions }),
    });
  }

  #setLogLevel({ id, params }: RawMessage): void {
    const isLevel = logLevelIndex(params?.level) !== -1;
    if (isLevel) this.#logLevel = params?.level;
    this.#stamp = undefined;
    if (isLevel) this.#deliverResult(id, {});
    else this.#refuse(id, 'There is no such log level');
  }

  #subscribe({ id, params }: RawMessage, change: (uri: string) => void): void {
    const uri = params?.uri;
    if (typeof uri === 'string') {
      change(uri);
      this.#deliverResult(id, {});
    } else this.#refuse(id, 'The uri must be text');
  }

  /** A modern server has no ping; any answer shows that it is alive. */
  async #ping({ id }: RawMessage): Promise<void> {
    const wireId = this.#nextId();
    this.#own.set(wireId, (answer) => {
      if (answer.kind === 'result') this.#deliverResult(id, {});
      else this.#options.deliver(answer.with({ id: JSON.stringify(id) }));
    });
    await this.#sendOwn(wireId, toRaw(discoverRequest(wireId, this.#clientInfo, this.#options.version)));
  }

  async #call(message: RawMessage): Promise<void> {
    const declared = message.paramText('clientCapabilities');
    const task = this.#taskUse(message, declared);
    const own = task === 'make' ? this.#taskCapabilities : this.#capabilities;
    const isOption = declared === undefined && message.param('task') !== undefined;
    const request = isOption ? editMessage(message, ['params'], [noTask]) : message;
    const call: Call = {
      id: message.id ?? 0,
      request,
      capabilities: declared === undefined ? own : Buffer.from(declared),
      task,
      wireId: 0,
      round: 0,
      isAsking: false,
      requestState: undefined,
      questions: [],
      elicitations: [],
    };
    await this.#sendRound(call, []);
  }

  #isAboutLegacyTask(message: RawMessage): boolean {
    const isOfSession = message.paramText('clientCapabilities') === undefined;
    return this.#hasTasks && isOfSession && message.method?.startsWith('tasks/') === true;
  }

  #taskUse(message: RawMessage, declared: string | undefined): TaskUse {
    if (message.method !== 'tools/call') return 'refuse';
    if (declared !== undefined) return declaresTasksIn(declared) ? 'pass' : 'refuse';
    return this.#hasTasks && message.param('task') !== undefined ? 'make' : 'refuse';
  }

  /** Sends the call with the answers of the last round, if any, under a new id. */
  async #sendRound(call: Call, answers: readonly Question[]): Promise<void> {
    call.wireId = this.#nextId();
    call.questions = [];
    call.isAsking = false;
    this.#calls.set(call.wireId, call);
    this.#wireIds.set(call.id, call.wireId);
    const responses = answers.map(({ key, answer }) => `${JSON.stringify(key)}:${answer?.toString('utf8')}`);
    const stamped = stampMeta(call.request, this.#envelope(call.capabilities), String(call.wireId));
    const edits = [
      ...(responses.length === 0
        ? []
        : [{ name: 'inputResponses', value: Buffer.from(`{${responses.join(',')}}`) }]),
      ...(call.requestState === undefined ? [] : [{ name: 'requestState', value: call.requestState }]),
    ];
    const complete = edits.length === 0 ? stamped : editMessage(stamped, ['params'], edits);
    try {
      await this.#options.send(complete);
    } catch (error) {
      if (this.#end(call.wireId) !== undefined) throw error;
    }
  }

  #envelope(capabilities: Buffer): readonly Stamp[] {
    if (this.#stamp?.capabilities.equals(capabilities) !== true)
      this.#stamp = { capabilities, members: this.#envelopeOf(capabilities) };
    return this.#stamp.members;
  }

  #envelopeOf(capabilities: Buffer): readonly Stamp[] {
    return [
      { name: metaKeys.version, value: this.#version },
      { name: metaKeys.capabilities, value: capabilities },
      { name: metaKeys.clientInfo, value: this.#clientInfoBytes },
      ...(this.#logLevel === undefined
        ? []
        : [{ name: metaKeys.logLevel, value: jsonBytes(this.#logLevel) }]),
    ];
  }

  #notification({ method, params }: RawMessage): void {
    if (method === 'notifications/initialized') {
      this.#listen.start();
      return;
    }
    if (method !== 'notifications/cancelled' || this.#tasks.stopWaiting(params?.requestId)) return;
    const wireId = this.#wireIds.get(params?.requestId as JsonRpcId);
    const call = wireId === undefined ? undefined : this.#end(wireId);
    if (call !== undefined) this.#cancel(call.wireId, params?.reason);
  }

  #cancel(requestId: number, reason?: unknown): void {
    const why = typeof reason === 'string' ? { reason } : {};
    const params = { requestId, ...why };
    this.#options.send(toRaw({ jsonrpc: '2.0', method: 'notifications/cancelled', params })).catch(ignore);
  }

  #answered(message: RawMessage, relatedTo: number | undefined): void {
    const wireId = toOwnId(message.id) ?? relatedTo ?? -1;
    if (this.#listen.has(wireId)) {
      const code = message.error?.code;
      this.#listen.ended(wireId, code !== undefined);
      return;
    }
    const own = this.#own.get(wireId);
    if (own !== undefined) {
      this.#own.delete(wireId);
      own(message);
      return;
    }
    const call = this.#calls.get(wireId);
    if (call === undefined) return;
    if (message.kind === 'failure') this.#takeFailure(call, message);
    else this.#takeResult(call, message);
  }

  /** A call that is only possible as a task was not begun; a client that knows none waits for its end. */
  #takeFailure(call: Call, message: RawMessage): void {
    const { code = 0, data } = message.error ?? {};
    if (call.task === 'refuse' && this.#isOfSession(call) && needsTasks(code, data)) {
      call.task = 'follow';
      call.capabilities = this.#taskCapabilities;
      this.#repeat(call, []);
      return;
    }
    this.#deliverAnswer(call, message);
  }

  #takeResult(call: Call, message: RawMessage): void {
    const type = resultType(message);
    if (type === 'input_required') {
      // The first of two answers to one request counts, or the call would be sent twice.
      if (!call.isAsking) this.#ask(call, message);
      return;
    }
    if (type === 'complete') {
      this.#questions.complete(call);
      this.#complete(call, withoutReserved(message, ['result', '_meta']));
      return;
    }
    if (type === 'task' && call.task !== 'refuse') {
      this.#takeTask(call, withoutReserved(message, ['result', '_meta']));
      return;
    }
    const text = `The server answered with an unknown resultType: ${type.slice(0, 64)}`;
    this.#deliverError(call, { code: rpcErrorCodes.internalError, message: text });
  }

  #complete(call: Call, message: RawMessage): void {
    if (call.task !== 'make') {
      this.#deliverAnswer(call, message);
      return;
    }
    this.#end(call.wireId);
    this.#tasks.completed(call.id, message);
  }

  #takeTask(call: Call, message: RawMessage): void {
    if (call.task === 'pass') {
      this.#deliverAnswer(call, message);
      return;
    }
    this.#end(call.wireId);
    if (call.task === 'make') this.#tasks.created(call.id, message);
    else void this.#follow(call, message);
  }

  async #follow(call: Call, message: RawMessage): Promise<void> {
    const outcome = await this.#tasks.follow(call.id, message);
    if (outcome === undefined) return;
    if ('error' in outcome) this.#options.deliver(failure(call.id, outcome.error));
    else this.#options.deliver(resultMessage(call.id, outcome.result));
  }

  #isOfSession({ capabilities }: Call): boolean {
    return capabilities === this.#capabilities;
  }

  /** Asks the hub what the server asks, or repeats the call at once if it only needs more time. */
  #ask(call: Call, message: RawMessage): void {
    const asked = this.#questions.ask(call, message);
    if (asked === 'later') void this.#repeatLater(call);
    else if (asked !== 'asked') this.#deliverError(call, asked.error);
  }

  async #repeatLater(call: Call): Promise<void> {
    await delay(this.#options.clock, stateOnlyDelayMs * call.round);
    if (!this.#isClosed && this.#calls.get(call.wireId) === call) this.#repeat(call, []);
  }

  #repeat(call: Call, answers: readonly Question[]): void {
    this.#end(call.wireId);
    this.#sendRound(call, answers).catch((error: unknown) =>
      this.#options.lost(call.id, error instanceof Error ? error : new Error(String(error))),
    );
  }

  /** Takes an answer of the hub, and repeats the call once all questions of the round are answered. */
  #answerQuestion(message: RawMessage): void {
    if (this.#tasks.answer(message)) return;
    const answered = this.#questions.answer(message);
    if (answered === undefined) return;
    const { call } = answered;
    if (answered.next === 'end') this.#deliverError(call, answered.error);
    else if (answered.next === 'repeat' && this.#calls.get(call.wireId) === call)
      this.#repeat(call, call.questions);
  }

  #receiveNotification(message: RawMessage, relatedTo: number | undefined): void {
    const { method, params } = message;
    const meta = isRecord(params?._meta) ? params._meta : {};
    const listenId = meta[metaKeys.subscriptionId];
    if (method === 'notifications/subscriptions/acknowledged') {
      this.#listen.acknowledged(listenId ?? relatedTo);
      return;
    }
    if (method === 'notifications/cancelled') {
      this.#listen.ended(toOwnId(params?.requestId) ?? listenId, false);
      return;
    }
    const related = relatedTo === undefined ? undefined : this.#calls.get(relatedTo)?.id;
    this.#options.deliver(withoutReserved(message, ['params', '_meta']), related);
  }

  #openListen(notifications: object): number {
    const wireId = this.#nextId();
    const params = { notifications, _meta: this.#meta(this.#capabilities) };
    const message = toRaw({ jsonrpc: '2.0', id: wireId, method: 'subscriptions/listen', params });
    this.#options.send(message).catch((error: Error) => this.lost(wireId, error));
    return wireId;
  }

  #meta(capabilities: Buffer): object {
    const members = this.#envelope(capabilities);
    return Object.fromEntries(members.map(({ name, value }) => [name, JSON.parse(value.toString('utf8'))]));
  }

  /** Sends a request of our own about a task. */
  #askServer(method: string, params: object): Promise<RawMessage> {
    const id = this.#nextId();
    const message = toRaw({
      jsonrpc: '2.0',
      id,
      method,
      params: { ...params, _meta: this.#meta(this.#taskCapabilities) },
    });
    return new Promise((resolve) => {
      this.#own.set(id, resolve);
      this.#options.send(message).catch((error: unknown) => {
        const lost = { code: rpcErrorCodes.internalError, message: String(error) };
        if (this.#own.delete(id)) resolve(toRaw(failure(id, lost)));
      });
    });
  }

  async #sendOwn(wireId: number, message: RawMessage): Promise<void> {
    try {
      await this.#options.send(message);
    } catch (error) {
      if (this.#own.delete(wireId)) throw error;
    }
  }

  #deliverAnswer(call: Call, message: RawMessage): void {
    this.#end(call.wireId);
    this.#options.deliver(message.with({ id: JSON.stringify(call.id) }));
  }

  #deliverError(call: Call, error: JsonRpcErrorObject): void {
    this.#end(call.wireId);
    this.#options.deliver(failure(call.id, error));
  }

  #refuse(id: JsonRpcId | null | undefined, message: string): void {
    this.#options.deliver(failure(id ?? null, { code: rpcErrorCodes.invalidParams, message }));
  }

  #deliverResult(id: JsonRpcId | null | undefined, result: object): void {
    this.#options.deliver({ jsonrpc: '2.0', id: id ?? 0, result });
  }

  /** Forgets a round; questions that are still open are cancelled. */
  #end(wireId: number): Call | undefined {
    const call = this.#calls.get(wireId);
    if (call === undefined) return undefined;
    this.#calls.delete(wireId);
    this.#wireIds.delete(call.id);
    this.#questions.cancel(call);
    return call;
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }
}

/** Capabilities that a server with the extension offers to clients with sessions. */
const legacyTasks = { list: {}, cancel: {}, requests: { tools: { call: {} } } };
const noTask = { name: 'task', value: undefined };

/** Milliseconds before a call is repeated that only needs more time; grows with each round. */
const stateOnlyDelayMs = 250;
const ignore = () => {};

function failure(id: JsonRpcId | null, error: JsonRpcErrorObject) {
  return { jsonrpc: '2.0', id, error } as const;
}

/** The type of a result; a server that leaves it out means a complete one. */
function resultType(message: RawMessage): string {
  const bytes = message.resultBytes;
  if (bytes !== undefined && !bytes.includes('"resultType"')) return 'complete';
  const value = bytes === undefined ? undefined : readMember(bytes, ['resultType']);
  if (bytes !== undefined && value === undefined) return 'complete';
  const type = value === undefined ? memberOf(message.result) : JSON.parse(value.toString('utf8'));
  return typeof type === 'string' ? type : 'complete';
}

function memberOf(result: unknown): unknown {
  return isRecord(result) ? result.resultType : undefined;
}
