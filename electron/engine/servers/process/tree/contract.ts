import type { EndSignal } from './process-set.ts';

/** A process that cannot be taken for a later one with its pid. */
export interface KnownProcess {
  readonly pid: number;
  /** See `processIdentity`. */
  readonly identity: string;
}

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
  /**
   * Returns the descendants found so far that the next hub could not find by itself; empty where it finds them
   * by their tag.
   */
  family(): readonly KnownProcess[];
  /** Tells whether the root lives, without a look at all processes of the machine. */
  isRootAlive(): Promise<boolean>;
  /** Returns living pids, without zombies. */
  living(): Promise<readonly number[]>;
  /** Signals every living process. Windows has no signals: there it kills those found by the last look. */
  signal(signal: EndSignal): Promise<void>;
}
