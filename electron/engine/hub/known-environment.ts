import { type Clock, delay } from '../base/clock.ts';
import type { EnginePorts } from './contract.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment for expanding variables, as known so far. */
export interface HubEnvironment {
  readonly current: Environment;
  /** Resolves when the environment is complete; true if it was incomplete when first used. */
  readonly whole: Promise<boolean>;
  /**
   * Reads the environment again for the next start of each server; resolves to the names of the changed
   * variables. `current` has them at once, so callers may want to expand variables again. Rejects with
   * ProblemError.
   */
  reload(): Promise<readonly string[]>;
}

/**
 * Waits briefly for the environment. A login shell may take seconds; until it answers, the environment of
 * this program is used.
 */
export async function openHubEnvironment(
  { env, environment, inherited }: EnginePorts,
  clock: Clock,
): Promise<HubEnvironment> {
  let current: Environment | undefined;
  const found = environment === undefined ? env() : environment.reading().then((reading) => reading.env);
  const asked = found.then((known) => {
    const late = current !== undefined;
    current = known;
    return late;
  });
  if (inherited === undefined) await asked;
  else await Promise.race([asked, delay(clock, timeoutMs)]);
  current ??= inherited ?? {};
  return {
    get current() {
      return environment?.latest?.env ?? current ?? {};
    },
    whole: asked,
    reload: async () => (await environment?.reload()) ?? [],
  };
}

/** Milliseconds. */
const timeoutMs = 250;
