import { isRecord } from '../../../../shared/json.ts';
import { relatedTaskKey } from '../../../../shared/model/mcp.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
import { RawMessage } from '../../jsonrpc/raw-message.ts';
import { toRaw } from '../../jsonrpc/read-message.ts';
import type { Caller, KnownTaskLocation, LostTask, NewTask, TaskLocation, TaskLoss } from './contract.ts';

type Params = Readonly<Record<string, unknown>>;

/** A task as its session knows it. */
export interface OwnedTask {
  readonly caller: Caller;
  /** The server's id of the task. */
  readonly taskId: string;
  /** The session's id of the task. */
  readonly clientTaskId: string;
}

/**
 * Maps tasks to the sessions that created them. Ids stay as the servers gave them, so that all references
 * stay valid. If a session has tasks with the same id on two servers, the later one is prefixed with its
 * server key.
 */
export class TaskIndex {
  readonly #clock: Clock;
  readonly #byCaller = new Map<Caller, Map<string, KnownTask>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Registers a task and returns the session's id of it. */
  register(caller: Caller, location: TaskLocation, { ttl, createdAt, progress }: NewTask = {}): string {
    const known = this.#byCaller.get(caller) ?? new Map<string, KnownTask>();
    this.#byCaller.set(caller, known);
    const holder = known.get(location.taskId)?.location;
    const isTaken = holder !== undefined && holder.serverKey !== location.serverKey;
    const clientTaskId = isTaken ? prefixedId(location) : location.taskId;
    known.get(clientTaskId)?.progress?.dispose();
    const expiresAt = typeof ttl === 'number' ? this.#clock.now() + ttl : Number.POSITIVE_INFINITY;
    this.#markTaken(location);
    known.set(clientTaskId, { location, progress, expiresAt, createdAt, ttl, lost: undefined });
    const [oldest] = known;
    if (known.size > maxTasksPerSession && oldest !== undefined) forget(known, oldest[0]);
    return clientTaskId;
  }

  find(caller: Caller, clientTaskId: unknown): KnownTaskLocation | undefined {
    const task = typeof clientTaskId === 'string' ? this.#byCaller.get(caller)?.get(clientTaskId) : undefined;
    return task && { ...task.location, lost: task.lost };
  }

