import { type Clock, delay } from '../base/clock.ts';
import type { EnginePorts } from './contract.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment for expanding variables: what is known of it now. */
export interface KnownEnvironment {
  readonly current: Environment;
  /** Resolves when it is known whole; true if it was not when it was first used. */
  readonly whole: Promise<boolean>;
  /**
   * Has it found out anew, for servers from their next start; resolves with the names of the variables that are other
   * now. `current` has them at once: whoever expands variables from it may want to do so again. Rejects with
   * ProblemError.
   */
  reload(): Promise<readonly string[]>;
}

/**
 * Waits a moment for the environment. A login shell may take seconds to tell it; nobody should look at an empty
 * window for so long, so what this program itself was started with does until then.
 */
export async function knowEnvironment(
  { env, environment, inherited }: EnginePorts,
  clock: Clock,
): Promise<KnownEnvironment> {
  let current: Environment | undefined;
  const found = environment === undefined ? env() : environment.reading().then((reading) => reading.env);
  const asked = found.then((known) => {
    const late = current !== undefined;
    current = known;
    return late;
  });
  if (inherited === undefined) await asked;
  else await Promise.race([asked, delay(clock, patience)]);
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
const patience = 250;
