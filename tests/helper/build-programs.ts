// @ts-expect-error a script of the build, which has no types
import { ensureBuilt } from '../../build/build.mjs';

/** Global set-up: builds the commands and the bridge where they are not built yet, so that tests start what users start. */
export async function setup(): Promise<void> {
  await ensureBuilt(['patchbay', 'bridge', 'aggregator']);
}
