import { isRecord } from '../../../shared/json.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import { RawMessage } from '../rpc/raw-message.ts';
import { toRaw } from '../rpc/read-message.ts';
import type { Caller } from './backchannel-contract.ts';

type Params = Readonly<Record<string, unknown>>;

/** A task at its server. */
export interface TaskPlace {
  readonly serverKey: string;
  readonly taskId: string;
}

/** A task whose process has ended: only a server that remembers tasks over its restarts still knows it. */
export interface TaskLoss {
  /** It was over; only its result may be lost. */
  readonly wasOver: boolean;
  /** Another session has got a task of this id from a later process. */
  readonly isTaken: boolean;
  /** When, in epoch milliseconds. */
  readonly at: number;
}

/** One that was under way when its process ended. */
export interface LostTask extends TaskPlace {
  /** As the session was told. */
  readonly told: string;
  readonly createdAt: unknown;
  readonly ttl: unknown;
  readonly at: number;
}

/** Where a session's task is, or was. */
export interface KnownPlace extends TaskPlace {
  readonly lost: TaskLoss | undefined;
}

/** A task as its session knows it. */
export interface OwnedTask {
  readonly caller: Caller;
  /** At its server. */
  readonly taskId: string;
  /** As the session was told. */
  readonly told: string;
}

/**
 * Which session made which task. Ids stay as their servers gave them, so that whatever refers to them still does; where
 * one session has tasks of one id at two servers, the later one's is told with its server's key in front.
 */
export class Tasks {
  readonly #clock: Clock;
  readonly #byCaller = new Map<Caller, Map<string, KnownTask>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The id that the session is told. */
  created(caller: Caller, place: TaskPlace, { ttl, createdAt, progress }: NewTask = {}): string {
    const known = this.#byCaller.get(caller) ?? new Map<string, KnownTask>();
    this.#byCaller.set(caller, known);
    const holder = known.get(place.taskId)?.place;
    const isTaken = holder !== undefined && holder.serverKey !== place.serverKey;
    const told = isTaken ? wrapped(place) : place.taskId;
    known.get(told)?.progress?.dispose();
    const expiresAt = typeof ttl === 'number' ? this.#clock.now() + ttl : Number.POSITIVE_INFINITY;
    this.#take(place);
    known.set(told, { place, progress, expiresAt, createdAt, ttl, lost: undefined });
    const [oldest] = known;
    if (known.size > remembered && oldest !== undefined) forget(known, oldest[0]);
    return told;
  }

  find(caller: Caller, told: unknown): KnownPlace | undefined {
    const task = typeof told === 'string' ? this.#byCaller.get(caller)?.get(told) : undefined;
    return task && { ...task.place, lost: task.lost };
  }

