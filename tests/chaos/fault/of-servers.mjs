import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pause } from '../../bench/lib/wait.mjs';
import { noted } from './of-config.mjs';
import { send } from './targets.mjs';

/**
 * Faults of servers. Each resolves with the key of the server that was hit, or undefined if none could be.
 */
export const serverFaults = {
  async killServer({ random, cast, targets }) {
    const running = cast.with('kill').filter((key) => targets.pidOf(key) !== undefined);
    return running.length === 0 ? undefined : targets.kill(random.pick(running), 'killServer');
  },

  /** Stopped as a whole, as by a debugger; or for good, until it is killed. */
  async stopServer({ random, cast, targets, note }) {
    const key = random.pick(cast.with('kill'));
    const milliseconds = random.between(300, 6_000);
    const ends = random.chance(0.3);
    const pid = targets.pidOf(key);
    if (pid === undefined) return undefined;
    note('stopServer', { key, pid, milliseconds, ends });
    send(pid, 'SIGSTOP');
    await pause(milliseconds);
    if (!ends || targets.kill(key, 'killStopped', pid) === undefined) send(pid, 'SIGCONT');
    return key;
  },

  async garbage({ random, cast, targets, note }) {
    const key = random.pick(cast.fragile);
    const pid = key === undefined ? undefined : targets.workingPidOf(key);
    if (pid === undefined) return undefined;
    note('garbage', { key, pid });
    send(pid, 'SIGUSR2');
    return key;
  },

  async slowStart(world) {
    const key = world.random.pick(world.cast.fragile);
    return key === undefined ? undefined : mark(world, 'slow', key, world.random.between(2_000, 8_000));
  },

  /**
   * Makes a server exit at every start for a while; then its entry is edited, as a person would to fix it.
   */
  async downServer(world) {
    const { random, cast, config, folder, note } = world;
    const key = random.pick(cast.with('edit'));
    if (key === undefined || existsSync(join(folder, 'down', key))) return undefined;
    await mark(world, 'down', key, random.between(500, 5_000));
    await config.set(key, (entry) => entry && noted(entry, random));
    note('mended', { key });
    return key;
  },
};

/** Our servers look for a file of their name when they start. */
async function mark({ folder, targets, note }, what, key, milliseconds) {
  note(what, { key, milliseconds });
  const file = join(folder, what, key);
  await mkdir(join(folder, what), { recursive: true });
  await writeFile(file, '');
  targets.kill(key, `kill for ${what}`);
  await pause(milliseconds);
  await rm(file, { force: true });
  return key;
}
