import { join } from 'node:path';
import { eraBody, openClient } from '../lib/era-clients.mjs';
import { concurrent, interleave, sequential } from '../lib/load.mjs';
import { child, command } from '../lib/places.mjs';
import { cpuMicroseconds, end, residentMegabytes } from '../lib/process.mjs';
import { median, quantile } from '../lib/stats.mjs';
import { pause, until, within } from '../lib/wait.mjs';
import { startHub } from '../targets.mjs';

const TEXT = 'x'.repeat(100);
const PATIENCE = 30_000;
const fronts = ['http', 'bridge'];
const eras = ['legacy', 'modern'];

/** A raw server of an era: with sessions, or without (MCP 2026-07-28). */
const server = (era, tools = 1) => {
  const { args, ...entry } = child('raw', tools);
  return { ...entry, args: era === 'modern' ? [...args, '--modern'] : args };
};

/**
 * Cost of an era: a call by clients of each era to servers of each, on one hub, block by block; lists of many tools;
 * and calls that are parked because their server has asked something. With `before`, a checkout that is built, its hub
 * with sessions on both sides is measured beside.
 */
export async function measureEras({ size, before, log, onFailure }) {
  const calls = [];
  for (const front of fronts) {
    log(`calls over ${front}`);
    calls.push(...(await measureCalls(front, { size, before, onFailure })));
  }
  log(`lists of ${size.tools} tools`);
  const lists = await measureLists(size, onFailure);
  log(`${size.parked} parked calls`);
  return { calls, lists, parked: await measureParked(size) };
}

async function measureCalls(front, { size, before, onFailure }) {
  const hubs = [];
  const cells = [];
  try {
    const hub = await startHub({ legacy: server('legacy'), modern: server('modern') });
    hubs.push(hub);
    const old = before === undefined ? undefined : await startOld(before);
    if (old !== undefined) hubs.push(old);
    for (const from of eras)
      for (const to of eras)
        cells.push(await openCell(hub, { front, from, to, bridge: command('patchbay-bridge') }));
    if (old !== undefined)
      cells.push(
        await openCell(old, { front, from: 'legacy', to: 'legacy', bridge: old.bridge, name: 'before' }),
      );
    for (const { client, body } of cells)
      await concurrent(client, body, { ...size.concurrent, calls: size.warmUp });
    await interleave(
      cells,
      size.rounds,
      (cell, round) => oneBlock(cell, round, size),
      (cell, error) => onFailure({ name: `${front}, ${cell.name}` }, error),
    );
  } finally {
    await closeAll(cells, hubs);
  }
  return cells.map(({ name, p50, p99, perSecond, cpu }) => ({ front, name, p50, p99, perSecond, cpu }));
}

async function startOld(before) {
  const file = (name) => join(before, 'dist', 'bin', `${name}.mjs`);
  const hub = await startHub({ legacy: server('legacy') }, { file: file('patchbay') });
  return { ...hub, bridge: file('patchbay-bridge') };
}

async function openCell(hub, { front, from, to, bridge, name = `${from} → ${to}` }) {
  const opened = await openClient(hub, { front, era: from, bridge });
  const body = eraBody(from, 'tools/call', { name: `${to}__echo`, arguments: { text: TEXT } });
  await until(PATIENCE, `${name}: an echo`, () => echoes(opened.client, body), 20);
  return { ...opened, name, body, p50: [], p99: [], perSecond: [], cpu: [] };
}

async function echoes(client, body) {
  const { result, error } = client.read(await within(5_000, 'echo', client.exchange(body)));
  if (result?.content?.[0]?.text !== TEXT) throw new Error(JSON.stringify(error ?? result).slice(0, 200));
  return true;
}

async function oneBlock({ client, body, pids, p50, p99, perSecond, cpu }, round, size) {
  const times = await sequential(client, body, size.calls);
  p50[round] = quantile(times, 0.5);
  p99[round] = quantile(times, 0.99);
  const before = cpuMicroseconds(pids);
  const { calls, milliseconds } = await concurrent(client, body, size.concurrent);
  perSecond[round] = (calls / milliseconds) * 1_000;
  if (before !== undefined) cpu[round] = (cpuMicroseconds(pids) - before) / calls;
}

/** The list of one server with many tools: the first time, and the median of the times after, by round. */
async function measureLists(size, onFailure) {
  const rows = eras.flatMap((from) =>
    eras.map((to) => ({ name: `${from} → ${to}`, from, to, first: [], again: [] })),
  );
  for (let round = 0; round < size.lists; round += 1) {
    for (const to of eras) {
      const hub = await startHub({ a: server(to, size.tools) });
      const opened = [];
      try {
        for (const row of rows.filter((each) => each.to === to)) {
          const { client } = await openClient(hub, { front: 'http', era: row.from });
          opened.push({ client });
          await listRepeatedly(client, row, round, size);
        }
      } catch (error) {
        onFailure({ name: `list, ${to} server` }, error);
      } finally {
        await closeAll(opened, [hub]);
      }
    }
  }
  return rows.map(({ name, first, again }) => ({ name, first, again }));
}

async function listRepeatedly(client, row, round, { tools, repeats }) {
  const body = eraBody(row.from, 'tools/list');
  const list = async () => {
    const begun = performance.now();
    const answer = await within(PATIENCE, 'tools/list', client.exchange(body));
    return { answer, milliseconds: performance.now() - begun };
  };
  await until(PATIENCE, 'a whole list', async () => {
    const { result } = client.read((await list()).answer);
    return result.tools.length >= tools || undefined;
  });
  const times = [];
  for (let index = 0; index <= repeats; index += 1) times.push((await list()).milliseconds);
  row.first[round] = times[0];
  row.again[round] = median(times.slice(1));
}

/**
 * Calls of a stateless client whose server has asked something and waits: memory that each costs the hub, in kB, and
 * the share of a processor that they all take, in percent.
 */
async function measureParked({ parked, settle, rest }) {
  const { args, ...entry } = child('asking');
  const hub = await startHub({
    a: { ...entry, args, patchbay: { isolation: 'per-client', concurrency: parked } },
  });
  const { client, pids } = await openClient(hub, { front: 'http', era: 'modern' });
  const park = async (number) => {
    const params = { name: 'a__echo', arguments: { text: `${number}` } };
    const { result, error } = client.read(
      await within(PATIENCE, 'a question', client.exchange(eraBody('modern', 'tools/call', params))),
    );
    if (result?.resultType !== 'input_required')
      throw new Error(JSON.stringify(error ?? result).slice(0, 200));
  };
  try {
    await until(PATIENCE, 'a first question', () => park(0).then(() => true), 50);
    // The engine's young generation grows with the first ones.
    const early = Math.floor(parked / 5);
    for (let number = 1; number < early; number += 1) await park(number);
    await pause(settle);
    const before = residentMegabytes(pids);
    for (let number = early; number < parked; number += 1) await park(number);
    await pause(settle);
    const kilobytes = ((residentMegabytes(pids) - before) * 1_024) / (parked - early);
    const used = cpuMicroseconds(pids);
    await pause(rest);
    return { calls: parked, kilobytes, cpu: ((cpuMicroseconds(pids) - used) / (rest * 1_000)) * 100 };
  } finally {
    await closeAll([{ client }], [hub]);
  }
}

async function closeAll(opened, hubs) {
  for (const { client, child: bridge } of opened) {
    await client.close();
    if (bridge !== undefined) await end(bridge);
  }
  for (const hub of hubs) {
    await end(hub.child);
    await hub.tidy();
  }
}
