import { concurrent } from '../lib/load.mjs';
import { child } from '../lib/places.mjs';
import { residentMegabytes } from '../lib/process.mjs';
import { openSession } from '../lib/session.mjs';
import { pause } from '../lib/wait.mjs';

const TEXT = 'x'.repeat(100);

/**
 * Resident memory of a headless hub with 10 x 100 tools, in MB: idle with one client, which has not called anything for as long
 * as the thread that keeps calls waits for more; after the first calls (the engine's young generation has grown by then); and
 * after all of them.
 */
export async function measureMemory({ target, size, log }) {
  const servers = Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [`s${index}`, child('raw', 100)]),
  );
  const session = await openSession(target, servers);
  const [pid] = session.pids.slice(-1);
  const settled = async (milliseconds = size.settle) => {
    await pause(milliseconds);
    return residentMegabytes([pid]);
  };
  try {
    await session.ask('tools/list');
    const idle = await settled(size.idle);
    await calls(session, size.first, log);
    const first = await settled();
    await calls(session, size.calls - size.first, log);
    return { idle, first, after: await settled(), firstCalls: size.first, calls: size.calls };
  } finally {
    await session.close();
  }
}

async function calls(session, count, log) {
  log(`${count} calls`);
  const limits = { calls: count, inFlight: 32, milliseconds: 90_000 };
  const done = await concurrent(session.client, session.echoBody(TEXT), limits);
  if (done.calls < count) throw new Error(`only ${done.calls} of ${count} calls in time`);
}
