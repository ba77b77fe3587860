import {
  createEnvironmentSource,
  type EnvironmentSource,
  readLoginEnvironment,
} from '../../engine/engine.ts';

/** What servers inherit: the login shell's environment, since a desktop gives its programs hardly any PATH. */
export function createServerEnvironment(): EnvironmentSource {
  const source = createEnvironmentSource({ read: () => readLoginEnvironment({ inherited: process.env }) });
  // Begun at once: it takes a while, and nothing else waits for it yet.
  void source.reading();
  return source;
}
