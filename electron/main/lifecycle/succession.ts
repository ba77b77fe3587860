import type { Problem } from '../../../shared/error/problem.ts';
import type { Disposable } from '../port/disposable.ts';
import type { HubLifecycle } from './hub-run.ts';

export interface HubTakeoverOptions {
  readonly hub: Pick<HubLifecycle, 'retry'>;
  /** True if another program owns the data folder. */
  readonly isTaken: () => Promise<boolean>;
  /** Stops the hub that owns it; rejects with ProblemError if that fails. */
  readonly endOther: () => Promise<unknown>;
  readonly every: (milliseconds: number, action: () => void) => Disposable;
}

/** Takes over the data folder from another hub: waits for that hub to exit, or asks it to. */
export class HubTakeover {
  readonly #options: HubTakeoverOptions;
  #waiting: Disposable | undefined;

  constructor(options: HubTakeoverOptions) {
    this.#options = options;
  }

  /** Called at the end of our hub's start, with the failure if there was one. */
  started(failure: Problem | undefined): void {
    this.dispose();
    if (failure?.code === 'hub.already_running')
      this.#waiting = this.#options.every(checkIntervalMs, () => void this.#check());
  }

  /** Rejects with ProblemError if the other hub does not stop. */
  async takeOver(): Promise<void> {
    const { hub, isTaken, endOther } = this.#options;
    if (await isTaken()) await endOther();
    await hub.retry();
  }

  dispose(): void {
    this.#waiting?.dispose();
    this.#waiting = undefined;
  }

  async #check(): Promise<void> {
    const { hub, isTaken } = this.#options;
    const isFree = !(await isTaken().catch(() => true));
    if (isFree && this.#waiting !== undefined) await hub.retry();
  }
}

/** In milliseconds; each check reads one small file. */
const checkIntervalMs = 500;
