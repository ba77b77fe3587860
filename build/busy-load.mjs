/** A program of `build/busy.mjs`: keeps a processor, the disk or the starting of processes busy until its parent has gone. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const loads = {
  processor: () => {
    for (const end = Date.now() + 50; Date.now() < end; );
  },
  disk: async (folder) => {
    const file = openSync(path.join(folder, 'file'), 'w');
    writeSync(file, Buffer.alloc(1024 * 1024, Math.random().toString()));
    fsyncSync(file);
    closeSync(file);
    await sleep(50);
  },
  processes: async () => {
    await once(spawn(process.execPath, ['--version'], { stdio: 'ignore' }), 'exit');
    await sleep(100);
  },
};

const [, , kind, milliseconds] = process.argv;
const folder = mkdtempSync(path.join(os.tmpdir(), 'patchbay-busy-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
process.once('SIGTERM', () => process.exit());
// A terminal gives Ctrl-C to all of us; the load goes when the tests have gone.
for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => {});
// The channel to the parent keeps its state up to date only while somebody listens.
process.on('disconnect', () => {});
for (const end = Date.now() + Number(milliseconds); process.connected && Date.now() < end; ) {
  await loads[kind](folder);
  await sleep(0);
}
process.exit();
