import { startNode } from '../../bench/lib/process.mjs';
import { commandOf } from './cast.mjs';

/** Runs the servers that are reached over HTTP: they are nobody's children, and come back some time after they ended. */
export class Remotes {
  #options;
  #running = new Map();
  #timers = new Set();
  #isOver = false;

  /** `folder`, `ports`, `env`, `random`, `journal`. */
  constructor(options) {
    this.#options = options;
  }

  start(part) {
    const { folder, ports, env, journal } = this.#options;
    const [file, ...args] = commandOf(part, folder, '--http', String(ports[part.key]));
    const child = startNode(file, args, { env, quiet: true });
    this.#running.set(part.key, child);
    journal.note('remote start', { key: part.key, pid: child.pid });
    child.once('exit', () => {
      this.#running.delete(part.key);
      if (!this.#isOver) this.#later(() => this.start(part));
    });
  }

  get(key) {
    return this.#running.get(key);
  }

  stop() {
    this.#isOver = true;
    for (const timer of this.#timers) clearTimeout(timer);
    for (const child of this.#running.values()) child.kill('SIGKILL');
  }

  #later(action) {
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        action();
      },
      this.#options.random.between(0, 3_000),
    );
    this.#timers.add(timer);
  }
}
