import { isRecord, scalarText } from '../../../../../shared/json.ts';
import { type Clock, delay } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/emitter.ts';
import { editMembers, type MemberEdit, readMember } from '../../../jsonrpc/json/edit-json.ts';
import { type JsonRpcErrorObject, rpcErrorCodes } from '../../../jsonrpc/message.ts';
import { RawMessage } from '../../../jsonrpc/raw-message.ts';
import { toRaw, type WireMessage } from '../../../jsonrpc/read-message.ts';
import { editMessage, jsonBytes, resultMessage } from '../edit-message.ts';
import type { Envelope } from '../envelope.ts';
import { hopKeys } from '../protocol.ts';
import { missingForQuestion, questionMethods } from '../question-capability.ts';
import {
  declaresTasks,
  hasEnded,
  isTask,
  relatedTaskId,
  type TaskMembers,
  tasksNotDeclared,
  toModernTask,
  withoutRelatedTask,
} from '../task-shapes.ts';
import { answersTo, askedParams, inputRequests, noAnswerTo, type Question } from './client-question.ts';
import { toModernError } from './client-result.ts';

export interface ClientTasksOptions {
  readonly clock: Clock;
  /** Sends a request of our own into the session. */
  readonly ask: (
    method: string,
    params: Readonly<Record<string, unknown>>,
    onAnswer: (answer: RawMessage) => void,
  ) => void;
  /** Sends the answer to a question of the session. */
  readonly answer: (message: WireMessage) => void;
  /** Tells whether the client listens to a task. */
  readonly hasListener: (taskId: string) => boolean;
  /** Sends the state of a task, as JSON, to its listeners. */
  readonly notify: (taskId: string, state: Buffer) => void;
}

/** The call of a client that has been answered. */
type TaskCall = { readonly method: string; readonly envelope: Pick<Envelope, 'capabilities'> };

/** A task that a call of the client became. */
interface Task {
  readonly taskId: string;
  /** How its server speaks. */
  readonly era: 'legacy' | 'modern';
  /** Capabilities in the client's latest request about it. */
  capabilities: Envelope['capabilities'];
  readonly questions: Map<string, Question>;
  lastQuestion: number;
  /** Set while the server is asked for the result, in which time it may ask questions. */
  isAwaited: boolean;
  /** Called with the next question. */
  onQuestion: () => void;
  /** Set while the listeners are being notified; `again` if its status changed meanwhile. */
  notifying: 'once' | 'again' | undefined;
  expiry: Disposable;
  readonly lifeMs: number;
}

/** Outcome of a request about a task: an answer, or the server of the task answers it. */
export type TaskRequestOutcome = Promise<WireAnswer> | 'forward';

/** `received` is the message that carried the error, if any. */
type WireAnswer =
  | { readonly result: unknown }
  | { readonly error: JsonRpcErrorObject; readonly received?: RawMessage };

/**
 * Tasks of a stateless client. Those of a stateless server pass; those of a server with sessions are described
 * as the extension does: with their result or their questions inside.
 */
export class ClientTasks {
  readonly #options: ClientTasksOptions;
  readonly #tasks = new Map<string, Task>();

  constructor(options: ClientTasksOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#tasks.size;
  }

  /** Remembers the task that a call has become, and returns the answer for the client; undefined if it is none. */
  created({ method, envelope: { capabilities } }: TaskCall, message: RawMessage): RawMessage | undefined {
    if (method !== 'tools/call' || !declaresTasks(capabilities)) return undefined;
    const bytes = message.resultBytes ?? jsonBytes(message.result);
    if (!bytes.includes('"task')) return undefined;
    const type = readMember(bytes, ['resultType']);
    if (type !== undefined) {
      const isCreated = type.toString('utf8') === '"task"' && isTask(message.result);
      if (isCreated) this.#remember(message.result, 'modern', capabilities, message.result.ttlMs);
      return isCreated ? message : undefined;
    }
    const { task, _meta, ...others } = isRecord(message.result) ? message.result : {};
    if (!isTask(task) || 'content' in others) return undefined;
    this.#remember(task, 'legacy', capabilities, task.ttl);
    return toRaw({
      jsonrpc: '2.0',
      id: 0,
      result: { ...others, resultType: 'task', ...toModernTask(task) },
    });
  }

  /** Takes a request about a task. */
  request(message: RawMessage, { capabilities }: Envelope): TaskRequestOutcome {
    const { method = '', params = {} } = message;
    if (!declaresTasks(capabilities)) return Promise.resolve({ error: tasksNotDeclared(method) });
    const task = this.#tasks.get(scalarText(params.taskId));
    if (task === undefined) return Promise.resolve({ error: unknown(params.taskId) });
    this.#touch(task);
    if (task.era === 'modern') return 'forward';
    task.capabilities = capabilities;
    switch (method) {
      case 'tasks/get':
        return this.#get(task);
      case 'tasks/update':
        this.#update(task, message);
        return Promise.resolve({ result: { resultType: 'complete' } });
      default:
        return this.#cancel(task);
    }
  }

