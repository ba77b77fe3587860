import { z } from 'zod';

/** State for a start after an update: the expected version, and whether the window was hidden. */
export const restartSchema = z.object({ wanted: z.string(), hidden: z.boolean(), at: z.number() });
export type Restart = Readonly<z.infer<typeof restartSchema>>;

interface RestartState {
  readonly current: { readonly restart: Restart | null };
  change(patch: { restart: Restart | null }): void;
}

/** Takes the saved state, so that it is used once; undefined if it is too old. */
export function takeRestart(state: RestartState, now: number): Restart | undefined {
  const { restart } = state.current;
  if (restart === null) return undefined;
  state.change({ restart: null });
  return now - restart.at < maxRestartMs ? restart : undefined;
}

/** Maximum duration of an installation in milliseconds. */
const maxRestartMs = 30 * 60_000;
