import { z } from 'zod';

/** What a start after an update is to know: which version it should be, and whether the window was up. */
export const restartSchema = z.object({ wanted: z.string(), hidden: z.boolean(), at: z.number() });
export type Restart = Readonly<z.infer<typeof restartSchema>>;

interface RestartState {
  readonly current: { readonly restart: Restart | null };
  change(patch: { restart: Restart | null }): void;
}

/** Takes what was kept for this start, so that it counts once; nothing where the restart never came. */
export function takeRestart(state: RestartState, now: number): Restart | undefined {
  const { restart } = state.current;
  if (restart === null) return undefined;
  state.change({ restart: null });
  return now - restart.at < longestRestart ? restart : undefined;
}

/** Milliseconds in which an installer is done. */
const longestRestart = 30 * 60_000;