  /** Takes a question that names a task of the client; false for any other. */
  onQuestion(message: RawMessage): boolean {
    const { id, method = '', params = {} } = message;
    const task = this.#tasks.get(relatedTaskId(params) ?? '');
    if (task === undefined) return false;
    const refuse = (text: string) => {
      const error = { code: rpcErrorCodes.methodNotFound, message: text };
      this.#options.answer(toRaw({ jsonrpc: '2.0', id: id ?? null, error }));
    };
    const isAsked = questionMethods.has(method);
    if (!isAsked || missingForQuestion(task.capabilities, method, params) !== undefined) {
      refuse(`The client does not support ${method}`);
      return true;
    }
    if (task.questions.size >= maxQuestions) {
      refuse('Too many questions of this task are open');
      return true;
    }
    addQuestion(task, { id: id ?? 0, method, params: askedParams(message) });
    return true;
  }

  /** Takes over a question of a call, if it names a task, which the call may have become. */
  takeOver(question: Question): boolean {
    const task = this.#tasks.get(relatedTaskId(JSON.parse(question.params.toString('utf8'))) ?? '');
    if (task !== undefined) addQuestion(task, question);
    return task !== undefined;
  }

  /** Returns those of these tasks that listeners will be notified about; a stateless server must agree to that. */
  async watch(taskIds: unknown): Promise<ReadonlySet<string>> {
    const ids = Array.isArray(taskIds) ? taskIds.slice(0, maxTasks) : [];
    const own = [...new Set(ids)].flatMap((taskId) => this.#tasks.get(scalarText(taskId)) ?? []);
    const watched = await Promise.all(
      own.map(async (task) => {
        if (task.era === 'legacy') return task.taskId;
        const { error } = await this.#ask('tasks/get', { taskId: task.taskId, _meta: metaFor(task, true) });
        return error === undefined ? task.taskId : undefined;
      }),
    );
    return new Set(watched.filter((taskId) => taskId !== undefined));
  }

  /** Takes a change of a task; its listeners get all of it, with its questions or its result. */
  async onStatus(taskId: unknown): Promise<void> {
    const task = this.#tasks.get(scalarText(taskId));
    if (task === undefined || !this.#options.hasListener(task.taskId)) return;
    const isBusy = task.notifying !== undefined;
    task.notifying = isBusy ? 'again' : 'once';
    if (isBusy) return;
    const answer = await (task.era === 'legacy' ? this.#get(task) : this.#getWhole(task));
    const isAgain = (task.notifying as string) === 'again';
    task.notifying = undefined;
    if ('result' in answer) this.#options.notify(task.taskId, stateIn(answer.result));
    if (isAgain) await this.onStatus(taskId);
  }

  /** Handles the end of a question by its server. */
  withdraw(questionId: unknown): void {
    for (const { questions } of this.#tasks.values())
      for (const [key, { id }] of questions) if (id === questionId) questions.delete(key);
  }

  close(): void {
    for (const { expiry } of this.#tasks.values()) expiry.dispose();
    this.#tasks.clear();
  }

  async #get(task: Task): Promise<WireAnswer> {
    const { taskId } = task;
    const answer = await this.#ask('tasks/get', { taskId });
    if (answer.error !== undefined)
      return { error: answer.error, received: toModernError(answer, 'tools/call') };
    const state = isRecord(answer.result) ? answer.result : {};
    const { _meta, ...members } = state;
    const shown = { ...toModernTask({ ...members, taskId }), resultType: 'complete' };
    if (state.status === 'completed' || state.status === 'failed') return this.#withOutcome(taskId, shown);
    if (state.status === 'cancelled') return { result: shown };
    if (state.status === 'input_required' && task.questions.size === 0) await this.#awaitQuestion(task);
    if (task.questions.size === 0) return { result: { ...shown, status: 'working' } };
    const value = inputRequests(task.questions.values());
    return { result: resultWith({ ...shown, status: 'input_required' }, { name: 'inputRequests', value }) };
  }

  /** Asks a stateless server, which says all of a task by itself. */
  async #getWhole(task: Task): Promise<WireAnswer> {
    const answer = await this.#ask('tasks/get', { taskId: task.taskId, _meta: metaFor(task, false) });
    return answer.error === undefined ? { result: answer } : { error: answer.error };
  }

  /** Puts the result of a task inside, as sent; a tool that failed has a result as well. */
  async #withOutcome(taskId: string, shown: Readonly<Record<string, unknown>>): Promise<WireAnswer> {
    const answer = await this.#ask('tasks/result', { taskId });
    if (answer.error !== undefined) {
      const value = readMember(answer.line(), ['error']) ?? jsonBytes(answer.error);
      return { result: resultWith({ ...shown, status: 'failed' }, { name: 'error', value }) };
    }
    const value = withoutRelatedTask(answer.resultBytes ?? jsonBytes(answer.result));
    return { result: resultWith({ ...shown, status: 'completed' }, { name: 'result', value }) };
  }

  /** Asks for the result, as servers with sessions ask their questions meanwhile; waits for the first. */
  async #awaitQuestion(task: Task): Promise<void> {
    const asked = new Promise<void>((resolve) => {
      task.onQuestion = resolve;
    });
    if (!task.isAwaited) {
      task.isAwaited = true;
      void this.#ask('tasks/result', { taskId: task.taskId }).then(() => {
        task.isAwaited = false;
        task.onQuestion();
      });
    }
    const over = new AbortController();
    await Promise.race([asked, delay(this.#options.clock, questionMs, over.signal)]);
    over.abort();
  }

  #update({ questions }: Task, message: RawMessage): void {
    for (const [{ key, id }, answer] of answersTo(questions.values(), message)) {
      questions.delete(key);
      if (id !== undefined) this.#options.answer(resultMessage(id, answer));
    }
  }

  /** A task that has ended meanwhile refuses to be cancelled, which is no error for the client. */
  async #cancel({ taskId }: Task): Promise<WireAnswer> {
    const answer = await this.#ask('tasks/cancel', { taskId });
    const { error } = answer;
    const isLate = error?.code === rpcErrorCodes.invalidParams;
    return error === undefined || isLate
      ? { result: { resultType: 'complete' } }
      : { error, received: answer };
  }

