import type { Supervisor } from '../contract.ts';
import { memoryOf } from '../process/table/process-usage.ts';

/** Remembers how much memory servers used when they were put to sleep, which is what sleeping saves. */
export class SleepSavings {
  readonly #supervisor: () => Pick<Supervisor, 'servers'>;
  readonly #bytes = new Map<string, number>();

  constructor(supervisor: () => Pick<Supervisor, 'servers'>) {
    this.#supervisor = supervisor;
  }

  /** Undefined if it could not be measured. */
  of(key: string): number | undefined {
    return this.#bytes.get(key);
  }

  /** Must be called while the server still runs; never rejects. */
  async measure(key: string): Promise<void> {
    this.#bytes.delete(key);
    const state = this.#supervisor().servers.get(key)?.state;
    const pid = state !== undefined && 'pid' in state ? state.pid : undefined;
    const bytes = pid === undefined ? undefined : await memoryOf(pid).catch(() => undefined);
    if (bytes !== undefined) this.#bytes.set(key, bytes);
  }
}
