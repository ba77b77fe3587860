import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pause } from '../../bench/lib/wait.mjs';
import { isAlive } from './processes.mjs';

/** What goes wrong, and how often. */
const weights = {
  killServer: 22,
  stopServer: 7,
  garbage: 6,
  slowStart: 5,
  downServer: 4,
  killBridge: 9,
  deafen: 5,
  badEdit: 4,
  hangHub: 4,
  edit: 8,
  untidy: 7,
  toggle: 9,
  remove: 3,
  noise: 6,
};

/** Does the faults of a run, one after the other or at once, and undoes what would not heal by itself. */
export class Faults {
  /** Servers that were killed before they had begun to work: once each, since twice is taken for a fault of theirs. */
  #nipped = new Set();
  /** By kind, how many were done. */
  done = new Map();
  /** `{ key, at, pid }` of every server process that was ended here. */
  kills = [];
  #world;
  #open = new Set();
  #isHubEnding = false;

  /** `random`, `cast`, `config`, `hub`, `clients`, `remotes`, `folder`, `dataDir`, `journal`. */
  constructor(world) {
    this.#world = world;
  }

  /** One at random; those that last run on beside what comes next. */
  strike() {
    this.#run(this.#world.random.weighted(weights));
  }

  /** Ends the hub, most times without a word. */
  strikeHub() {
    this.#run(this.#world.random.chance(0.7) ? 'killHub' : 'quitHub');
  }