  #ask(method: string, params: Readonly<Record<string, unknown>>): Promise<RawMessage> {
    return new Promise((resolve) => this.#options.ask(method, params, resolve));
  }

  #remember(
    { taskId, status }: TaskMembers,
    era: Task['era'],
    capabilities: Envelope['capabilities'],
    ttl: unknown,
  ): void {
    const lifeMs = Math.min(typeof ttl === 'number' && !hasEnded(status) ? ttl : usualLifeMs, maxLifeMs);
    this.#forget(taskId);
    this.#tasks.set(taskId, {
      taskId,
      era,
      capabilities,
      questions: new Map(),
      lastQuestion: 0,
      isAwaited: false,
      onQuestion: () => {},
      notifying: undefined,
      lifeMs,
      expiry: this.#options.clock.after(lifeMs, () => this.#forget(taskId)),
    });
    const [oldest] = this.#tasks.keys();
    if (this.#tasks.size > maxTasks && oldest !== undefined) this.#forget(oldest);
  }

  #touch(task: Task): void {
    task.expiry.dispose();
    task.expiry = this.#options.clock.after(task.lifeMs, () => this.#forget(task.taskId));
  }

  /** Forgets a task, and answers its open questions in the client's place. */
  #forget(taskId: string): void {
    const task = this.#tasks.get(taskId);
    if (task === undefined) return;
    task.expiry.dispose();
    this.#tasks.delete(taskId);
    for (const question of task.questions.values()) {
      const answer = noAnswerTo(question, 'The client did not answer in time');
      if (answer !== undefined) this.#options.answer(answer);
    }
  }
}

function addQuestion(task: Task, { id, method, params }: Omit<Question, 'key'>): void {
  task.lastQuestion += 1;
  const key = `q${task.lastQuestion}`;
  task.questions.set(key, { key, id, method, params: withoutRelatedTask(params) });
  task.onQuestion();
}

function metaFor({ capabilities }: Task, isWatch: boolean): object {
  return { [hopKeys.capabilities]: capabilities, ...(isWatch ? { [hopKeys.watch]: true } : {}) };
}

/** Returns the state of a task, without the `resultType` of an answer. */
function stateIn(result: unknown): Buffer {
  const message = result instanceof RawMessage ? result : undefined;
  const bytes = message?.resultBytes ?? jsonBytes(message?.result ?? result);
  return editMembers(bytes, [], [{ name: 'resultType', value: undefined }]);
}

/** A result with one more member, given as JSON. */
function resultWith(members: object, more: MemberEdit): RawMessage {
  return editMessage(toRaw({ jsonrpc: '2.0', id: 0, result: { ...members } }), ['result'], [more]);
}

/** Milliseconds in which a server that says it needs input asks for it. */
const questionMs = 1_000;
/** Milliseconds for which a task is remembered after the client last asked for it, unless its server says. */
const usualLifeMs = 60 * 60_000;
const maxLifeMs = 24 * 60 * 60_000;
const maxTasks = 1_024;
const maxQuestions = 32;

function unknown(taskId: unknown): JsonRpcErrorObject {
  return {
    code: rpcErrorCodes.invalidParams,
    message: `Task not found: ${scalarText(taskId).slice(0, 200)}`,
  };
}
