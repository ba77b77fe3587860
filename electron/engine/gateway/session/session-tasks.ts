import { isRecord } from '../../../../shared/json.ts';
import type { Disposable } from '../../base/emitter.ts';
import { RpcError } from '../../jsonrpc/message.ts';
import type { RawRequest } from '../../jsonrpc/raw-message.ts';
import { toRaw } from '../../jsonrpc/read-message.ts';
import { taskLost, unknownTask } from '../../routing/error-map.ts';
import type { LostTask, SessionTasks } from '../../routing/server-requests/contract.ts';
import { resultOf, withTaskId } from '../../routing/server-requests/task-index.ts';

type Params = Readonly<Record<string, unknown>>;

/** Sends a request to a server and resolves with the raw response. */
type Send = (message: RawRequest, serverKey: string) => Promise<unknown>;

export interface TaskRequests {
  /**
   * Registers the task in a response, if there is one, as this session's. `progress` is that of the call, and
   * ends with the task.
   */
  register(serverKey: string, answer: unknown, progress: Disposable | undefined): unknown;
  /** Answers `tasks/get`, `tasks/result`, `tasks/update` and `tasks/cancel`, for this session's own tasks only. */
  forward(message: RawRequest): Promise<unknown>;
  /** Answers `tasks/list` with this session's own tasks on all servers. */
  list(message: RawRequest): Promise<unknown>;
}

export function createTaskRequests(tasks: SessionTasks, send: Send): TaskRequests {
  async function listAt(serverKey: string, message: RawRequest): Promise<readonly Params[]> {
    const own: Params[] = [];
    let cursor: unknown;
    for (let page = 0; page < maxPages; page++) {
      const asked = { ...message.value, params: cursor === undefined ? {} : { cursor } };
      const result = resultOf(await send(toRaw(asked) as RawRequest, serverKey));
      for (const task of Array.isArray(result.tasks) ? result.tasks : []) {
        const clientTaskId = isRecord(task) ? clientIdOf(serverKey, task.taskId) : undefined;
        if (clientTaskId === undefined) continue;
        own.push({ ...task, taskId: clientTaskId });
        tasks.onStatus(clientTaskId, isRecord(task) ? task.status : undefined);
      }
      cursor = result.nextCursor;
      if (cursor === undefined) break;
    }
    return own;
  }

  function clientIdOf(serverKey: string, taskId: unknown): string | undefined {
    return typeof taskId === 'string' ? tasks.clientIdOf({ serverKey, taskId }) : undefined;
  }

  return {
    register(serverKey, answer, progress) {
      const result = resultOf(answer);
      const { taskId, ttl, createdAt, status } = createdTask(result);
      if (typeof taskId !== 'string') {
        progress?.dispose();
        return answer;
      }
      const clientTaskId = tasks.register({ serverKey, taskId }, { ttl, createdAt, progress });
      tasks.onStatus(clientTaskId, status);
      return clientTaskId === taskId ? answer : withTaskId(result, taskId, clientTaskId);
    },
    async forward(message) {
      const clientTaskId = message.params?.taskId;
      const location = tasks.find(clientTaskId);
      if (location === undefined || typeof clientTaskId !== 'string') throw unknownTask(clientTaskId);
      const { serverKey, taskId, lost } = location;
      if (lost?.isTaken === true) throw taskLost(serverKey, clientTaskId, lost.wasFinished);
      const asked = { ...message.value, params: { ...message.params, taskId } };
      const answer = await send(
        clientTaskId === taskId ? message : (toRaw(asked) as RawRequest),
        serverKey,
      ).catch((error: unknown) => {
        throw lost !== undefined && isFromServer(error)
          ? taskLost(serverKey, clientTaskId, lost.wasFinished)
          : error;
      });
      const result = resultOf(answer);
      // A client that has the result knows that the task has ended.
      tasks.onStatus(clientTaskId, message.method === 'tasks/result' ? 'completed' : result.status);
      return clientTaskId === taskId ? answer : withTaskId(result, taskId, clientTaskId);
    },
    async list(message) {
      const lists: (readonly Params[])[] = [];
      // Sequential, because all of them belong to the one request id that the client can cancel.
      for (const serverKey of tasks.servers()) lists.push(await listAt(serverKey, message).catch(() => []));
      const own = lists.flat();
      const listed = new Set(own.map(({ taskId }) => taskId));
      const lost = tasks.interrupted().filter(({ clientTaskId }) => !listed.has(clientTaskId));
      return { tasks: [...own, ...lost.map(toFailedTask)] };
    },
  };
}

/** Returns the task in the answer to a call, as a server of either protocol describes it. */
function createdTask(result: Params): Params {
  if (result.resultType === 'task') return { ...result, ttl: result.ttlMs };
  return isRecord(result.task) ? result.task : {};
}

/** Returns the task with status `failed`, so that clients stop waiting for it. */
function toFailedTask({ serverKey, clientTaskId, createdAt, ttl, at }: LostTask): Params {
  return {
    taskId: clientTaskId,
    status: 'failed',
    statusMessage: taskLost(serverKey, clientTaskId, false).message,
    createdAt,
    lastUpdatedAt: new Date(at).toISOString(),
    ttl,
  };
}

/** Checks whether the error came from the server; our own errors say more. */
function isFromServer(error: unknown): boolean {
  return error instanceof RpcError && error.received !== undefined;
}

/** Maximum number of pages per server, so that endless pages do not keep the client waiting forever. */
const maxPages = 100;
