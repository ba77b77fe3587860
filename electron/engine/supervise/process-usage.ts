import pidusage from 'pidusage';
import type { ProcessUsage } from '../../../shared/model/server.ts';
import type { Clock } from '../base/clock.ts';
import { type Disposable, Emitter, type Event } from '../base/emitter.ts';
import { createProcReader } from '../store/proc-file.ts';
import { descendantsOf, type ProcessRow, type ProcessTable, readProcessTable } from './process-table.ts';

export interface UsageSamplerOptions {
  readonly clock: Clock;
  /** The root process of each server that runs, by server key. */
  readonly pids: () => ReadonlyMap<string, number>;
  /** Milliseconds between samples. */
  readonly interval?: number;
}

export interface UsageSampler extends Disposable {
  /** Memory and processor use of every server's process tree; nothing is measured while nobody listens. */
  readonly onUsage: Event<readonly ProcessUsage[]>;
}

export function createUsageSampler(options: UsageSamplerOptions): UsageSampler {
  return new Sampler(options);
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
        if (!this.#emitter.hasListeners) this.#rest();
      },
    };
  };

  dispose(): void {
    this.#emitter.dispose();
    this.#rest();
  }

  #rest(): void {
    if (this.#state.kind === 'sampling') this.#state.timer?.dispose();
    this.#state = { kind: 'idle' };
  }

  async #sample(before: Sample | undefined): Promise<void> {
    const state: { readonly kind: 'sampling'; timer?: Disposable } = { kind: 'sampling' };
    this.#state = state;
    const sample = await takeSample(this.#options, before).catch(() => undefined);
    // Whoever listened may have left meanwhile, or a new round begun.
    if (this.#state !== state) return;
    if (sample !== undefined) this.#emitter.fire(sample.usage);
    state.timer = this.#options.clock.after(this.#options.interval, () => void this.#sample(sample));
  }
}

interface Sample {
  readonly at: number;
  readonly table: ProcessTable;
  readonly usage: readonly ProcessUsage[];
}

async function takeSample(
  { clock, pids }: Required<UsageSamplerOptions>,
  before: Sample | undefined,
): Promise<Sample> {
  const table = await readProcessTable();
  const at = clock.now();
  const usage = await Promise.all(
    [...pids()].map(([key, root]) => measureTree(key, root, { at, table }, before)),
  );
  return { at, table, usage };
}

async function measureTree(
  key: string,
  root: number,
  now: Omit<Sample, 'usage'>,
  before: Sample | undefined,
): Promise<ProcessUsage> {
  const own = now.table.get(root);
  const rows = [...(own === undefined ? [] : [own]), ...descendantsOf(now.table, root)];
  const measures = await measureAll(rows);
  const processes = rows.map((row) => {
    const { memory = 0, cpu = cpuSince(row, now, before) } = measures.get(row.pid) ?? {};
    return { pid: row.pid, parent: row.parent, command: row.command, memory, cpu };
  });
  const sum = (pick: (process: (typeof processes)[number]) => number) =>
    processes.reduce((total, process) => total + pick(process), 0);
  return { key, memory: sum(({ memory }) => memory), cpu: sum(({ cpu }) => cpu), processes };
}

/** Per cent of one core since the last sample; 0 the first time a process is seen. */
function cpuSince(row: ProcessRow, now: Omit<Sample, 'usage'>, before: Sample | undefined): number {
  const earlier = before?.table.get(row.pid)?.cpuSeconds;
  if (before === undefined || earlier === undefined || row.cpuSeconds === undefined) return 0;
  const seconds = (now.at - before.at) / 1000;
  return seconds <= 0 ? 0 : Math.max(0, Math.round(((row.cpuSeconds - earlier) / seconds) * 1000) / 10);
}

interface Measure {
  readonly memory: number;
  /** Where the process table has no processor times. */
  readonly cpu?: number;
}

async function measureAll(rows: readonly ProcessRow[]): Promise<ReadonlyMap<number, Measure>> {
  if (rows.length === 0) return new Map();
  if (process.platform !== 'linux') return measureElsewhere(rows);
  const read = createProcReader(statusSize);
  return new Map(rows.map(({ pid }) => [pid, { memory: residentMemory(read(`/proc/${pid}/status`)) }]));
}

/** Memory stands well before its end, which a machine with many processors makes long. */
const statusSize = 4 * 1024;

/** Bytes; 0 for a process that has gone meanwhile. */
function residentMemory(status = ''): number {
  const match = /^VmRSS:\s+(\d+) kB$/m.exec(status);
  return match === null ? 0 : Number(match[1]) * 1024;
}

async function measureElsewhere(rows: readonly ProcessRow[]): Promise<ReadonlyMap<number, Measure>> {
  const found = await pidusage(rows.map((row) => row.pid));
  return new Map(Object.values(found).map(({ pid, memory, cpu }) => [pid, { memory, cpu }] as const));
}
