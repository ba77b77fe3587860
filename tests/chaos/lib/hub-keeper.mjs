import { readFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '../../bench/lib/places.mjs';
import { startNode } from '../../bench/lib/process.mjs';
import { pause, until } from '../../bench/lib/wait.mjs';
import { isAlive, openFiles, residentBytes } from './processes.mjs';

/**
 * Keeps a hub on its data folder through all its lives. A life is begun by us or by a bridge, and ends as we wish:
 * one that ends otherwise is a violation.
 */
export class HubKeeper {
  /** `{ pid, by, from, served, ending, to, end }`, the last one running or not. */
  lives = [];
  /** `{ at, pid, age, resident, files, beside }`, one a second; `beside`: files that are not servers' pipes. */
  samples = [];
  /** `{ from, to }`, when it was stopped: meanwhile connections may run out of time that it would have kept. */
  #hangs = [];
  #options;
  #started = new Set();
  #watching;
  #sampling;

  /** `dataDir`, `port`, `env`, `journal`, `violate`. */
  constructor(options) {
    this.#options = options;
    this.#watching = setInterval(() => this.#look(), 100);
    this.#sampling = setInterval(() => this.#sample(), 1_000);
  }

  get current() {
    const life = this.lives.at(-1);
    return life?.to === undefined ? life : undefined;
  }

  /** True from the request to end until the next start. */
  get isEnding() {
    const life = this.lives.at(-1);
    return life?.ending !== undefined;
  }

  /** Tells whether the hub was away at some time between, or stopped. */
  wasDown(from, to) {
    const margin = 1_500;
    if (this.#hangs.some((hang) => hang.from < to + margin && hang.to > from - margin)) return true;
    const isCut = this.lives.some(({ ending }) => ending > from - margin && ending < to + margin);
    const runs = this.lives.some(
      ({ served = Infinity, ending = Infinity }) => served <= from && ending > from,
    );
    return isCut || !runs;
  }

  /** Starts one unless one runs, and waits until one answers. */
  async start() {
    const { dataDir, port, env } = this.#options;
    if (this.#recorded() === undefined) {
      const args = ['serve', '--data-dir', dataDir, '--port', String(port)];
      const child = startNode(command('patchbay'), args, { env, quiet: true });
      this.#started.add(child.pid);
      child.once('exit', () => this.#started.delete(child.pid));
    }
    await until(30_000, 'a hub', () => this.#isServing(), 50);
    this.#look();
  }

  /** Ends it without a word, or as a user does; bridges may be kept from starting the next one. */
  async end(how, { bridgesMayStart = true } = {}) {
    const life = this.current;
    if (life === undefined) return;
    if (!bridgesMayStart) await this.#hideLaunch();
    life.end = how;
    life.ending = Date.now();
    this.#options.journal.note('hub end', { pid: life.pid, how });
    process.kill(life.pid, how === 'kill' ? 'SIGKILL' : 'SIGTERM');
    await until(20_000, 'the end of the hub', () => (isAlive(life.pid) ? undefined : true), 20);
    this.#look();
  }

  /** Stops it for a moment, as a laptop's lid does. */
  async hang(milliseconds) {
    const life = this.current;
    if (life === undefined) return;
    this.#hangs.push({ from: Date.now(), to: Date.now() + milliseconds });
    process.kill(life.pid, 'SIGSTOP');
    await pause(milliseconds);
    if (isAlive(life.pid)) process.kill(life.pid, 'SIGCONT');
  }

  stopSampling() {
    clearInterval(this.#sampling);
  }

  stopWatching() {
    this.stopSampling();
    clearInterval(this.#watching);
  }

  async #hideLaunch() {
    const file = join(this.#options.dataDir, 'run', 'launch.json');
    await rename(file, `${file}.hidden`).catch(() => {});
  }

  async #isServing() {
    const found = await fetch(`http://127.0.0.1:${this.#options.port}/healthz`).catch(() => undefined);
    return found?.ok && this.#recorded() !== undefined ? true : undefined;
  }

  /** The pid that the folder's record names, if such a process runs. */
  #recorded() {
    try {
      const { pid } = JSON.parse(readFileSync(join(this.#options.dataDir, 'run', 'hub.json'), 'utf8'));
      return isAlive(pid) ? pid : undefined;
    } catch {
      return undefined;
    }
  }

  #children() {
    try {
      const { children } = JSON.parse(
        readFileSync(join(this.#options.dataDir, 'run', 'children.json'), 'utf8'),
      );
      return children.filter(({ pid }) => isAlive(pid)).length;
    } catch {
      return 0;
    }
  }

  #look() {
    const { journal, violate } = this.#options;
    const life = this.current;
    if (life !== undefined && !isAlive(life.pid)) {
      life.to = Date.now();
      life.ending ??= life.to;
      if (life.end === undefined) violate('the hub stays', `hub ${life.pid} ended by itself`);
    }
    const pid = this.#recorded();
    if (pid === undefined || pid === this.current?.pid) return;
    const by = this.#started.has(pid) ? 'us' : 'bridge';
    const next = { pid, by, from: Date.now() };
    this.lives.push(next);
    journal.note('hub start', { pid, by });
    void this.#whenServing(next);
  }

  async #whenServing(life) {
    await until(30_000, 'a hub', () => this.#isServing(), 30).catch(() => {});
    life.served = Date.now();
  }

  #sample() {
    const life = this.current;
    const resident = life === undefined ? undefined : residentBytes(life.pid);
    if (resident === undefined) return;
    const at = Date.now();
    const files = openFiles(life.pid);
    // Three pipes each; how many servers run is not the hub's doing.
    const beside = files === undefined ? undefined : files - 3 * this.#children();
    this.samples.push({ at, pid: life.pid, age: at - life.from, resident, files, beside });
  }
}
