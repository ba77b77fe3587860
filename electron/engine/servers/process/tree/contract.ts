import type { EndSignal } from './process-set.ts';

/** Processes of one start of a server. */
export interface ProcessTree {
  readonly root: number;
  /**
   * Adds its current family. Must be called while the parents are alive, since orphans lose their ancestry.
   */
  collectFamily(): Promise<void>;
  /** Adds the family that it has a moment later, if it is still alive. */
  collectFamilySoon(): Promise<void>;
  /** Adds everything that can be found. */
  collect(): Promise<void>;
  /** Returns living pids, without zombies. */
  living(): Promise<readonly number[]>;
  /** Signals every living process. Windows has no signals: there it kills those found by the last look. */
  signal(signal: EndSignal): Promise<void>;
}
