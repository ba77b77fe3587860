import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { child, command } from '../../bench/lib/places.mjs';
import { end, startNode } from '../../bench/lib/process.mjs';
import { scratch } from '../../bench/lib/scratch.mjs';
import { Session } from '../../bench/lib/session.mjs';
import { StdioClient } from '../../bench/lib/stdio-client.mjs';
import { pause } from '../../bench/lib/wait.mjs';
import { idleShare } from '../lib/idleness.mjs';
import { startPlainHub } from '../lib/plain-hub.mjs';

const IDLE = 30_000;
/** Milliseconds until a bridge has done what it does at its start, the collection of its garbage included. */
const SETTLE = 20_000;
/** Per cent that count as none: what a display with one digit shows as 0.0. */
const GOAL = 0.05;

/**
 * Measures the cost of a bridge with a silent client: with a hub, without one, and where the hub cannot be
 * started.
 */
export async function runIdle({ log }) {
  const hub = await startPlainHub({ echo: child('raw') });
  const down = await prepareDown();
  try {
    log('idle: bridges with and without a hub');
    const bridges = {
      'hub up': await openBridge(command('patchbay-bridge'), hub.dir),
      'hub down, nothing starts it': await openBridge(down.program, down.empty),
      'hub down, its start fails': await openBridge(down.program, down.failing),
    };
    await pause(SETTLE);
    const entries = Object.entries(bridges);
    const shares = await Promise.all(entries.map(([, { pid }]) => idleShare([pid], IDLE)));
    for (const [, bridge] of entries) await end(bridge);
    const rows = entries.map(([name], index) => ({ name, share: shares[index] }));
    return { rows, goal: GOAL, reached: shares.every((share) => share < GOAL) };
  } finally {
    await hub.stop();
    await down.remove();
  }
}

/** A bridge alone, and folders without a hub: one that knows of no command, one whose command fails. */
async function prepareDown() {
  const folder = await scratch();
  const program = join(folder.path, 'patchbay-bridge.mjs');
  await copyFile(command('patchbay-bridge'), program);
  const [empty, failing] = [join(folder.path, 'empty'), join(folder.path, 'failing')];
  await mkdir(empty);
  await mkdir(join(failing, 'run'), { recursive: true });
  const launch = { command: process.execPath, args: ['-e', 'process.exit(1)'], env: {} };
  await writeFile(join(failing, 'run', 'launch.json'), JSON.stringify(launch));
  return { program, empty, failing, remove: folder.remove };
}

/** With a client that has introduced itself and listed, as clients do. */
async function openBridge(file, dataDir) {
  const bridge = startNode(file, ['--data-dir', dataDir]);
  const session = new Session({ name: 'bridge' }, { client: new StdioClient(bridge), own: [] });
  await session.greet();
  await session.ask('tools/list').catch(() => undefined);
  return bridge;
}
