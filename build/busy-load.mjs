/**
 * A helper of `build/busy.mjs`: keeps a processor, the disk or process starts busy until its parent exits.
 */
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
// A terminal sends Ctrl-C to the whole group; the load exits when the tests have exited.
for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => {});
// The channel to the parent updates its state only while there is a listener.
process.on('disconnect', () => {});
for (const end = Date.now() + Number(milliseconds); process.connected && Date.now() < end; ) {
  await loads[kind](folder);
  await sleep(0);
}
process.exit();
