import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pause } from '../../bench/lib/wait.mjs';

/** Faults that people and other programs cause in the data folder. */
export const configFaults = {
  async edit({ random, cast, config, note }) {
    const key = random.pick(cast.with('edit'));
    if (key === undefined || !config.has(key)) return undefined;
    note('edit', { key });
    const how = random.pick(['whole', 'renamed', 'halves']);
    await config.set(key, (entry) => entry && noted(entry, random), how);
    return key;
  },

  /** Sets a command that does not exist, and corrects it some seconds later. */
  async badEdit({ random, cast, config, note }) {
    const key = random.pick(cast.with('edit'));
    if (key === undefined || !config.has(key)) return undefined;
    note('badEdit', { key });
    await config.set(
      key,
      (entry) => entry && { ...noted(entry, random), command: 'no-such-program-anywhere' },
    );
    await pause(random.between(500, 4_000));
    const { entry } = cast.servers.find((part) => part.key === key);
    await config.set(key, () => noted(entry, random));
    return key;
  },

  async untidy({ random, config, note }) {
    const how = random.pick(['halves', 'broken', 'emptied', 'renamed', 'whole']);
    note('untidy', { how });
    await config.rewrite(how);
    return how;
  },

  /** Once, or as fast as a finger can: what counts is the last wish. */
  async toggle({ random, cast, config, note }) {
    const key = random.pick(cast.with('toggle'));
    if (key === undefined) return undefined;
    const times = random.chance(0.3) ? 6 : 2;
    note('toggle', { key, times });
    for (let time = 1; time <= times; time += 1) {
      await config.set(key, (entry) => entry && { ...entry, disabled: time % 2 === 1 });
      await pause(times === 2 ? random.between(300, 4_000) : 60);
    }
    return key;
  },

  async remove({ random, cast, config, note }) {
    const key = random.pick(cast.with('toggle'));
    if (key === undefined || !config.has(key)) return undefined;
    let removed;
    note('remove', { key });
    await config.set(key, (entry) => {
      removed = entry;
      return undefined;
    });
    await pause(random.between(300, 3_000));
    // Switched on, whatever it was: a toggle that was under way has found nothing to switch back.
    await config.set(key, (entry) => entry ?? (removed && { ...removed, disabled: false }));
    return key;
  },

  /** Files that are nobody's, beside ours. */
  async noise({ random, dataDir, note }) {
    const folder = random.pick([dataDir, join(dataDir, 'run'), join(dataDir, 'logs')]);
    note('noise');
    await mkdir(folder, { recursive: true });
    const file = join(folder, `.noise-${random.between(1, 1_000_000)}.tmp`);
    await writeFile(file, 'x'.repeat(random.between(0, 100_000)));
    const now = new Date();
    await utimes(join(dataDir, 'mcp.json'), now, now);
    await pause(random.between(0, 500));
    await rm(file, { force: true });
    return folder;
  },
};

/** Another value where only the server could care. */
export function noted(entry, random) {
  return { ...entry, env: { ...entry.env, CHAOS_NOTE: String(random.between(1, 1_000_000)) } };
}
