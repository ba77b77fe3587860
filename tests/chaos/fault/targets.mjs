import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../lib/processes.mjs';

/** Finds the processes of servers, and ends them. */
export class Targets {
  /** `{ key, at, pid }` of every server process that was ended here. */
  kills = [];
  /** Servers that were killed before they had begun to work: once each, since twice is taken for a fault of theirs. */
  #nipped = new Set();
  #world;

  /** `random`, `cast`, `remotes`, `folder`, `dataDir`, `journal`. */
  constructor(world) {
    this.#world = world;
  }

  /** Yields the key, or nothing where there is nobody to end, or nobody who may be. */
  kill(key, kind, known) {
    const pid = known ?? this.pidOf(key);
    if (pid === undefined || !this.#mayKill(key)) return undefined;
    this.#world.journal.note(`fault ${kind}`, { key, pid });
    this.kills.push({ key, pid, at: Date.now() });
    send(pid, 'SIGKILL');
    return key;
  }

  /** A process that the hub's own list names, or ours that it reaches over HTTP. */
  pidOf(key) {
    const { dataDir, remotes, random } = this.#world;
    const remote = remotes.get(key);
    if (remote !== undefined) return remote.pid;
    try {
      const { children } = JSON.parse(readFileSync(join(dataDir, 'run', 'children.json'), 'utf8'));
      const living = children.filter((child) => child.key === key && isAlive(child.pid));
      return living.length === 0 ? undefined : random.pick(living).pid;
    } catch {
      return undefined;
    }
  }

  /** The server itself, below whatever started it. */
  workingPidOf(key) {
    const pid = this.#lastRecord(key, ({ event }) => event === 'ready')?.pid;
    return pid !== undefined && isAlive(pid) ? pid : undefined;
  }

  #mayKill(key) {
    const isStarting = ['start', 'try'].includes(this.#lastRecord(key)?.event);
    if (isStarting && this.#nipped.has(key)) return false;
    if (!this.#world.cast.budget.take(key)) return false;
    if (isStarting) this.#nipped.add(key);
    return true;
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
}

/** Signals a process that may have gone by now, which is what chaos is like. */
export function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone.
  }
}
