import { isRecord } from '../../../shared/json.ts';
import type { Disposable } from '../base/emitter.ts';
import type { SessionTasks } from '../route/backchannel-contract.ts';
import { taskLost, unknownTask } from '../route/error-map.ts';
import { type LostTask, resultOf, withTaskId } from '../route/tasks.ts';
import { RpcError } from '../rpc/message.ts';
import type { RawRequest } from '../rpc/raw-message.ts';
import { toRaw } from '../rpc/read-message.ts';

type Params = Readonly<Record<string, unknown>>;

/** Sends a request to a server and resolves with the raw response. */
type Send = (message: RawRequest, serverKey: string) => Promise<unknown>;

export interface TaskRequests {
  /**
   * Registers the task in a response, if there is one, as this session's. `progress` is that of the call, and
   * ends with the task.
   */
  created(serverKey: string, answer: unknown, progress: Disposable | undefined): unknown;
  /** Answers `tasks/get`, `tasks/result` and `tasks/cancel`, for this session's own tasks only. */
  about(message: RawRequest): Promise<unknown>;
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
        const told = isRecord(task) ? toldId(serverKey, task.taskId) : undefined;
        if (told === undefined) continue;
        own.push({ ...task, taskId: told });
        tasks.noted(told, isRecord(task) ? task.status : undefined);
      }
      cursor = result.nextCursor;
      if (cursor === undefined) break;
    }
    return own;
  }

  function toldId(serverKey: string, taskId: unknown): string | undefined {
    return typeof taskId === 'string' ? tasks.toldId({ serverKey, taskId }) : undefined;
  }

  return {
    created(serverKey, answer, progress) {
      const result = resultOf(answer);
      const { taskId, ttl, createdAt, status } = isRecord(result.task) ? result.task : {};
      if (typeof taskId !== 'string') {
        progress?.dispose();
        return answer;
      }
      const told = tasks.created({ serverKey, taskId }, { ttl, createdAt, progress });
      tasks.noted(told, status);
      return told === taskId ? answer : withTaskId(result, taskId, told);
    },
    async about(message) {
      const told = message.params?.taskId;
      const place = tasks.find(told);
      if (place === undefined || typeof told !== 'string') throw unknownTask(told);
      const { serverKey, taskId, lost } = place;
      if (lost?.isTaken === true) throw taskLost(serverKey, told, lost.wasOver);
      const asked = { ...message.value, params: { ...message.params, taskId } };
      const answer = await send(told === taskId ? message : (toRaw(asked) as RawRequest), serverKey).catch(
        (error: unknown) => {
          throw lost !== undefined && isFromServer(error) ? taskLost(serverKey, told, lost.wasOver) : error;
        },
      );
      const result = resultOf(answer);
      // A client that has the result knows that the task has ended.
      tasks.noted(told, message.method === 'tasks/result' ? 'completed' : result.status);
      return told === taskId ? answer : withTaskId(result, taskId, told);
    },
    async list(message) {
      const lists: (readonly Params[])[] = [];
      // Sequential, because all of them belong to the one request id that the client can cancel.
      for (const serverKey of tasks.servers()) lists.push(await listAt(serverKey, message).catch(() => []));
      const own = lists.flat();
      const listed = new Set(own.map(({ taskId }) => taskId));
      const lost = tasks.cutOff().filter(({ told }) => !listed.has(told));
      return { tasks: [...own, ...lost.map(failedTask)] };
    },
  };
}

/** Returns the task with status `failed`, so that clients stop waiting for it. */
function failedTask({ serverKey, told, createdAt, ttl, at }: LostTask): Params {
  return {
    taskId: told,
    status: 'failed',
    statusMessage: taskLost(serverKey, told, false).message,
    createdAt,
    lastUpdatedAt: new Date(at).toISOString(),
    ttl,
  };
}

/** Checks whether the error came from the server; our own errors say more. */
function isFromServer(error: unknown): boolean {
  return error instanceof RpcError && error.wire !== undefined;
}

/** Maximum number of pages per server, so that endless pages do not keep the client waiting forever. */
const maxPages = 100;
