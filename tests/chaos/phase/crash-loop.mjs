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
const LANES = 4;
const GOAL = 2;
/** Milliseconds; a crash loop of five is at its busiest in its first seconds. */
const BLOCK = 4_000;
const SETTLE = 1_500;

/**
 * The p99 of a healthy server's calls while five others crash in loops, against its p99 while they are switched off:
 * block by block in turn, in one run of one hub. And beside it the same five crashing as nobody's servers, which shows
 * what is the machine's share of it.
 */
export async function runCrashLoop({ log, rounds = 8 }) {
  const folder = await scratch();
  const file = join(folder.path, 'starts');
  const hub = await startPlainHub({ healthy: child('raw'), ...loopers(file, true) });
  try {
    const session = await hub.connect();
    await until(20_000, 'the healthy server', () => session.proves(), 50);
    await calls(session, BLOCK);
    const blocks = { without: [], bare: [], with: [] };
    const kinds = Object.keys(blocks);
    for (let round = 0; round < rounds; round += 1) {
      log(`crashloop: round ${round + 1} of ${rounds}`);
      const turn = round % kinds.length;
      for (const kind of [...kinds.slice(turn), ...kinds.slice(0, turn)]) {
        const stop = await begin[kind](hub, file);
        blocks[kind].push(p99(await calls(session, BLOCK)));
        await stop();
        await pause(SETTLE);
      }
    }
    const crashes = (await readFile(file, 'utf8')).length;
    const ratio = ratios(blocks.with, blocks.without);
    const ofMachine = ratios(blocks.bare, blocks.without);
    return { rounds, crashes, blocks, ratio, ofMachine, goal: GOAL, reached: ratio.median <= GOAL };
  } finally {
    await hub.stop();
    await folder.remove();
  }
}

/** Each begins what goes on during a block; resolves to what ends it. */
const begin = {
  without: async () => async () => {},
  bare: async () => {
    const loops = Array.from({ length: LOOPERS }, () => new BareLoop([process.execPath, program, devNull]));
    return async () => {
      for (const loop of loops) loop.stop();
    };
  },
  with: async (hub, file) => {
    await hub.configure({ healthy: child('raw'), ...loopers(file, false) });
    return () => hub.configure({ healthy: child('raw'), ...loopers(file, true) });
  },
};

const program = fileURLToPath(new URL('../program/crash-loop.mjs', import.meta.url));

function loopers(file, disabled) {
  const entry = { command: process.execPath, args: [program, file], disabled };
  return Object.fromEntries(Array.from({ length: LOOPERS }, (_, index) => [`loop-${index + 1}`, entry]));
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
      await pause(2);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return times;
}

const p99 = (times) => quantile(times, 0.99);
