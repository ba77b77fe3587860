import { type Clock, delay } from '../base/clock.ts';
import type { EnginePorts } from './contract.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment for expanding variables: what is known of it now. */
export interface KnownEnvironment {
  readonly current: Environment;
  /** Resolves when it is known whole; true if it was not when it was first used. */
  readonly whole: Promise<boolean>;
}

/**
 * Waits a moment for the environment. A login shell may take seconds to tell it; nobody should look at an empty
 * window for so long, so what this program itself was started with does until then.
 */
export async function knowEnvironment(
  { env, inherited }: EnginePorts,
  clock: Clock,
): Promise<KnownEnvironment> {
  let current: Environment | undefined;
  const asked = env().then((known) => {
    const late = current !== undefined;
    current = known;
    return late;
  });
  if (inherited === undefined) await asked;
  else await Promise.race([asked, delay(clock, patience)]);
  current ??= inherited ?? {};
  return {
    get current() {
      return current ?? {};
    },
    whole: asked,
  };
}

/** Milliseconds. */
const patience = 250;
