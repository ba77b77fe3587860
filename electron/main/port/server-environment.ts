import {
  createEnvironmentSource,
  type EnvironmentSource,
  readLoginEnvironment,
} from '../../engine/engine.ts';

/** Servers inherit the login shell's environment, since a desktop gives its programs hardly any PATH. */
export function createServerEnvironment(): EnvironmentSource {
  const source = createEnvironmentSource({ read: () => readLoginEnvironment({ inherited: process.env }) });
  // Started immediately: it takes a while, and nothing waits for it yet.
  void source.reading();
  return source;
}