  /** Those of the session that were cut off; some servers remember them all the same. */
  cutOff(caller: Caller): readonly LostTask[] {
    return [...(this.#byCaller.get(caller) ?? [])].flatMap(([told, { place, createdAt, ttl, lost }]) =>
      lost === undefined || lost.wasOver ? [] : [{ ...place, told, createdAt, ttl, at: lost.at }],
    );
  }

  /** A task of this session was said to have this status; with one that is the last, its progress is over too. */
  noted(caller: Caller, told: unknown, status: unknown): void {
    if (typeof told !== 'string' || !isLastStatus(status)) return;
    const task = this.#byCaller.get(caller)?.get(told);
    if (task !== undefined) end(task);
  }

  /** The process that ran tasks here has ended; those of one session, where it was that session's alone. */
  lost(serverKey: string, only?: Caller): void {
    for (const [caller, known] of this.#byCaller) {
      if (only !== undefined && caller !== only) continue;
      for (const task of known.values()) if (task.place.serverKey === serverKey) this.#lose(task);
    }
  }

  /** What the session was told a task is called; undefined for a task that it did not make. */
  toldId(caller: Caller, place: TaskPlace): string | undefined {
    const known = this.#byCaller.get(caller);
    return [place.taskId, wrapped(place)].find((told) => {
      const task = known?.get(told);
      return task !== undefined && isAt(task, place) && task.lost?.isTaken !== true;
    });
  }

  /** Servers at which the session has made tasks. */
  serversOf(caller: Caller): readonly string[] {
    return [...new Set(this.#of(caller).map(({ place }) => place.serverKey))];
  }

  /** Whether tasks are under way at this server; those of one session, or of any. */
  areAt(serverKey: string, only?: Caller): boolean {
    const now = this.#clock.now();
    const callers = only === undefined ? [...this.#byCaller.keys()] : [only];
    return callers.some((caller) =>
      this.#of(caller).some(({ place, expiresAt }) => place.serverKey === serverKey && expiresAt > now),
    );
  }

  ownerOf(serverKey: string, taskId: unknown): OwnedTask | undefined {
    if (typeof taskId !== 'string') return undefined;
    for (const caller of this.#byCaller.keys()) {
      const told = this.toldId(caller, { serverKey, taskId });
      if (told !== undefined) return { caller, taskId, told };
    }
    return undefined;
  }

  /** A message of a server that is this session's alone, with the task that it is about as the session was told it. */
  inWordsOf(caller: Caller, serverKey: string, message: RawMessage): RawMessage {
    if (!this.#byCaller.has(caller)) return message;
    const taskId = relatedTask(message.params) ?? message.params?.taskId;
    if (typeof taskId !== 'string') return message;
    return retold(message, taskId, this.toldId(caller, { serverKey, taskId }) ?? taskId);
  }

  drop(caller: Caller): void {
    for (const task of this.#of(caller)) end(task);
    this.#byCaller.delete(caller);
  }

  #lose(task: KnownTask): void {
    const at = this.#clock.now();
    task.lost ??= { wasOver: task.expiresAt <= at, isTaken: false, at };
    end(task);
  }

  /** Whoever had a task of this id from an earlier process must not be led to this one. */
  #take(place: TaskPlace): void {
    for (const caller of this.#byCaller.keys()) {
      for (const task of this.#of(caller)) {
        if (task.lost !== undefined && isAt(task, place)) task.lost = { ...task.lost, isTaken: true };
      }
    }
  }

  #of(caller: Caller): readonly KnownTask[] {
    return [...(this.#byCaller.get(caller)?.values() ?? [])];
  }
}

/** What is known of a task when it is made. */
export interface NewTask {
  /** Milliseconds for which its server keeps it. */
  readonly ttl?: unknown;
  readonly createdAt?: unknown;
  /** Tells the progress of the call that it came of, until it is disposed of. */
  readonly progress?: Disposable | undefined;
}

interface KnownTask {
  readonly place: TaskPlace;
  readonly progress: Disposable | undefined;
  /** When it need no longer be reckoned with: in the past once it is over. */
  expiresAt: number;
  readonly createdAt: unknown;
  readonly ttl: unknown;
  lost: TaskLoss | undefined;
}

function isAt({ place }: KnownTask, { serverKey, taskId }: TaskPlace): boolean {
  return place.serverKey === serverKey && place.taskId === taskId;
}

/** A task that is over may still be asked for its result. */
function end(task: KnownTask): void {
  task.progress?.dispose();
  task.expiresAt = 0;
}

function forget(known: Map<string, KnownTask>, told: string): void {
  known.get(told)?.progress?.dispose();
  known.delete(told);
}

/** Whether no other status comes after this one. */
export function isLastStatus(status: unknown): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** Tasks of one session beyond this are forgotten, oldest first; servers forget them much sooner. */
const remembered = 1_024;

function wrapped({ serverKey, taskId }: TaskPlace): string {
  return `${serverKey}/${taskId}`;
}

const relatedTaskKey = 'io.modelcontextprotocol/related-task';

/** The task that a message says it belongs to. */
export function relatedTask(params: Params | undefined): unknown {
  const meta = params?._meta;
  const related = isRecord(meta) ? meta[relatedTaskKey] : undefined;
  return isRecord(related) ? related.taskId : undefined;
}

/** The same message, with one task id told as another. */
export function retold(message: RawMessage, from: string, to: string): RawMessage {
  if (from === to || message.params === undefined) return message;
  return toRaw({ ...message.value, params: withTaskId(message.params, from, to) });
}

/** The same params or result, with one task id told as another wherever the protocol has one. */
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

/** The result of an answer, raw or not, as far as it is an object. */
export function resultOf(answer: unknown): Params {
  const result = answer instanceof RawMessage ? answer.result : answer;
  return isRecord(result) ? result : {};
}
