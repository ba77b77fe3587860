import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '../../bench/lib/places.mjs';
import { scratch } from '../../bench/lib/scratch.mjs';
import { pause, until } from '../../bench/lib/wait.mjs';
import { send } from '../fault/targets.mjs';
import { castOf } from './cast.mjs';
import { ChaosClient } from './client.mjs';
import { ConfigFile } from './config-file.mjs';
import { bridgeConnection, httpConnection } from './connections.mjs';
import { Faults } from './faults.mjs';
import { freePorts } from './free-ports.mjs';
import { HubKeeper } from './hub-keeper.mjs';
import { memoryFile } from './live-memory.mjs';
import { processesWhere } from './processes.mjs';
import { createRandom } from './random.mjs';
import { Remotes } from './remotes.mjs';
import { Requests } from './requests.mjs';

const MARK = 'PATCHBAY_CHAOS';
const COLLECT = new URL('../program/collect.mjs', import.meta.url).href;

/**
 * A hub that is not started yet, with its servers and clients around it, in a folder of its own. `open` begins all of
 * it, `close` ends it in order, `abandon` whatever the state, leaving nothing.
 */
export async function setStage({ seed, servers, count, journal }) {
  const place = await scratch();
  const folder = place.path;
  const dataDir = join(folder, 'data');
  await mkdir(dataDir, { mode: 0o700 });
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    [MARK]: String(process.pid),
    NODE_OPTIONS: `--import ${COLLECT}`,
    PATCHBAY_CHAOS_MEMORY: memoryFile(folder),
  };
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
  const parts = {
    seed,
    count,
    place,
    folder,
    dataDir,
    env,
    port,
    requests,
    violate,
    cast,
    config,
    hub,
    remotes,
  };
  const stage = { ...parts, clients, faults, random, journal };
  return {
    ...stage,
    open: () => open(stage),
    close: () => close(stage),
    abandon: () => abandon(stage),
  };
}

async function open(stage) {
  const { cast, remotes, config, hub, clients, count, dataDir } = stage;
  for (const part of cast.remote) remotes.start(part);
  await config.rewrite('whole');
  await hub.start();
  const connect = await prepareConnections(stage);
  for (let nr = 1; nr <= count; nr += 1) clients.push(createClient(stage, connect, nr));
  await warmUp(clients[0], cast, dataDir);
  for (const client of clients.slice(1)) void client.join();
  await Promise.all(clients.map((client) => client.up()));
}

/** A bridge alone, so that nothing lies beside it that could start a hub: `run/launch.json` decides. */
async function prepareConnections({ folder, dataDir, env, port, journal, violate, hub }) {
  const program = join(folder, 'bridge', 'patchbay-bridge.mjs');
  await mkdir(join(folder, 'bridge'));
  await copyFile(command('patchbay-bridge'), program);
  const token = (await readFile(join(dataDir, 'token'), 'utf8')).trim();
  const wasDown = hub.wasDown.bind(hub);
  const http = { port, token, journal, violate, wasDown };
  return {
    bridged: bridgeConnection({ program, dataDir, env, journal, violate }),
    http: httpConnection(http),
    'http without sessions': httpConnection({ ...http, isModern: true }),
  };
}

/**
 * Every second client connects through a bridge; every second client of a kind knows no sessions, every second of those
 * uses texts as ids, and two of three want log messages.
 */
function createClient({ seed, requests }, connections, nr) {
  const kind = nr % 2 === 1 ? 'bridged' : 'http';
  const isModern = nr % 4 > 1;
  const name = `${isModern ? 'modern' : 'legacy'}-${kind}-${nr}`;
  const isStateless = isModern && kind === 'http';
  return new ChaosClient({
    name,
    requests,
    random: createRandom(seed, `${name} comes back`),
    connect: connections[isStateless ? 'http without sessions' : kind],
    usesText: nr % 8 > 3,
    isModern,
    level: nr % 3 === 0 ? undefined : 'info',
    // Without a session the hub knows only its token.
    principal: isStateless ? 'the token' : name,
  });
}

async function close({ clients, hub, remotes }) {
  await Promise.all(clients.map((client) => client.leave()));
  await pause(500);
  await hub.end('quit');
  remotes.stop();
  hub.stopWatching();
}

/** Also after a failure: nothing is left, however it went. */
async function abandon({ hub, remotes, place }) {
  hub.stopWatching();
  remotes.stop();
  for (const { pid } of marked()) send(pid, 'SIGKILL');
  await place.remove();
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

/** Every process of this run, wherever it moved. */
export function marked() {
  const mark = `\0${MARK}=${process.pid}\0`;
  return processesWhere(({ environment }) => environment.includes(mark));
}
