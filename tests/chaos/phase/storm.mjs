import { copyFile, cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '../../bench/lib/places.mjs';
import { scratch } from '../../bench/lib/scratch.mjs';
import { pause, until } from '../../bench/lib/wait.mjs';
import { callOf, nextActions } from '../lib/actions.mjs';
import { castOf } from '../lib/cast.mjs';
import { ChaosClient } from '../lib/client.mjs';
import { ConfigFile } from '../lib/config-file.mjs';
import { bridgeConnection, httpConnection } from '../lib/connections.mjs';
import { Faults } from '../lib/faults.mjs';
import { flatnessOf } from '../lib/flatness.mjs';
import { freePorts } from '../lib/free-ports.mjs';
import { HubKeeper } from '../lib/hub-keeper.mjs';
import { judgeRun } from '../lib/invariants.mjs';
import { processesWhere } from '../lib/processes.mjs';
import { createRandom } from '../lib/random.mjs';
import { readRecords, reconnectsOf } from '../lib/records.mjs';
import { Remotes } from '../lib/remotes.mjs';
import { Requests } from '../lib/requests.mjs';

/** Requests a client has under way at one time. */
const LANES = 4;
/** Milliseconds after the last fault in which everything must have been answered and be back. */
const PATIENCE = 100_000;
const MARK = 'PATCHBAY_CHAOS';

/** Everything at once, against a real hub, until the time is up; then everything heals and is looked through. */
export async function runStorm({ seed, seconds, servers, clients: count, journal, log }) {
  const stage = await setStage({ seed, servers, count, journal });
  const { requests, hub, faults, clients, cast, random } = stage;
  try {
    log(`${cast.servers.length} servers, ${count} clients`);
    await stage.open();
    const begun = Date.now();
    const end = begun + seconds * 1_000;
    const work = clients.map((client) => keepAsking(client, cast, createRandom(seed, client.name), end));
    const tell = () =>
      log(
        `${requests.all.length} requests, ${requests.pending().length} under way, ${requests.violations.length} violations`,
      );
    await strike({ faults, random, hubRandom: createRandom(seed, 'hub'), begun, end, tell });
    hub.stopSampling();
    await faults.healed();
    log('healing');
    await hub.start();
    await Promise.all(work);
    await settled(requests);
    const back = await askAll(stage);
    await stage.close();
    const leftovers = await gone();
    const records = readRecords(stage.folder);
    checkUntouched(records, cast, requests);
    const verdicts = judgeRun({ requests, records, leftovers, back });
    if (verdicts.some(({ ok }) => !ok)) await keepEvidence(stage.folder, journal.file);
    return resultOf({ stage, records, verdicts, seconds });
  } finally {
    await stage.abandon();
  }
}

async function setStage({ seed, servers, count, journal }) {
  const place = await scratch();
  const folder = place.path;
  const dataDir = join(folder, 'data');
  await mkdir(dataDir, { mode: 0o700 });
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, [MARK]: String(process.pid) };
  const [port, ...others] = await freePorts(3);
  const ports = { 'remote-1': others[0], 'remote-2': others[1] };
  const requests = new Requests(journal);
  const violate = requests.violate.bind(requests);
  const random = createRandom(seed, 'faults');
  const cast = castOf(servers, { folder, ports });
  const config = new ConfigFile({ dataDir, servers: cast.servers, random: createRandom(seed, 'config') });
  const hub = new HubKeeper({ dataDir, port, env, journal, violate });
  const remotes = new Remotes({ folder, ports, env, random: createRandom(seed, 'remotes'), journal });
  const clients = [];
  const faults = new Faults({ random, cast, config, hub, clients, remotes, folder, dataDir, journal });

  return {
    folder,
    requests,
    cast,
    hub,
    clients,
    faults,
    random,
    async open() {
      for (const part of cast.remote) remotes.start(part);
      await config.rewrite('whole');
      await hub.start();
      const program = join(folder, 'bridge', 'patchbay-bridge.mjs');
      await mkdir(join(folder, 'bridge'));
      await copyFile(command('patchbay-bridge'), program);
      const token = (await readFile(join(dataDir, 'token'), 'utf8')).trim();
      const wasDown = hub.wasDown.bind(hub);
      for (let nr = 1; nr <= count; nr += 1) {
        const connect =
          nr % 2 === 1
            ? bridgeConnection({ program, dataDir, env, journal, violate })
            : httpConnection({ port, token, journal, violate, wasDown });
        const name = `${nr % 2 === 1 ? 'bridged' : 'http'}-${nr}`;
        const own = createRandom(seed, `${name} comes back`);
        clients.push(new ChaosClient({ name, requests, random: own, connect, usesText: nr % 4 > 1 }));
      }
      await warmUp(clients[0], cast, dataDir);
      for (const client of clients.slice(1)) void client.join();
      await Promise.all(clients.map((client) => client.up()));
    },
    async close() {
      await Promise.all(clients.map((client) => client.leave()));
      await pause(500);
      await hub.end('quit');
      remotes.stop();
      hub.stopWatching();
    },
    /** Also after a failure: nothing is left, however it went. */
    async abandon() {
      hub.stopWatching();
      remotes.stop();
      for (const { pid } of marked()) kill(pid);
      await place.remove();
    },
  };
}

/** Until every server has been listed and kept once, nobody can say what a list lacks. */
async function warmUp(client, cast, dataDir) {
  void client.join();
  await client.up();
  const keys = cast.servers.map(({ key }) => key);
  const isKept = async () => {
    const kept = await readFile(join(dataDir, 'catalogue.json'), 'utf8');
    return keys.every((key) => kept.includes(JSON.stringify(key))) ? true : undefined;
  };
  await until(60_000, 'a first list of all servers', isKept, 200);
}

