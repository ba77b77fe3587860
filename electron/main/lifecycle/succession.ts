import type { Problem } from '../../../shared/error/problem.ts';
import type { Disposable } from '../port/disposable.ts';
import type { HubRun } from './hub-run.ts';

export interface SuccessionOptions {
  readonly hub: Pick<HubRun, 'retry'>;
  /** Whether another program has the data folder. */
  readonly isTaken: () => Promise<boolean>;
  /** Ends the hub that has it; rejects with ProblemError where that cannot be. */
  readonly endOther: () => Promise<unknown>;
  readonly every: (milliseconds: number, action: () => void) => Disposable;
}

/** What an app does whose data folder another hub has: it waits for that one to be gone, or asks it to go. */
export class Succession {
  readonly #options: SuccessionOptions;
  #waiting: Disposable | undefined;

  constructor(options: SuccessionOptions) {
    this.#options = options;
  }

  /** The start of our hub has ended, in `failure` or well. */
  started(failure: Problem | undefined): void {
    this.dispose();
    if (failure?.code === 'hub.already_running')
      this.#waiting = this.#options.every(lookEvery, () => void this.#look());
  }

  /** Rejects with ProblemError where the other hub stays. */
  async takeOver(): Promise<void> {
    const { hub, isTaken, endOther } = this.#options;
    if (await isTaken()) await endOther();
    await hub.retry();
  }

  dispose(): void {
    this.#waiting?.dispose();
    this.#waiting = undefined;
  }

  async #look(): Promise<void> {
    const { hub, isTaken } = this.#options;
    const isFree = !(await isTaken().catch(() => true));
    if (isFree && this.#waiting !== undefined) await hub.retry();
  }
}

/** Milliseconds: reads one small file. */
const lookEvery = 500;
