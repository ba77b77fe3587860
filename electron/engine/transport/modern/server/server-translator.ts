import { isRecord, scalarText } from '../../../../../shared/json.ts';
import { protocolVersions } from '../../../../../shared/model/mcp.ts';
import { logLevelOf, logLevels } from '../../../../../shared/model/server/log-levels.ts';
import type { Clock } from '../../../base/clock.ts';
import { invalidResponse } from '../../../jsonrpc/invalid-messages.ts';
import { type JsonRpcErrorObject, type JsonRpcId, rpcErrorCodes } from '../../../jsonrpc/message.ts';
import { toOwnId } from '../../../jsonrpc/message-kind.ts';
import type { RawMessage } from '../../../jsonrpc/raw-message.ts';
import { toRaw, type WireMessage } from '../../../jsonrpc/read-message.ts';
import { type DiscoverResult, discoverRequest } from '../discover.ts';
import { withoutReserved } from '../edit-message.ts';
import { hopKeys, metaKeys } from '../protocol.ts';
import { declaresTasks, hasEnded, isTask, toLegacyTask } from '../task-shapes.ts';
import { ServerCalls } from './server-calls.ts';
import { ServerEnvelope } from './server-envelope.ts';
import { ServerListen } from './server-listen.ts';
import { ServerTasks } from './server-tasks.ts';

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

/**
 * Lets the hub, which speaks the session-based protocol inside, use a server of the stateless one: answers
 * the handshake from `server/discover`, stamps each request with the envelope, and turns `input_required`
 * into the requests that the hub knows, then repeats the call with their answers.
 */
export class ServerTranslator {
  readonly #options: ServerTranslatorOptions;
  readonly #envelope: ServerEnvelope;
  readonly #listen: ServerListen;
  readonly #tasks: ServerTasks;
  /** True if the server has the extension for tasks. */
  readonly #hasTasks: boolean;
  readonly #calls: ServerCalls;
  /** Ids of requests of our own, with what to do when they are answered. */
  readonly #own = new Map<number, (answer: RawMessage) => void>();
  /** Higher than the ids of the hub, under which its calls are sent. */
  #lastId = 1_000_000_000;

