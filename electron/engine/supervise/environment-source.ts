import { ProblemError } from '../../../shared/error/problem.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import type { Environment } from './child-env.ts';
import { completeReading, type EnvironmentReading } from './login-env.ts';

/** The environment servers inherit: found out once, and anew when somebody asks or a command was not found. */
export interface EnvironmentSource {
  /** What was found out last; the first time this finds it out. Never rejects. */
  reading(): Promise<EnvironmentReading>;
  /** The same, once it is known. */
  readonly latest: EnvironmentReading | undefined;
  /**
   * Finds it out anew and resolves with the names of the variables that are other now. Rejects (ProblemError) when the
   * login shell is not heard; what it said before counts on then.
   */
  reload(): Promise<readonly string[]>;
  /**
   * A command was not found: looks for new folders of commands and, unless that was done lately, finds all out anew.
   * True if PATH or anything else is other now. Never rejects.
   */
  readonly refresh: () => Promise<boolean>;
}

export interface EnvironmentSourceOptions {
  readonly clock?: Clock;
  readonly read: () => Promise<EnvironmentReading>;
  /** What is used until somebody asks for more. */
  readonly first?: EnvironmentReading;
  readonly complete?: (reading: EnvironmentReading) => Promise<EnvironmentReading>;
}

export function createEnvironmentSource(options: EnvironmentSourceOptions): EnvironmentSource {
  return new Source(options);
}

class Source implements EnvironmentSource {
  readonly #options: Required<Omit<EnvironmentSourceOptions, 'first'>>;
  #latest: EnvironmentReading | undefined;
  #first: Promise<EnvironmentReading> | undefined;
  #reloading: Promise<readonly string[]> | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;

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
    if (this.#reloading !== undefined || this.#options.clock.uptime() - this.#askedAt >= rest) {
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
    this.#askedAt = this.#options.clock.uptime();
    return this.#options.read();
  }
}

/** Milliseconds from one question to the next that nobody has wished for: a login shell may take seconds. */
const rest = 120_000;

function changedNames(before: Environment, now: Environment): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].filter((name) => before[name] !== now[name]).sort();
}