async function keepAsking(client, cast, random, end) {
  const lane = async () => {
    while (Date.now() < end) {
      await Promise.race([client.up(), pause(end - Date.now())]);
      if (client.isUp) await Promise.all(nextActions(random, cast).map((action) => client.ask(action)));
      await pause(random.between(20, 350));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/** In the second half the hub is left alive, so that one life is long enough to judge its memory by. */
async function strike({ faults, random, hubRandom, begun, end, tell }) {
  const until = async (time, act, least, most, chance) => {
    for (;;) {
      await pause(chance.between(least, most));
      if (Date.now() > time) return;
      act();
    }
  };
  const half = begun + (end - begun) / 2;
  await Promise.all([
    until(end, () => faults.strike(), 150, 1_200, random),
    until(half, () => faults.strikeHub(), 3_000, 25_000, hubRandom),
    until(end, tell, 15_000, 15_000, random),
  ]);
}

/** Everything that waits gets its answer, or shows that it gets none. */
async function settled(requests) {
  await until(PATIENCE, 'answers', () => (requests.pending().length === 0 ? true : undefined), 100).catch(
    () => {},
  );
}

/** Each server does something for a client over each way, within the patience; by a tool that nobody called before. */
async function askAll({ clients, cast }) {
  const end = Date.now() + PATIENCE;
  const missing = [];
  await Promise.all(
    cast.spared.map(async (key) => {
      for (const client of clients.slice(0, 2)) {
        let outcome;
        while (outcome?.kind !== 'result' && Date.now() < end) {
          await client.up();
          outcome = await client.ask(callOf(key, 'here'));
          if (outcome?.kind !== 'result') await pause(500);
        }
        if (outcome?.kind !== 'result') missing.push(`${key} for ${client.name} (${outcome?.reason})`);
      }
    }),
  );
  return { missing };
}

/** Every process of this run, wherever it moved. */
function marked() {
  const mark = `\0${MARK}=${process.pid}\0`;
  return processesWhere(({ environment }) => environment.includes(mark));
}

/** Those that live on although everything was ended in order. */
async function gone() {
  await until(15_000, 'the end of all', () => (marked().length === 0 ? true : undefined), 100).catch(
    () => {},
  );
  return marked();
}

/** What hub and servers noted, beside the journal. */
async function keepEvidence(folder, journal) {
  const kept = `${journal}.files`;
  await cp(join(folder, 'record'), join(kept, 'record'), { recursive: true });
  await cp(join(folder, 'data', 'logs'), join(kept, 'logs'), { recursive: true });
}

/** Its parent is the hub itself: a second start by one hub is one too many. */
function checkUntouched(records, { untouched }, requests) {
  for (const key of untouched) {
    const parents = records
      .filter((record) => record.key === key && record.event === 'start')
      .map(({ parent }) => parent);
    const again = parents.find((parent, index) => parents.indexOf(parent) !== index);
    if (again !== undefined)
      requests.violate(
        'what nothing happened to is started once',
        `${key} was started twice by hub ${again}`,
      );
  }
}

function resultOf({ stage, records, verdicts, seconds }) {
  const { requests, hub, faults, clients, cast } = stage;
  const isCut = (key, life) => isCutShort(key, life, { hub, faults });
  const reconnects = reconnectsOf(records, { isCut, remote: cast.remote.map(({ key }) => key) });
  const quick = reconnects.filter(({ tries, failed }) => tries <= 2 && !failed).length;
  return {
    seconds,
    servers: cast.servers.length,
    clients: clients.length,
    verdicts,
    requests: countRequests(requests.all),
    seen: sumOf(clients.map(({ seen }) => seen)),
    faults: Object.fromEntries([...faults.done].sort()),
    hubs: {
      lives: hub.lives.length,
      byBridges: hub.lives.filter(({ by }) => by === 'bridge').length,
    },
    reconnects: { all: reconnects.length, withinTwo: quick, share: quick / reconnects.length },
    memory: flatnessOf(hub.samples, 'resident'),
    files: flatnessOf(hub.samples, 'beside'),
    samples: hub.samples,
  };
}

/** Killed by us, told to end by its hub, or of a hub that ended meanwhile. */
function isCutShort(key, { pid, start, hungUp }, { hub, faults }) {
  const soon = 20_000;
  return (
    hungUp !== undefined ||
    faults.kills.some(
      (kill) => kill.key === key && (kill.pid === pid || (kill.at >= start && kill.at < start + soon)),
    ) ||
    hub.lives.some(({ to }) => to !== undefined && to >= start - 500 && to < start + soon)
  );
}

function countRequests(all) {
  const counts = { all: all.length, result: 0, error: 0, cut: 0, cancelled: 0, byKind: {}, errors: {} };
  for (const { kind, ends, cancelledAt } of all) {
    const end = cancelledAt === undefined ? ends[0] : { kind: 'cancelled' };
    counts.byKind[kind] = (counts.byKind[kind] ?? 0) + 1;
    if (end === undefined) continue;
    counts[end.kind] = (counts[end.kind] ?? 0) + 1;
    if (end.kind !== 'error') continue;
    const code = `${end.code}${end.reason === undefined ? '' : ` ${String(end.reason).slice(0, 60)}`}`;
    counts.errors[code] = (counts.errors[code] ?? 0) + 1;
  }
  return counts;
}

function sumOf(maps) {
  const sum = {};
  for (const [kind, count] of maps.flatMap((map) => [...map])) sum[kind] = (sum[kind] ?? 0) + count;
  return sum;
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone meanwhile.
  }
}
