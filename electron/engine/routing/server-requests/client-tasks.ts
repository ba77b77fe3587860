import { isRecord } from '../../../../shared/json.ts';
import type { Disposable } from '../../base/emitter.ts';
import type { JsonRpcNotification } from '../../jsonrpc/message.ts';
import { connectionOf, type SupervisedServer } from '../../servers/contract.ts';
import { unknownTask } from '../error-map.ts';
import { type ClientBoundRequest, ignore } from './contract.ts';
import { isFinalStatus, resultOf } from './task-index.ts';

interface ClientTask {
  readonly server: SupervisedServer;
  readonly progress: Disposable | undefined;
}

type SendRequest = (request: ClientBoundRequest) => Promise<unknown>;

/**
 * Tasks that a client runs for the servers of its own session. The client sees the hub as a single server, so
 * each server gets access only to the tasks it created.
 */
export class ClientTasks {
  readonly #ask: SendRequest;
  readonly #tasks = new Map<string, ClientTask>();

  constructor(ask: SendRequest) {
    this.#ask = ask;
  }

  /** Forwards a server's request to the client, whether it concerns tasks or not. */
  async ask(server: SupervisedServer, request: ClientBoundRequest): Promise<unknown> {
    const { method, params = {} } = request.message;
    switch (method) {
      case 'tasks/get':
      case 'tasks/result':
      case 'tasks/cancel':
        return this.#forwardTaskRequest(server, request, params.taskId);
      case 'tasks/list':
        return this.#list(server, request);
      default:
        return params.task === undefined ? this.#ask(request) : this.#create(server, request);
    }
  }

  /** Forwards a task status from the client. */
  onStatus({ method, params }: JsonRpcNotification): void {
    const task = typeof params?.taskId === 'string' ? this.#tasks.get(params.taskId) : undefined;
    if (task === undefined) return;
    connectionOf(task.server)?.notify(method, params).catch(ignore);
    this.#releaseIfFinal(params?.taskId, params?.status);
  }

  /** Forgets the tasks of a process that has ended. */
  onProcessEnded(server: SupervisedServer): void {
    for (const [taskId, task] of this.#tasks) if (task.server === server) this.#forget(taskId);
  }

  dispose(): void {
    for (const taskId of this.#tasks.keys()) this.#forget(taskId);
  }

  async #create(server: SupervisedServer, request: ClientBoundRequest): Promise<unknown> {
    let progress: Disposable | undefined;
    const answer = await this.#ask({
      ...request,
      keepProgress: (kept) => {
        progress = kept;
      },
    });
    const { task } = resultOf(answer);
    if (isRecord(task) && typeof task.taskId === 'string') this.#remember(task.taskId, { server, progress });
    else progress?.dispose();
    return answer;
  }

  async #forwardTaskRequest(
    server: SupervisedServer,
    request: ClientBoundRequest,
    taskId: unknown,
  ): Promise<unknown> {
    if (!this.#belongsTo(server, taskId)) throw unknownTask(taskId);
    const answer = await this.#ask(request);
    this.#releaseIfFinal(
      taskId,
      request.message.method === 'tasks/result' ? 'completed' : resultOf(answer).status,
    );
    return answer;
  }

  async #list(server: SupervisedServer, request: ClientBoundRequest): Promise<unknown> {
    const result = resultOf(await this.#ask(request));
    const all = Array.isArray(result.tasks) ? result.tasks : [];
    return { ...result, tasks: all.filter((task) => isRecord(task) && this.#belongsTo(server, task.taskId)) };
  }

  #belongsTo(server: SupervisedServer, taskId: unknown): boolean {
    return typeof taskId === 'string' && this.#tasks.get(taskId)?.server === server;
  }

  #remember(taskId: string, task: ClientTask): void {
    this.#forget(taskId);
    this.#tasks.set(taskId, task);
    const [oldest] = this.#tasks.keys();
    if (this.#tasks.size > maxTasks && oldest !== undefined) this.#forget(oldest);
  }

  /** A finished task is remembered because its result may still be fetched. */
  #releaseIfFinal(taskId: unknown, status: unknown): void {
    if (typeof taskId === 'string' && isFinalStatus(status)) this.#tasks.get(taskId)?.progress?.dispose();
  }

  #forget(taskId: string): void {
    this.#tasks.get(taskId)?.progress?.dispose();
    this.#tasks.delete(taskId);
  }
}

const maxTasks = 1_024;