  /** Resolves when all that lasts is over. */
  async healed() {
    while (this.#open.size > 0) await Promise.allSettled(this.#open);
  }

  async killServer() {
    const { random, cast } = this.#world;
    return this.#kill(random.pick(cast.with('kill')), 'killServer');
  }

  /** Stopped as a whole, as by a debugger; or for good, until it is killed. */
  async stopServer() {
    const { random, cast } = this.#world;
    const key = random.pick(cast.with('kill'));
    const milliseconds = random.between(300, 6_000);
    const ends = random.chance(0.3);
    const pid = this.#pidOf(key);
    if (pid === undefined) return undefined;
    this.#note('stopServer', { key, pid, milliseconds, ends });
    send(pid, 'SIGSTOP');
    await pause(milliseconds);
    if (!ends || this.#kill(key, 'killStopped', pid) === undefined) send(pid, 'SIGCONT');
    return key;
  }

  async garbage() {
    const { random, cast } = this.#world;
    const key = random.pick(cast.fragile);
    const pid = key === undefined ? undefined : this.#lastPidOf(key);
    if (pid === undefined) return undefined;
    this.#note('garbage', { key, pid });
    send(pid, 'SIGUSR2');
    return key;
  }

  async slowStart() {
    const { random, cast } = this.#world;
    const key = random.pick(cast.fragile);
    if (key === undefined) return undefined;
    return this.#marked('slow', key, random.between(2_000, 8_000));
  }

  /** It ends at every start for a while; then a person mends it, which shows in the config. */
  async downServer() {
    const { random, cast, config } = this.#world;
    const key = random.pick(cast.with('edit'));
    if (key === undefined || existsSync(this.#mark('down', key))) return undefined;
    await this.#marked('down', key, random.between(500, 5_000));
    await config.set(key, (entry) => entry && noted(entry, random));
    this.#note('mended', { key });
    return key;
  }

  async killBridge() {
    const { random, clients } = this.#world;
    const bridged = clients.filter(({ bridge }) => bridge !== undefined);
    if (bridged.length === 0) return undefined;
    const client = random.pick(bridged);
    this.#note('killBridge', { client: client.name, pid: client.bridge.pid });
    client.bridge.kill();
    return client.name;
  }

  /** A client that does not read for a while; what is said to it must not be in anybody else's way. */
  async deafen() {
    const { random, clients } = this.#world;
    const { name, bridge } = random.pick(clients);
    if (bridge === undefined) return undefined;
    const milliseconds = random.between(500, 5_000);
    this.#note('deafen', { client: name, milliseconds });
    bridge.pauseReading();
    await pause(milliseconds);
    bridge.resumeReading();
    return name;
  }

  async killHub() {
    return this.#endHub('kill', 'killHub');
  }

  async quitHub() {
    return this.#endHub('quit', 'quitHub');
  }

  async hangHub() {
    const { random, hub } = this.#world;
    const milliseconds = random.between(200, 3_000);
    if (hub.current === undefined) return undefined;
    this.#note('hangHub', { milliseconds });
    await hub.hang(milliseconds);
    return 'hub';
  }

  async edit() {
    const { random, cast, config } = this.#world;
    const key = random.pick(cast.with('edit'));
    if (key === undefined || !config.has(key)) return undefined;
    this.#note('edit', { key });
    await config.set(
      key,
      (entry) => entry && noted(entry, random),
      random.pick(['whole', 'renamed', 'halves']),
    );
    return key;
  }

  /** It names a program that there is not, until somebody has seen it. */
  async badEdit() {
    const { random, cast, config } = this.#world;
    const key = random.pick(cast.with('edit'));
    if (key === undefined || !config.has(key)) return undefined;
    this.#note('badEdit', { key });
    await config.set(
      key,
      (entry) => entry && { ...noted(entry, random), command: 'no-such-program-anywhere' },
    );
    await pause(random.between(500, 4_000));
    const { entry } = cast.servers.find((part) => part.key === key);
    await config.set(key, () => noted(entry, random));
    return key;
  }

  async untidy() {
    const { random, config } = this.#world;
    const how = random.pick(['halves', 'broken', 'emptied', 'renamed', 'whole']);
    this.#note('untidy', { how });
    await config.rewrite(how);
    return how;
  }

  /** Once, or as fast as a finger can: what counts is the last wish. */
  async toggle() {
    const { random, cast, config } = this.#world;
    const key = random.pick(cast.with('toggle'));
    if (key === undefined) return undefined;
    const times = random.chance(0.3) ? 6 : 2;
    this.#note('toggle', { key, times });
    for (let time = 1; time <= times; time += 1) {
      await config.set(key, (entry) => entry && { ...entry, disabled: time % 2 === 1 });
      await pause(times === 2 ? random.between(300, 4_000) : 60);
    }
    return key;
  }

  async remove() {
    const { random, cast, config } = this.#world;
    const key = random.pick(cast.with('toggle'));
    if (key === undefined || !config.has(key)) return undefined;
    let removed;
    this.#note('remove', { key });
    await config.set(key, (entry) => {
      removed = entry;
      return undefined;
    });
    await pause(random.between(300, 3_000));
    // Switched on, whatever it was: a toggle that was under way has found nothing to switch back.
    await config.set(key, (entry) => entry ?? (removed && { ...removed, disabled: false }));
    return key;
  }

  /** Files that are nobody's, beside ours. */
  async noise() {
    const { random, dataDir } = this.#world;
    const folder = random.pick([dataDir, join(dataDir, 'run'), join(dataDir, 'logs')]);
    this.#note('noise');
    await mkdir(folder, { recursive: true });
    const file = join(folder, `.noise-${random.between(1, 1_000_000)}.tmp`);
    await writeFile(file, 'x'.repeat(random.between(0, 100_000)));
    const now = new Date();
    await utimes(join(dataDir, 'mcp.json'), now, now);
    await pause(random.between(0, 500));
    await rm(file, { force: true });
    return folder;
  }

  #run(kind) {
    const run = this[kind]().then((target) => {
      if (target === undefined) return;
      this.done.set(kind, (this.done.get(kind) ?? 0) + 1);
    });
    this.#open.add(run);
    run.finally(() => this.#open.delete(run)).catch((error) => this.#note(kind, { failed: String(error) }));
  }

  async #endHub(how, kind) {
    const { random, hub } = this.#world;
    if (hub.current === undefined || this.#isHubEnding) return undefined;
    this.#isHubEnding = true;
    const bridgesMayStart = random.chance(0.5);
    this.#note(kind, { bridgesMayStart });
    try {
      await hub.end(how, { bridgesMayStart });
      await pause(random.between(0, 4_000));
      await hub.start();
    } finally {
      this.#isHubEnding = false;
    }
    return 'hub';
  }

  async #marked(what, key, milliseconds) {
    this.#note(what, { key, milliseconds });
    await mkdir(join(this.#world.folder, what), { recursive: true });
    await writeFile(this.#mark(what, key), '');
    this.#kill(key, `kill for ${what}`);
    await pause(milliseconds);
    await rm(this.#mark(what, key), { force: true });
    return key;
  }

  #mark(what, key) {
    return join(this.#world.folder, what, key);
  }

  #kill(key, kind, known) {
    const pid = known ?? this.#pidOf(key);
    if (pid === undefined || !this.#mayKill(key)) return undefined;
    this.#note(kind, { key, pid });
    this.kills.push({ key, pid, at: Date.now() });
    send(pid, 'SIGKILL');
    return key;
  }

  #mayKill(key) {
    const isStarting = ['start', 'try'].includes(this.#lastRecord(key)?.event);
    if (isStarting && this.#nipped.has(key)) return false;
    if (!this.#world.cast.budget.take(key)) return false;
    if (isStarting) this.#nipped.add(key);
    return true;
  }

  /** A process that the hub's own list names, or ours that it reaches over HTTP. */
  #pidOf(key) {
    const { dataDir, remotes } = this.#world;
    const remote = remotes.get(key);
    if (remote !== undefined) return remote.pid;
    try {
      const { children } = JSON.parse(readFileSync(join(dataDir, 'run', 'children.json'), 'utf8'));
      const living = children.filter((child) => child.key === key && isAlive(child.pid));
      return living.length === 0 ? undefined : this.#world.random.pick(living).pid;
    } catch {
      return undefined;
    }
  }

  /** The server itself, below whatever started it. */
  #lastPidOf(key) {
    const pid = this.#lastRecord(key, ({ event }) => event === 'ready')?.pid;
    return pid !== undefined && isAlive(pid) ? pid : undefined;
  }

  #lastRecord(key, test = () => true) {
    try {
      const lines = readFileSync(join(this.#world.folder, 'record', `${key}.jsonl`), 'utf8').trim();
      return lines
        .split('\n')
        .map((line) => JSON.parse(line))
        .findLast(test);
    } catch {
      return undefined;
    }
  }

  #note(kind, more = {}) {
    this.#world.journal.note(`fault ${kind}`, more);
  }
}

/** Another value where only the server could care. */
function noted(entry, random) {
  return { ...entry, env: { ...entry.env, CHAOS_NOTE: String(random.between(1, 1_000_000)) } };
}

function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone by now, which is what chaos is like.
  }
}
