import type { ProcessUsage } from '../../../../../shared/model/server/server.ts';
import type { Clock } from '../../../base/clock.ts';
import { type Disposable, Emitter, type Event } from '../../../base/emitter.ts';
import type { ProcessRow } from './process-row.ts';
import { familiesOf, type ProcessTable, readProcessTable } from './process-table.ts';

export interface UsageSamplerOptions {
  readonly clock: Clock;
  /** Returns the root processes of each running server, by key. */
  readonly pids: () => ReadonlyMap<string, readonly number[]>;
  /** Milliseconds between samples. */
  readonly interval?: number;
}

export interface UsageSampler extends Disposable {
  /** Fires with memory, CPU use and age of every server's processes; measures only while someone listens. */
  readonly onUsage: Event<readonly ProcessUsage[]>;
}

export function createUsageSampler(options: UsageSamplerOptions): UsageSampler {
  return new Sampler(options);
}

/** Returns the resident bytes of a process, its descendants and its group; undefined if none of them runs. */
export async function memoryOf(root: number): Promise<number | undefined> {
  const rows = familiesOf(await readProcessTable())(root);
  if (rows.length === 0) return undefined;
  return sumOf(rows, ({ memory = 0 }) => memory);
}

class Sampler implements UsageSampler {
  readonly #options: Required<UsageSamplerOptions>;
  readonly #emitter = new Emitter<readonly ProcessUsage[]>();
  #state: { readonly kind: 'idle' } | { readonly kind: 'sampling'; timer?: Disposable } = { kind: 'idle' };

  constructor(options: UsageSamplerOptions) {
    this.#options = { interval: 2000, ...options };
  }

  readonly onUsage: Event<readonly ProcessUsage[]> = (listener) => {
    const subscription = this.#emitter.event(listener);
    if (this.#state.kind === 'idle') void this.#sample(undefined);
    return {
      dispose: () => {
        subscription.dispose();
        if (!this.#emitter.hasListeners) this.#stop();
      },
    };
  };

  dispose(): void {
    this.#emitter.dispose();
    this.#stop();
  }

  #stop(): void {
    if (this.#state.kind === 'sampling') this.#state.timer?.dispose();
    this.#state = { kind: 'idle' };
  }

  async #sample(before: Sample | undefined): Promise<void> {
    const state: { readonly kind: 'sampling'; timer?: Disposable } = { kind: 'sampling' };
    this.#state = state;
    const sample = await takeSample(this.#options, before).catch(() => undefined);
    // The last listener may have left meanwhile, or a new round begun.
    if (this.#state !== state) return;
    if (sample !== undefined) this.#emitter.fire(sample.usage);
    state.timer = this.#options.clock.after(this.#options.interval, () => void this.#sample(sample));
  }
}

interface Moment {
  readonly at: number;
  readonly table: ProcessTable;
}

interface Sample extends Moment {
  readonly usage: readonly ProcessUsage[];
}

/** Measures all servers with one reading of the process table. */
async function takeSample(
  { clock, pids }: Required<UsageSamplerOptions>,
  before: Moment | undefined,
): Promise<Sample> {
  const table = await readProcessTable();
  const now = { at: clock.now(), table };
  const familyOf = familiesOf(table);
  const usage = [...pids()].map(([key, roots]) => usageOf(key, roots.flatMap(familyOf), now, before));
  return { ...now, usage };
}

function usageOf(
  key: string,
  rows: readonly ProcessRow[],
  now: Moment,
  before: Moment | undefined,
): ProcessUsage {
  const processes = rows.map((row) => ({
    pid: row.pid,
    parent: row.parent,
    command: row.command,
    memory: row.memory ?? 0,
    cpu: cpuSince(row, now, before),
    ...(row.startedAt === undefined ? {} : { startedAt: row.startedAt }),
  }));
  return {
    key,
    memory: sumOf(processes, ({ memory }) => memory),
    cpu: sumOf(processes, ({ cpu }) => cpu),
    processes,
  };
}

function sumOf<T>(items: readonly T[], pick: (item: T) => number): number {
  return items.reduce((total, item) => total + pick(item), 0);
}

/** Returns the percentage of one core since the last sample; 0 for a process seen for the first time. */
function cpuSince(row: ProcessRow, now: Moment, before: Moment | undefined): number {
  const earlier = before?.table.get(row.pid)?.cpuSeconds;
  if (before === undefined || earlier === undefined || row.cpuSeconds === undefined) return 0;
  const seconds = (now.at - before.at) / 1000;
  return seconds <= 0 ? 0 : Math.max(0, Math.round(((row.cpuSeconds - earlier) / seconds) * 1000) / 10);
}