  /** Returns the session's tasks that were interrupted; some servers remember them all the same. */
  interrupted(caller: Caller): readonly LostTask[] {
    return [...(this.#byCaller.get(caller) ?? [])].flatMap(
      ([clientTaskId, { location, createdAt, ttl, lost }]) =>
        lost === undefined || lost.wasFinished
          ? []
          : [{ ...location, clientTaskId, createdAt, ttl, at: lost.at }],
    );
  }

  /** Records a status; a final one also ends the task's progress. */
  onStatus(caller: Caller, clientTaskId: unknown, status: unknown): void {
    if (typeof clientTaskId !== 'string' || !isFinalStatus(status)) return;
    const task = this.#byCaller.get(caller)?.get(clientTaskId);
    if (task !== undefined) markEnded(task);
  }

  /** Marks the tasks of an ended process as lost; only those of one session if the process belonged to it. */
  onProcessEnded(serverKey: string, only?: Caller): void {
    for (const [caller, known] of this.#byCaller) {
      if (only !== undefined && caller !== only) continue;
      for (const task of known.values()) if (task.location.serverKey === serverKey) this.#markLost(task);
    }
  }

  /** Returns the session's id of a task; undefined if it did not create it. */
  clientIdOf(caller: Caller, location: TaskLocation): string | undefined {
    const known = this.#byCaller.get(caller);
    return [location.taskId, prefixedId(location)].find((clientTaskId) => {
      const task = known?.get(clientTaskId);
      return task !== undefined && isAt(task, location) && task.lost?.isTaken !== true;
    });
  }

  /** Returns the servers that run tasks of this session. */
  serversOf(caller: Caller): readonly string[] {
    return [...new Set(this.#of(caller).map(({ location }) => location.serverKey))];
  }

  /** Checks whether tasks are in progress at this server, of one session or of any. */
  hasActiveTasks(serverKey: string, only?: Caller): boolean {
    const now = this.#clock.now();
    const callers = only === undefined ? [...this.#byCaller.keys()] : [only];
    return callers.some((caller) =>
      this.#of(caller).some(({ location, expiresAt }) => location.serverKey === serverKey && expiresAt > now),
    );
  }

  ownerOf(serverKey: string, taskId: unknown): OwnedTask | undefined {
    if (typeof taskId !== 'string') return undefined;
    for (const caller of this.#byCaller.keys()) {
      const clientTaskId = this.clientIdOf(caller, { serverKey, taskId });
      if (clientTaskId !== undefined) return { caller, taskId, clientTaskId };
    }
    return undefined;
  }

  /** Replaces the task id in a message from a session's own server with the session's id. */
  withClientTaskId(caller: Caller, serverKey: string, message: RawMessage): RawMessage {
    if (!this.#byCaller.has(caller)) return message;
    const taskId = relatedTask(message.params) ?? message.params?.taskId;
    if (typeof taskId !== 'string') return message;
    return replaceTaskId(message, taskId, this.clientIdOf(caller, { serverKey, taskId }) ?? taskId);
  }

  drop(caller: Caller): void {
    for (const task of this.#of(caller)) markEnded(task);
    this.#byCaller.delete(caller);
  }

  #markLost(task: KnownTask): void {
    const at = this.#clock.now();
    task.lost ??= { wasFinished: task.expiresAt <= at, isTaken: false, at };
    markEnded(task);
  }

  /** A session that had a task with this id from an earlier process must not be led to the new one. */
  #markTaken(location: TaskLocation): void {
    for (const caller of this.#byCaller.keys()) {
      for (const task of this.#of(caller)) {
        if (task.lost !== undefined && isAt(task, location)) task.lost = { ...task.lost, isTaken: true };
      }
    }
  }

  #of(caller: Caller): readonly KnownTask[] {
    return [...(this.#byCaller.get(caller)?.values() ?? [])];
  }
}

interface KnownTask {
  readonly location: TaskLocation;
  readonly progress: Disposable | undefined;
  /** When it no longer counts as in progress; in the past once it has finished. */
  expiresAt: number;
  readonly createdAt: unknown;
  readonly ttl: unknown;
  lost: TaskLoss | undefined;
}

function isAt({ location }: KnownTask, { serverKey, taskId }: TaskLocation): boolean {
  return location.serverKey === serverKey && location.taskId === taskId;
}

/** Ends the progress of a finished task; its result may still be fetched. */
function markEnded(task: KnownTask): void {
  task.progress?.dispose();
  task.expiresAt = 0;
}

function forget(known: Map<string, KnownTask>, clientTaskId: string): void {
  known.get(clientTaskId)?.progress?.dispose();
  known.delete(clientTaskId);
}

/** Checks whether this status is final. */
export function isFinalStatus(status: unknown): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** Maximum number of tasks per session; the oldest are forgotten. Servers forget them much sooner. */
const maxTasksPerSession = 1_024;

function prefixedId({ serverKey, taskId }: TaskLocation): string {
  return `${serverKey}/${taskId}`;
}

/** Returns the id of the task that a message says it belongs to. */
export function relatedTask(params: Params | undefined): unknown {
  const meta = params?._meta;
  const related = isRecord(meta) ? meta[relatedTaskKey] : undefined;
  return isRecord(related) ? related.taskId : undefined;
}

/** Replaces a task id in a message. */
export function replaceTaskId(message: RawMessage, from: string, to: string): RawMessage {
  if (from === to || message.params === undefined) return message;
  return toRaw({ ...message.value, params: withTaskId(message.params, from, to) });
}

/** Replaces a task id in params or a result, wherever the protocol has one. */
export function withTaskId(value: Params, from: string, to: string): Params {
  const { task, _meta: meta } = value;
  const related = isRecord(meta) ? meta[relatedTaskKey] : undefined;
  return {
    ...value,
    ...(value.taskId === from ? { taskId: to } : {}),
    ...(isRecord(task) && task.taskId === from ? { task: { ...task, taskId: to } } : {}),
    ...(isRecord(meta) && isRecord(related) && related.taskId === from
      ? { _meta: { ...meta, [relatedTaskKey]: { ...related, taskId: to } } }
      : {}),
  };
}

/** Returns the result of a response, raw or parsed, if it is an object. */
export function resultOf(answer: unknown): Params {
  const result = answer instanceof RawMessage ? answer.result : answer;
  return isRecord(result) ? result : {};
}
