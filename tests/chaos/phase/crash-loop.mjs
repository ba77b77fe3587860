import { readFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { child } from '../../bench/lib/places.mjs';
import { scratch } from '../../bench/lib/scratch.mjs';
import { quantile, ratios } from '../../bench/lib/stats.mjs';
import { pause, until } from '../../bench/lib/wait.mjs';
import { BareLoop } from '../lib/bare-loop.mjs';
import { startPlainHub } from '../lib/plain-hub.mjs';

const LOOPERS = 5;
const LANES = 2;
/** A hub that starts them itself raised it by 2.6 to 3.1 times; see ADR 0040. */
const GOAL = 4;
/** Milliseconds; a crash loop of five is at its busiest in its first seconds, and rests for five minutes after 16. */
const BLOCK = 4_000;
const SETTLE = 1_500;
/** Milliseconds between two calls of a lane: a server that is used, on a machine that is not used up. */
const PACE = 5;

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Programs that crash: scripts that cost next to nothing, and Node programs, whose starts alone occupy a
 * processor.
 */
const programs = {
  light: (file) => ['sh', here('../program/crash-loop.sh'), file],
  node: (file) => [process.execPath, here('../program/crash-loop.mjs'), file],
};

/**
 * The p99 of a healthy server's calls while five others crash in loops, against its p99 while there are none:
 * block by block in turn, in one run of one hub. And beside it the same five crashing as nobody's servers, which shows
 * what is the machine's share of it. Scripts that cost nothing to start show the hub's.
 */
export async function runCrashLoop({ log, rounds = 6 }) {
  const folder = await scratch();
  const file = join(folder.path, 'starts');
  const hub = await startPlainHub({ healthy: child('raw') });
  try {
    const session = await hub.connect();
    await until(20_000, 'the healthy server', () => session.proves(), 50);
    await calls(session, BLOCK);
    const blocks = { quiet: [], 'light bare': [], light: [], 'node bare': [], node: [] };
    const kinds = Object.keys(blocks);
    for (let round = 0; round < rounds; round += 1) {
      log(`crashloop: round ${round + 1} of ${rounds}`);
      const turn = round % kinds.length;
      for (const kind of [...kinds.slice(turn), ...kinds.slice(0, turn)]) {
        const stop = await begin(kind, hub, file);
        blocks[kind].push(p99(await calls(session, BLOCK)));
        await stop();
        await pause(SETTLE);
      }
    }
    const crashes = (await readFile(file, 'utf8')).length;
    const against = (kind) => ratios(blocks[kind], blocks.quiet);
    const by = Object.fromEntries(kinds.slice(1).map((kind) => [kind, against(kind)]));
    return { rounds, crashes, blocks, ratios: by, goal: GOAL };
  } finally {
    await hub.stop();
    await folder.remove();
  }
}

/** Begins what goes on during a block; resolves to what ends it. */
async function begin(kind, hub, file) {
  const [what, bare] = kind.split(' ');
  if (what === 'quiet') return async () => {};
  if (bare === undefined) {
    await hub.configure({ healthy: child('raw'), ...loopers(programs[what](file)) });
    return () => hub.configure({ healthy: child('raw') });
  }
  const loops = Array.from({ length: LOOPERS }, () => new BareLoop(programs[what](devNull)));
  return async () => {
    for (const loop of loops) loop.stop();
  };
}

function loopers([command, ...args]) {
  const entries = Array.from({ length: LOOPERS }, (_, nr) => [`loop-${nr + 1}`, { command, args }]);
  return Object.fromEntries(entries);
}

/** Milliseconds of each call: some lanes, at a pace that leaves the machine room. */
async function calls(session, milliseconds) {
  const times = [];
  const end = performance.now() + milliseconds;
  const body = session.echoBody('x'.repeat(100));
  const lane = async () => {
    while (performance.now() < end) {
      const begun = performance.now();
      await session.client.exchange(body);
      times.push(performance.now() - begun);
      await pause(PACE);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return times;
}

const p99 = (times) => quantile(times, 0.99);