  constructor(options: ServerTranslatorOptions) {
    const { clock, deliver, lost } = options;
    this.#options = options;
    this.#envelope = new ServerEnvelope(options.version);
    this.#hasTasks = declaresTasks(options.discover.capabilities);
    this.#tasks = new ServerTasks({
      clock,
      ask: (method, params) => this.#askServer(method, params),
      deliver,
    });
    this.#calls = new ServerCalls({
      clock,
      envelope: this.#envelope,
      tasks: this.#tasks,
      hasTasks: this.#hasTasks,
      nextId: () => this.#nextId(),
      send: (message) => options.send(message),
      deliver,
      lost,
    });
    this.#listen = new ServerListen({
      clock,
      capabilities: options.discover.capabilities,
      open: (notifications) => this.#openListen(notifications),
      cancel: (id) => this.#cancel(id),
      missed: (methods) => {
        for (const method of methods) deliver({ jsonrpc: '2.0', method });
      },
      missedTasks: (taskIds) => {
        for (const taskId of taskIds) deliver({ jsonrpc: '2.0', method: taskStatus, params: { taskId } });
      },
    });
  }

  /** Takes a message of the hub. Rejects as the transport does. */
  send(wire: WireMessage): Promise<void> {
    const message = toRaw(wire);
    if (message.kind === 'request') return this.#request(message) ?? Promise.resolve();
    if (message.kind === 'notification') this.#notification(message);
    else if (!this.#tasks.answer(message)) this.#calls.answerQuestion(message);
    return Promise.resolve();
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
      this.#listen.ended(wireId, undefined);
      return;
    }
    const own = this.#own.get(wireId);
    this.#own.delete(wireId);
    this.#calls.lost(wireId, reason);
    own?.(toRaw(failure(wireId, { code: rpcErrorCodes.internalError, message: reason.message })));
  }

  close(): void {
    this.#calls.close();
    this.#listen.close();
    this.#tasks.close();
  }

  /** Returns a promise if something is sent. */
  #request(message: RawMessage): Promise<void> | undefined {
    switch (message.method) {
      case 'initialize':
        this.#initialize(message);
        return undefined;
      case 'ping':
        return this.#ping(message);
      case 'logging/setLevel':
        this.#setLogLevel(message);
        return undefined;
      case 'resources/subscribe':
        void this.#subscribe(message);
        return undefined;
      case 'resources/unsubscribe':
        this.#unsubscribe(message);
        return undefined;
      default:
        return this.#forward(message);
    }
  }

  #forward(message: RawMessage): Promise<void> | undefined {
    const declared = message.paramText('clientCapabilities');
    const isAboutTask = message.method?.startsWith('tasks/') === true;
    if (declared !== undefined && isAboutTask && isWatch(message)) {
      void this.#watch(message, declared);
      return undefined;
    }
    if (!this.#hasTasks || declared !== undefined || !isAboutTask)
      return this.#calls.begin(message, declared);
    // Sending is over long before the end of a task.
    void this.#tasks.request(message);
    return undefined;
  }

  /** Answers once the server has agreed to notify about the task. */
  async #watch(message: RawMessage, declared: string): Promise<void> {
    if (await this.#listen.watchTask(scalarText(message.params?.taskId)))
      this.#calls
        .begin(message, declared)
        .catch((error: Error) => this.#options.lost(message.id ?? 0, error));
    else this.#refuse(message.id, 'The server does not notify about this task');
  }

  #initialize({ id, params }: RawMessage): void {
    const { capabilities, serverInfo, instructions } = this.#options.discover;
    this.#envelope.initialize(params);
    this.#deliverResult(id, {
      protocolVersion: protocolVersions[0],
      capabilities: this.#hasTasks ? { ...capabilities, tasks: legacyTasks } : capabilities,
      serverInfo,
      ...(instructions === undefined ? {} : { instructions }),
    });
  }

  #setLogLevel({ id, params }: RawMessage): void {
    const level = logLevelOf(params?.level);
    if (level === undefined) {
      this.#refuse(id, `There is no such log level; the levels are ${logLevels.join(', ')}`);
      return;
    }
    this.#envelope.setLogLevel(level);
    this.#deliverResult(id, {});
  }

  /** Answers once the server has acknowledged the resource, or left it out. */
  async #subscribe({ id, params }: RawMessage): Promise<void> {
    const uri = params?.uri;
    if (typeof uri !== 'string') this.#refuse(id, noUri);
    else if (await this.#listen.subscribe(uri)) this.#deliverResult(id, {});
    else this.#refuse(id, 'The server does not notify about this resource');
  }

  #unsubscribe({ id, params }: RawMessage): void {
    const uri = params?.uri;
    if (typeof uri !== 'string') {
      this.#refuse(id, noUri);
      return;
    }
    this.#listen.unsubscribe(uri);
    this.#deliverResult(id, {});
  }

  /** A modern server has no ping; any answer shows that it is alive. */
  async #ping({ id }: RawMessage): Promise<void> {
    const wireId = this.#nextId();
    this.#own.set(wireId, (answer) => {
      if (answer.kind === 'result') this.#deliverResult(id, {});
      else this.#options.deliver(answer.with({ id: JSON.stringify(id) }));
    });
    await this.#sendOwn(
      wireId,
      toRaw(discoverRequest(wireId, this.#envelope.clientInfo, this.#options.version)),
    );
  }

  #notification({ method, params }: RawMessage): void {
    if (method === 'notifications/initialized') {
      this.#listen.start();
      return;
    }
    if (method !== 'notifications/cancelled' || this.#tasks.stopWaiting(params?.requestId)) return;
    const wireId = this.#calls.cancel(params?.requestId);
    if (wireId !== undefined) this.#cancel(wireId, params?.reason);
  }

  #cancel(requestId: number, reason?: unknown): void {
    const why = typeof reason === 'string' ? { reason } : {};
    const params = { requestId, ...why };
    this.#options.send(toRaw({ jsonrpc: '2.0', method: 'notifications/cancelled', params })).catch(ignore);
  }

  #answered(message: RawMessage, relatedTo: number | undefined): void {
    const wireId = toOwnId(message.id) ?? relatedTo ?? -1;
    if (this.#listen.has(wireId)) {
      this.#listen.ended(wireId, message.error);
      return;
    }
    const own = this.#own.get(wireId);
    if (own !== undefined) {
      this.#own.delete(wireId);
      own(message);
      return;
    }
    this.#calls.answered(wireId, message);
  }

  #receiveNotification(message: RawMessage, relatedTo: number | undefined): void {
    const { method, params } = message;
    const meta = isRecord(params?._meta) ? params._meta : {};
    const listenId = toOwnId(meta[metaKeys.subscriptionId]);
    if (method === 'notifications/subscriptions/acknowledged') {
      this.#listen.acknowledged(listenId ?? relatedTo, params?.notifications);
      return;
    }
    if (method === 'notifications/cancelled') {
      this.#listen.ended(toOwnId(params?.requestId) ?? listenId, undefined);
      return;
    }
    if (method === 'notifications/tasks') {
      this.#receiveStatus(params);
      return;
    }
    if (method === 'notifications/progress' && !this.#calls.passesProgress(message)) return;
    const related = relatedTo === undefined ? undefined : this.#calls.idOf(relatedTo);
    this.#options.deliver(withoutReserved(message, ['params', '_meta']), related);
  }

  #receiveStatus(params: unknown): void {
    if (!isTask(params)) return;
    if (hasEnded(params.status)) this.#listen.forgetTask(params.taskId);
    this.#options.deliver({ jsonrpc: '2.0', method: taskStatus, params: toLegacyTask(params) });
  }

  #openListen(notifications: object): number {
    const wireId = this.#nextId();
    const { plain, tasks } = this.#envelope.capabilities;
    const params = { notifications, _meta: this.#envelope.meta('taskIds' in notifications ? tasks : plain) };
    const message = toRaw({ jsonrpc: '2.0', id: wireId, method: 'subscriptions/listen', params });
    this.#options.send(message).catch((error: Error) => this.lost(wireId, error));
    return wireId;
  }

  /** Sends a request of our own about a task. */
  #askServer(method: string, params: object): Promise<RawMessage> {
    const id = this.#nextId();
    const _meta = this.#envelope.meta(this.#envelope.capabilities.tasks);
    const message = toRaw({ jsonrpc: '2.0', id, method, params: { ...params, _meta } });
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

  #refuse(id: JsonRpcId | null | undefined, message: string): void {
    this.#options.deliver(failure(id ?? null, { code: rpcErrorCodes.invalidParams, message }));
  }

  #deliverResult(id: JsonRpcId | null | undefined, result: object): void {
    this.#options.deliver({ jsonrpc: '2.0', id: id ?? 0, result });
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }
}

/** Capabilities that a server with the extension offers to clients with sessions. */
const legacyTasks = { list: {}, cancel: {}, requests: { tools: { call: {} } } };
const taskStatus = 'notifications/tasks/status';
const noUri = 'The uri must be text';
const ignore = () => {};

/** Tells whether a request about a task is answered once the server has agreed to notify about it. */
function isWatch({ method, params }: RawMessage): boolean {
  return method === 'tasks/get' && isRecord(params?._meta) && params._meta[hopKeys.watch] === true;
}

function failure(id: JsonRpcId | null, error: JsonRpcErrorObject) {
  return { jsonrpc: '2.0', id, error } as const;
}
