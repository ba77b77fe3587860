import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { eventually } from '../../../../helper/eventually.ts';
import { startHub } from '../../../../helper/running-hub.ts';

/** Returns the niceness of each thread of this process. */
async function niceness(): Promise<readonly number[]> {
  const threads = await readdir('/proc/self/task');
  const stats = await Promise.all(
    threads.map((thread) => readFile(`/proc/self/task/${thread}/stat`, 'utf8').catch(() => '')),
  );
  // Takes the 19th field; the second one, a name in brackets, may contain spaces.
  return stats.map((stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]));
}

it.runIf(process.platform === 'linux')(
  'the thread that keeps what was recorded lets those go first that carry calls',
  async () => {
    const before = await niceness();
    await using hub = await startHub({}, { audit: true, recordActivity: true });
    expect((await hub.engine.run('audit.query', { limit: 1 })).rows).toHaveLength(1);
    const usual = Math.min(...before);
    await eventually(async () => expect(await niceness()).toContain(usual + 5));
  },
);
