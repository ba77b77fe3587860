import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Global set-up: builds the commands and the bridge once, so that tests start what users start. */
export async function setup(): Promise<void> {
  const script = fileURLToPath(new URL('../../build/build.mjs', import.meta.url));
  await promisify(execFile)(process.execPath, [script, 'patchbay', 'bridge', 'aggregator']);
}
