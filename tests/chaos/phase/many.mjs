import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { child } from '../../bench/lib/places.mjs';
import { residentMegabytes } from '../../bench/lib/process.mjs';
import { median } from '../../bench/lib/stats.mjs';
import { pause, until } from '../../bench/lib/wait.mjs';
import { openHttp } from '../lib/http-wire.mjs';
import { idleShare } from '../lib/idleness.mjs';
import { startPlainHub } from '../lib/plain-hub.mjs';

const SERVERS = 50;
const TOOLS = 1_000;
const TOGGLES = 6;
/** Milliseconds; long enough that the one collection of what was used before, which falls somewhere in it, is not all there is. */
const IDLE = 120_000;
const SETTLE = 10_000;
const GOAL = 1;

/** 50 servers of 1,000 tools each: start, list, toggle, and what it costs to have them. */
export async function runMany({ log }) {
  const servers = Object.fromEntries(
    Array.from({ length: SERVERS }, (_, index) => [`s${index + 1}`, child('raw', TOOLS)]),
  );
  log(`many: ${SERVERS} servers with ${TOOLS} tools each`);
  const hub = await startPlainHub(servers);
  try {
    const session = await hub.connect();
    const whole = SERVERS * TOOLS;
    await until(
      120_000,
      'the whole list',
      async () => ((await count(session)) === whole ? true : undefined),
      20,
    );
    const complete = performance.now() - hub.begun;
    const listed = await timed(5, () => session.ask('tools/list'));
    const toggled = await toggle({ hub, servers, session, log });
    await pause(SETTLE);
    log('many: idle');
    const idle = await idleShare([hub.pid], IDLE);
    return {
      servers: SERVERS,
      tools: whole,
      complete,
      list: median(listed),
      ...toggled,
      idle,
      idleFor: IDLE,
      megabytes: residentMegabytes([hub.pid]),
      goal: GOAL,
      reached: idle < GOAL,
    };
  } finally {
    await hub.stop();
  }
}

/** Milliseconds from the edit of `mcp.json` until a client is told, and of the first list after that. */
async function toggle({ hub, servers, session, log }) {
  const heard = await listenForChanges(hub);
  const notice = { off: [], on: [] };
  const list = [];
  for (let nr = 0; nr < TOGGLES; nr += 1) {
    const disabled = nr % 2 === 0;
    log(`many: toggle ${nr + 1} of ${TOGGLES}`);
    const told = heard.next();
    const begun = performance.now();
    await hub.configure({ ...servers, s1: { ...servers.s1, disabled } });
    await told;
    notice[disabled ? 'off' : 'on'].push(performance.now() - begun);
    list.push(...(await timed(1, () => session.ask('tools/list'))));
    await pause(500);
  }
  heard.close();
  return { off: median(notice.off), on: median(notice.on), listAfter: median(list) };
}

/** A client of its own that only hears that the list is another one. */
async function listenForChanges({ dir, port }) {
  const token = (await readFile(join(dir, 'token'), 'utf8')).trim();
  let tell = () => {};
  const wire = openHttp({
    port,
    token,
    onMessage: ({ method }) => method === 'notifications/tools/list_changed' && tell(),
    onStreamEnd: () => {},
  });
  const clientInfo = { name: 'listener', version: '1.0.0' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  await wire.post({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  await wire.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
  await wire.listen();
  return {
    next: () =>
      new Promise((resolve) => {
        tell = resolve;
      }),
    close: wire.close,
  };
}

async function count(session) {
  return (await session.ask('tools/list')).tools.length;
}

async function timed(times, action) {
  const taken = [];
  for (let nr = 0; nr < times; nr += 1) {
    const begun = performance.now();
    await action();
    taken.push(performance.now() - begun);
  }
  return taken;
}
