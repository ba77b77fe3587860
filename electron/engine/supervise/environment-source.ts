import { ProblemError } from '../../../shared/error/problem.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import type { Environment } from './child-env.ts';
import { completeReading, type EnvironmentReading } from './login-env.ts';

/** Environment that servers inherit: read once, and again on request or when a command was not found. */
export interface EnvironmentSource {
  /** Returns the last reading; the first call reads. Never rejects. */
  reading(): Promise<EnvironmentReading>;
  /** Last reading, if there is one. */
  readonly latest: EnvironmentReading | undefined;
  /**
   * Reads the environment again and resolves with the names of changed variables. Rejects (ProblemError) if
   * the login shell does not answer; the previous reading stays in use.
   */
  reload(): Promise<readonly string[]>;
  /**
   * Looks for new command folders and, unless done recently, reads everything again, because a command was
   * not found. Resolves with true if anything changed. Never rejects.
   */
  readonly refresh: () => Promise<boolean>;
}

export interface EnvironmentSourceOptions {
  readonly clock?: Clock;
  readonly read: () => Promise<EnvironmentReading>;
  /** Initial reading, used until `reload` or `refresh` is called. */
  readonly first?: EnvironmentReading;
  readonly complete?: (reading: EnvironmentReading) => Promise<EnvironmentReading>;
}

export function createEnvironmentSource(options: EnvironmentSourceOptions): EnvironmentSource {
  return new CachedEnvironment(options);
}

class CachedEnvironment implements EnvironmentSource {
  readonly #options: Required<Omit<EnvironmentSourceOptions, 'first'>>;
  #latest: EnvironmentReading | undefined;
  #first: Promise<EnvironmentReading> | undefined;
  #reloading: Promise<readonly string[]> | undefined;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor({ clock = systemClock, read, first, complete = completeReading }: EnvironmentSourceOptions) {
    this.#options = { clock, read, complete };
    this.#latest = first;
  }

  get latest(): EnvironmentReading | undefined {
    return this.#latest;
  }

  async reading(): Promise<EnvironmentReading> {
    if (this.#latest !== undefined) return this.#latest;
    this.#first ??= this.#read();
    this.#latest ??= await this.#first;
    return this.#latest;
  }

  reload(): Promise<readonly string[]> {
    this.#reloading ??= this.#reload().finally(() => {
      this.#reloading = undefined;
    });
    return this.#reloading;
  }

  readonly refresh = async (): Promise<boolean> => {
    if (this.#reloading !== undefined || this.#options.clock.uptime() - this.#readAt >= minIntervalMs) {
      const changed = await this.reload().catch(() => []);
      if (changed.length > 0) return true;
    }
    return this.#complete();
  };

  async #reload(): Promise<readonly string[]> {
    const before = await this.reading();
    const now = await this.#read();
    if (now.problem !== undefined) throw new ProblemError(now.problem);
    this.#latest = now;
    return changedNames(before.env, now.env);
  }

  async #complete(): Promise<boolean> {
    const before = await this.reading();
    const now = await this.#options.complete(before);
    const changed = changedNames(before.env, now.env).length > 0;
    if (changed) this.#latest = now;
    return changed;
  }

  #read(): Promise<EnvironmentReading> {
    this.#readAt = this.#options.clock.uptime();
    return this.#options.read();
  }
}

/** Min milliseconds between automatic readings: a login shell may take seconds. */
const minIntervalMs = 120_000;

function changedNames(before: Environment, now: Environment): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].filter((name) => before[name] !== now[name]).sort();
}
