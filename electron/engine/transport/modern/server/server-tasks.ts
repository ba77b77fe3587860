import { randomUUID } from 'node:crypto';
import { isRecord, scalarText } from '../../../../../shared/json.ts';
import { type Clock, delay } from '../../../base/clock.ts';
import { readMember } from '../../../jsonrpc/json/edit-json.ts';
import { type JsonRpcErrorObject, type JsonRpcId, rpcErrorCodes } from '../../../jsonrpc/message.ts';
import type { RawMessage } from '../../../jsonrpc/raw-message.ts';
import { readMessage, type WireMessage } from '../../../jsonrpc/read-message.ts';
import { jsonBytes, resultMessage } from '../edit-message.ts';
import { hasEnded, isTask, type TaskMembers, toLegacyTask, withRelatedTask } from '../task-shapes.ts';

export interface ServerTasksOptions {
  readonly clock: Clock;
  /** Sends a request of our own to the server, which declares the extension. */
  readonly ask: (method: string, params: object) => Promise<RawMessage>;
  /** Delivers a message of a server with sessions; `relatedTo` is the hub's request that it belongs to. */
  readonly deliver: (message: WireMessage, relatedTo?: JsonRpcId) => void;
}

/** The end of a task: a result as JSON, or an error. */
export type TaskOutcome = { readonly result: Buffer } | { readonly error: JsonRpcErrorObject };

interface Task {
  /** As it was last described, in the terms of the session-based protocol. */
  shown: TaskMembers;
  /** Set if the call was answered at once; the server knows of no task. */
  readonly outcome: Buffer | undefined;
  /** Keys of questions that were asked, each once in the life of a task. */
  readonly asked: Set<string>;
  failure: JsonRpcErrorObject | undefined;
}

/**
 * Tasks of a stateless server, for clients with sessions: created by calls that ask for a task, read with
 * `tasks/get`, `tasks/result` and `tasks/list`, with questions asked as requests.
 */
export class ServerTasks {
  readonly #options: ServerTasksOptions;
  readonly #tasks = new Map<string, Task>();
  readonly #questions = new Map<
    string,
    { readonly taskId: string; readonly key: string; readonly method: string }
  >();
  /** Requests of the hub that wait for the end of a task. */
  readonly #waiting = new Map<JsonRpcId, AbortController>();
  #lastQuestion = 0;
  #isClosed = false;

  constructor(options: ServerTasksOptions) {
    this.#options = options;
  }

  /** Answers a call with the task that the server made of it. */
  created(id: JsonRpcId, message: RawMessage): void {
    if (!isTask(message.result)) {
      const error = { code: rpcErrorCodes.internalError, message: 'The server made a task without an id' };
      this.#options.deliver({ jsonrpc: '2.0', id, error });
      return;
    }
    const task = this.#remember(toLegacyTask(message.result), undefined);
    this.#options.deliver({ jsonrpc: '2.0', id, result: { task } });
  }

