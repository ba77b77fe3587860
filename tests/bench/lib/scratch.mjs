import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const left = new Set();

process.on('exit', () => {
  for (const path of left) rmSync(path, { recursive: true, force: true });
});

/** A temporary folder for one purpose; `remove` ends it with everything in it, the end of the bench at the latest. */
export async function scratch(beneath = tmpdir()) {
  const path = await mkdtemp(join(beneath, 'patchbay-bench-'));
  left.add(path);
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true, maxRetries: 3 });
      left.delete(path);
    },
  };
}
