import { isRecord } from '../../../shared/json.ts';
import type { Disposable } from '../base/emitter.ts';
import type { JsonRpcNotification } from '../rpc/message.ts';
import type { SupervisedServer } from '../supervise/contract.ts';
import type { Question } from './backchannel-contract.ts';
import { connectionOf } from './backchannel-shared.ts';
import { unknownTask } from './error-map.ts';
import { ignore } from './ledgers.ts';
import { isLastStatus, resultOf } from './tasks.ts';

interface ClientTask {
  readonly server: SupervisedServer;
  readonly progress: Disposable | undefined;
}

type Ask = (question: Question) => Promise<unknown>;

/**
 * Tasks that a client runs for the servers of its own session. The client sees the hub as a single server, so
 * each server gets access only to the tasks it created.
 */
export class ClientTasks {
  readonly #ask: Ask;
  readonly #tasks = new Map<string, ClientTask>();

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** Forwards a server's request to the client, whether it concerns tasks or not. */
  async ask(server: SupervisedServer, question: Question): Promise<unknown> {
    const { method, params = {} } = question.message;
    switch (method) {
      case 'tasks/get':
      case 'tasks/result':
      case 'tasks/cancel':
        return this.#about(server, question, params.taskId);
      case 'tasks/list':
        return this.#list(server, question);
      default:
        return params.task === undefined ? this.#ask(question) : this.#create(server, question);
    }
  }

  /** Forwards a task status from the client. */
  told({ method, params }: JsonRpcNotification): void {
    const task = typeof params?.taskId === 'string' ? this.#tasks.get(params.taskId) : undefined;
    if (task === undefined) return;
    connectionOf(task.server)?.notify(method, params).catch(ignore);
    this.#noted(params?.taskId, params?.status);
  }

  /** Forgets the tasks of a process that has ended. */
  lost(server: SupervisedServer): void {
    for (const [taskId, task] of this.#tasks) if (task.server === server) this.#forget(taskId);
  }

  dispose(): void {
    for (const taskId of this.#tasks.keys()) this.#forget(taskId);
  }

  async #create(server: SupervisedServer, question: Question): Promise<unknown> {
    let progress: Disposable | undefined;
    const answer = await this.#ask({
      ...question,
      keepProgress: (kept) => {
        progress = kept;
      },
    });
    const { task } = resultOf(answer);
    if (isRecord(task) && typeof task.taskId === 'string') this.#remember(task.taskId, { server, progress });
    else progress?.dispose();
    return answer;
  }

  async #about(server: SupervisedServer, question: Question, taskId: unknown): Promise<unknown> {
    if (!this.#isOf(server, taskId)) throw unknownTask(taskId);
    const answer = await this.#ask(question);
    this.#noted(taskId, question.message.method === 'tasks/result' ? 'completed' : resultOf(answer).status);
    return answer;
  }

  async #list(server: SupervisedServer, question: Question): Promise<unknown> {
    const result = resultOf(await this.#ask(question));
    const all = Array.isArray(result.tasks) ? result.tasks : [];
    return { ...result, tasks: all.filter((task) => isRecord(task) && this.#isOf(server, task.taskId)) };
  }

  #isOf(server: SupervisedServer, taskId: unknown): boolean {
    return typeof taskId === 'string' && this.#tasks.get(taskId)?.server === server;
  }

  #remember(taskId: string, task: ClientTask): void {
    this.#forget(taskId);
    this.#tasks.set(taskId, task);
    const [oldest] = this.#tasks.keys();
    if (this.#tasks.size > remembered && oldest !== undefined) this.#forget(oldest);
  }

  /** A finished task is remembered because its result may still be fetched. */
  #noted(taskId: unknown, status: unknown): void {
    if (typeof taskId === 'string' && isLastStatus(status)) this.#tasks.get(taskId)?.progress?.dispose();
  }

  #forget(taskId: string): void {
    this.#tasks.get(taskId)?.progress?.dispose();
    this.#tasks.delete(taskId);
  }
}

const remembered = 1_024;