  /** Answers a call with a task that has already ended, since the server answered at once. */
  completed(id: JsonRpcId, message: RawMessage): void {
    const at = new Date(this.#options.clock.now()).toISOString();
    const bytes = message.resultBytes ?? jsonBytes(message.result);
    const isError = isRecord(message.result) && message.result.isError === true;
    const task = this.#remember(
      {
        taskId: randomUUID(),
        status: isError ? 'failed' : 'completed',
        createdAt: at,
        lastUpdatedAt: at,
        ttl: keptMs,
      },
      Buffer.from(bytes),
    );
    void delay(this.#options.clock, keptMs).then(() => this.#tasks.delete(task.taskId));
    this.#options.deliver({ jsonrpc: '2.0', id, result: { task } });
  }

  /** Takes a request about a task from a client with a session. */
  async request({ id = 0, method, params }: RawMessage): Promise<void> {
    const deliver = (outcome: { readonly result: unknown } | { readonly error: JsonRpcErrorObject }) =>
      this.#options.deliver({ jsonrpc: '2.0', id: id ?? 0, ...outcome } as WireMessage);
    if (method === 'tasks/list') {
      deliver({ result: { tasks: [...this.#tasks.values()].map(({ shown }) => shown) } });
      return;
    }
    const taskId = scalarText(params?.taskId);
    if (method === 'tasks/result') await this.#answerWithResult(id ?? 0, taskId);
    else if (method === 'tasks/cancel') deliver(await this.#cancel(taskId));
    else deliver(await this.#get(taskId));
  }

  /** Stops waiting for a task that the hub does not wait for any more; false if this request is none. */
  stopWaiting(requestId: unknown): boolean {
    const waiting = this.#waiting.get(requestId as JsonRpcId);
    waiting?.abort();
    return waiting !== undefined;
  }

  /** Follows the task of a call to its end, for a client that knows no tasks. Undefined if nobody waits any more. */
  async follow(requestId: JsonRpcId, message: RawMessage): Promise<TaskOutcome | undefined> {
    if (!isTask(message.result)) return { error: noTask };
    const { taskId } = this.#remember(toLegacyTask(message.result), undefined);
    const outcome = await this.#outcomeOf(requestId, taskId);
    if (outcome === undefined) void this.#options.ask('tasks/cancel', { taskId });
    this.#tasks.delete(taskId);
    return outcome;
  }

  /** Takes the answer to a question of a task; false for any other answer. */
  answer(message: RawMessage): boolean {
    const question = this.#questions.get(String(message.id));
    if (question === undefined) return false;
    this.#questions.delete(String(message.id));
    const { taskId, key, method } = question;
    const bytes = message.resultBytes ?? jsonBytes(message.result ?? null);
    if (message.error === undefined) this.#update(taskId, key, JSON.parse(bytes.toString('utf8')));
    else if (method === 'elicitation/create') this.#update(taskId, key, { action: 'cancel' });
    else this.#fail(taskId, message.error);
    return true;
  }

  close(): void {
    this.#isClosed = true;
    for (const waiting of this.#waiting.values()) waiting.abort();
  }

  #update(taskId: string, key: string, response: unknown): void {
    void this.#options.ask('tasks/update', { taskId, inputResponses: { [key]: response } });
  }

  /** Only elicitation can be refused within a task, so the task ends with the refusal. */
  #fail(taskId: string, error: JsonRpcErrorObject): void {
    const task = this.#tasks.get(taskId);
    if (task !== undefined) task.failure = error;
    void this.#options.ask('tasks/cancel', { taskId });
  }

  async #get(
    taskId: string,
  ): Promise<{ readonly result: TaskMembers } | { readonly error: JsonRpcErrorObject }> {
    const known = this.#tasks.get(taskId);
    if (known?.outcome !== undefined) return { result: known.shown };
    const { error, result } = await this.#options.ask('tasks/get', { taskId });
    if (error !== undefined) return { error };
    if (!isTask(result)) return { error: noTask };
    return { result: this.#remember(toLegacyTask(result), undefined) };
  }

  /** Answers with the state of the task after the server has acknowledged the cancellation. */
  async #cancel(taskId: string) {
    if (this.#tasks.get(taskId)?.outcome !== undefined)
      return {
        error: { code: rpcErrorCodes.invalidParams, message: `The task ${taskId} has already ended` },
      };
    const { error } = await this.#options.ask('tasks/cancel', { taskId });
    return error === undefined ? this.#get(taskId) : { error };
  }

  async #answerWithResult(id: JsonRpcId, taskId: string): Promise<void> {
    const kept = this.#tasks.get(taskId)?.outcome;
    const outcome = kept === undefined ? await this.#outcomeOf(id, taskId) : { result: kept };
    if (outcome === undefined) return;
    if ('error' in outcome) this.#options.deliver({ jsonrpc: '2.0', id, ...outcome });
    else this.#options.deliver(resultMessage(id, withRelatedTask(outcome.result, taskId)));
  }

  /** Asks for a task until it has ended, and asks its questions on the way. */
  async #outcomeOf(requestId: JsonRpcId, taskId: string): Promise<TaskOutcome | undefined> {
    const waiting = new AbortController();
    this.#waiting.set(requestId, waiting);
    try {
      while (!waiting.signal.aborted && !this.#isClosed) {
        const answer = await this.#options.ask('tasks/get', { taskId });
        const { error, result } = answer;
        if (error !== undefined) return { error };
        if (!isTask(result)) return { error: noTask };
        this.#remember(toLegacyTask(result), undefined);
        const failure = this.#tasks.get(taskId)?.failure;
        if (failure !== undefined) return { error: failure };
        if (hasEnded(result.status)) return outcomeIn(answer, result);
        if (result.status === 'input_required') this.#askAll(taskId, answer, requestId);
        await delay(this.#options.clock, intervalOf(result), waiting.signal);
      }
      return undefined;
    } finally {
      this.#waiting.delete(requestId);
    }
  }

  #askAll(taskId: string, answer: RawMessage, requestId: JsonRpcId): void {
    const task = this.#tasks.get(taskId);
    const bytes = answer.resultBytes ?? jsonBytes(answer.result);
    const requests = isTask(answer.result) ? answer.result.inputRequests : undefined;
    for (const [key, request] of Object.entries(isRecord(requests) ? requests : {})) {
      if (!isRecord(request) || typeof request.method !== 'string' || task?.asked.has(key) !== false)
        continue;
      if (task.asked.size >= maxQuestions) return;
      task.asked.add(key);
      const params = isRecord(request.params)
        ? readMember(bytes, ['inputRequests', key, 'params'])
        : undefined;
      this.#askOne(taskId, key, request.method, params ?? jsonBytes({}), requestId);
    }
  }

  #askOne(taskId: string, key: string, method: string, params: Buffer, requestId: JsonRpcId): void {
    this.#lastQuestion += 1;
    const id = `patchbay-task-input-${this.#lastQuestion}`;
    this.#questions.set(id, { taskId, key, method });
    const head = `{"jsonrpc":"2.0","id":"${id}","method":${JSON.stringify(method)},"params":`;
    const related = withRelatedTask(params, taskId);
    const question = readMessage(Buffer.concat([Buffer.from(head), related, Buffer.from('}\n')]));
    if (question !== undefined) this.#options.deliver(question, requestId);
  }

  #remember(shown: TaskMembers, outcome: Buffer | undefined): TaskMembers {
    const known = this.#tasks.get(shown.taskId);
    if (known === undefined)
      this.#tasks.set(shown.taskId, { shown, outcome, asked: new Set(), failure: undefined });
    else known.shown = shown;
    const [oldest] = this.#tasks.keys();
    if (this.#tasks.size > maxTasks && oldest !== undefined) this.#tasks.delete(oldest);
    return shown;
  }
}

/** Milliseconds for which the answer to a call is kept that was to be a task. */
const keptMs = 10 * 60_000;
const maxTasks = 1_024;
const maxQuestions = 32;
const usualIntervalMs = 1_000;
const minIntervalMs = 100;
const maxIntervalMs = 60_000;
const noTask = { code: rpcErrorCodes.internalError, message: 'The server did not answer with a task' };

/** Milliseconds until a task is worth asking for again. */
function intervalOf({ pollIntervalMs }: TaskMembers): number {
  const wanted = typeof pollIntervalMs === 'number' ? pollIntervalMs : usualIntervalMs;
  return Math.min(Math.max(wanted, minIntervalMs), maxIntervalMs);
}

function outcomeIn(answer: RawMessage, { status, error, taskId, statusMessage }: TaskMembers): TaskOutcome {
  const bytes = answer.resultBytes ?? jsonBytes(answer.result);
  const result = status === 'completed' ? readMember(bytes, ['result']) : undefined;
  if (result !== undefined) return { result };
  if (isRecord(error) && typeof error.code === 'number' && typeof error.message === 'string')
    return { error: { ...error, code: error.code, message: error.message } };
  const why = typeof statusMessage === 'string' ? `: ${statusMessage}` : '';
  return {
    error: {
      code: rpcErrorCodes.internalError,
      message: `The task ${taskId} was ${scalarText(status)}${why}`,
    },
  };
}
