import type { RawMessage } from '../rpc/raw-message.ts';
import { toRaw } from '../rpc/read-message.ts';
import type { Caller } from './backchannel-contract.ts';

type Params = Readonly<Record<string, unknown>>;

/** A task at its server. */
export interface TaskPlace {
  readonly serverKey: string;
  readonly taskId: string;
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
  readonly #byCaller = new Map<Caller, Map<string, TaskPlace>>();

  /** The id that the session is told. */
  created(caller: Caller, place: TaskPlace): string {
    const known = this.#byCaller.get(caller) ?? new Map<string, TaskPlace>();
    this.#byCaller.set(caller, known);
    const holder = known.get(place.taskId);
    const isTaken = holder !== undefined && holder.serverKey !== place.serverKey;
    const told = isTaken ? wrapped(place) : place.taskId;
    known.set(told, place);
    const [oldest] = known.keys();
    if (known.size > remembered && oldest !== undefined) known.delete(oldest);
    return told;
  }

  find(caller: Caller, told: unknown): TaskPlace | undefined {
    return typeof told === 'string' ? this.#byCaller.get(caller)?.get(told) : undefined;
  }

  /** What the session was told a task is called; undefined for a task that it did not make. */
  toldId(caller: Caller, place: TaskPlace): string | undefined {
    const known = this.#byCaller.get(caller);
    return [place.taskId, wrapped(place)].find((told) => {
      const found = known?.get(told);
      return found?.serverKey === place.serverKey && found.taskId === place.taskId;
    });
  }

  /** Servers at which the session has made tasks. */
  serversOf(caller: Caller): readonly string[] {
    const places = [...(this.#byCaller.get(caller)?.values() ?? [])];
    return [...new Set(places.map(({ serverKey }) => serverKey))];
  }

  /** Whether any session has made tasks at this server. */
  areAt(serverKey: string): boolean {
    return [...this.#byCaller.keys()].some((caller) => this.serversOf(caller).includes(serverKey));
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
    this.#byCaller.delete(caller);
  }
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

function isRecord(value: unknown): value is Params {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
