import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '../../bench/lib/places.mjs';
import { end, startNode } from '../../bench/lib/process.mjs';
import { Session } from '../../bench/lib/session.mjs';
import { median } from '../../bench/lib/stats.mjs';
import { pause, until } from '../../bench/lib/wait.mjs';
import { answers, openHttp } from '../../bench/targets.mjs';
import { openFiles, residentBytes } from './processes.mjs';

const PAIRS = 7;
const ROUNDS = 20;
/** Milliseconds of rest before a life is looked at, and samples then, one a second. */
const SETTLE = 6_000;
const SAMPLES = 4;

/**
 * Compares a hub on the folder that all lives of the storm have used with one on a new folder: only stored
 * data can grow from life to life. The hubs take turns, with the same servers, the same work and the same
 * age. `{ memory, files }`, each `{ fresh, later, ratio, pairs, all }`.
 */
export async function compareLives({ folder, dataDir, servers, env, port }) {
  const fresh = join(folder, 'fresh');
  await mkdir(fresh, { mode: 0o700 });
  const entries = servers.filter(({ role }) => role !== 'remote').map(({ key, entry }) => [key, entry]);
  const text = JSON.stringify({ mcpServers: Object.fromEntries(entries) });
  for (const dir of [fresh, dataDir]) await writeFile(join(dir, 'mcp.json'), text);
  const keys = servers.filter(({ role }) => role === 'ours').map(({ key }) => key);
  const live = (dir) => liveOnce({ dir, keys, env, port });
  // From its second life on, a folder has what a hub keeps of its servers.
  await live(fresh);
  const pairs = [];
  for (let nr = 0; nr < PAIRS; nr += 1) pairs.push({ fresh: await live(fresh), later: await live(dataDir) });
  return { memory: compared(pairs, 'memory'), files: compared(pairs, 'files') };
}

async function liveOnce({ dir, keys, env, port }) {
  const args = ['serve', '--data-dir', dir, '--port', String(port)];
  const child = startNode(command('patchbay'), args, { env, quiet: true });
  try {
    await answers(port);
    const client = await openHttp({ dir, port });
    const session = new Session({ name: 'lives' }, { client, own: [] });
    await session.greet();
    await Promise.all(keys.map((key) => until(30_000, key, () => call(session, key, 'here'), 100)));
    for (let round = 0; round < ROUNDS; round += 1) {
      await session.ask('tools/list');
      await Promise.all(keys.map((key) => call(session, key, 'echo')));
    }
    await pause(SETTLE);
    return await look(child.pid);
  } finally {
    await end(child, { patience: 15_000 });
  }
}

const call = (session, key, tool) => session.ask('tools/call', { name: `${key}__${tool}`, arguments: {} });

async function look(pid) {
  const seen = [];
  for (let nr = 0; nr < SAMPLES; nr += 1) {
    seen.push({ memory: residentBytes(pid), files: openFiles(pid) });
    await pause(1_000);
  }
  return { memory: median(seen.map(({ memory }) => memory)), files: median(seen.map(({ files }) => files)) };
}

/** Means: when a life has last collected its garbage makes its memory one of two sizes, and a median jumps between them. */
function compared(pairs, figure) {
  const of = (kind) => mean(pairs.map((pair) => pair[kind][figure]));
  const [fresh, later] = [of('fresh'), of('later')];
  return { fresh, later, ratio: later / fresh, pairs: pairs.length, all: pairs };
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
