import { isRecord } from '../../../shared/json.ts';
import type { Disposable } from '../base/emitter.ts';
import type { SessionTasks } from '../route/backchannel-contract.ts';
import { taskLost, unknownTask } from '../route/error-map.ts';
import { type LostTask, resultOf, withTaskId } from '../route/tasks.ts';
import { RpcError } from '../rpc/message.ts';
import type { RawRequest } from '../rpc/raw-message.ts';
import { toRaw } from '../rpc/read-message.ts';

type Params = Readonly<Record<string, unknown>>;

/** Sends a request to a server; the raw answer. */
type Send = (message: RawRequest, serverKey: string) => Promise<unknown>;

export interface TaskRequests {
  /**
   * The answer to a call that may have become a task: from now on the task is this session's. `progress` is that of the call,
   * which ends with the task.
   */
  created(serverKey: string, answer: unknown, progress: Disposable | undefined): unknown;
  /** `tasks/get`, `tasks/result`, `tasks/cancel`: of this session's own tasks only. */
  about(message: RawRequest): Promise<unknown>;
  /** `tasks/list`: this session's own tasks, at all its servers. */
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
      // Whoever has the result has been told that it is over.
      tasks.noted(told, message.method === 'tasks/result' ? 'completed' : result.status);
      return told === taskId ? answer : withTaskId(result, taskId, told);
    },
    async list(message) {
      const lists: (readonly Params[])[] = [];
      // One after the other: they travel under the one id that the client can cancel.
      for (const serverKey of tasks.servers()) lists.push(await listAt(serverKey, message).catch(() => []));
      const own = lists.flat();
      const listed = new Set(own.map(({ taskId }) => taskId));
      const lost = tasks.cutOff().filter(({ told }) => !listed.has(told));
      return { tasks: [...own, ...lost.map(failedTask)] };
    },
  };
}

/** As the protocol has it, so that whoever waits for its end does so no longer. */
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

/** Rather than one of ours, which says more. */
function isFromServer(error: unknown): boolean {
  return error instanceof RpcError && error.wire !== undefined;
}

/** Pages of one server that are followed; a server that never ends must not keep its client waiting for ever. */
const maxPages = 100;
