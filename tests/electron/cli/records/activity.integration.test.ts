import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { fixture, nodeEntry, programs } from '../../../helper/programs.ts';
import { startHub } from '../../../helper/running-hub.ts';

const run = promisify(execFile);

async function activity(dir: string, ...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [programs.patchbay, 'activity', '--data-dir', dir, ...args]);
  return stdout;
}

it('[PB-HEAD-1] recorded activity is printed without a display, while the hub runs and after', async () => {
  await using hub = await startHub({ echo: nodeEntry(fixture('echo')) }, { recordActivity: true });
  expect(await activity(hub.dir)).toBe('');
  await using client = await hub.bridge('claude-ai');
  await client.callTool({ name: 'echo__echo', arguments: { password: 'hunter2', text: 'a, "b"' } });
  await client.callTool({ name: 'echo__pid' });
  // Waits until everything is written.
  await hub.engine.run('activity.counts', { filter: {} });
  const lines = (await activity(hub.dir))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.filter(({ kind }) => kind === 'call')).toMatchObject([
    { name: 'pid' },
    { name: 'echo', clientName: 'Claude Desktop', arguments: { password: '•••', text: 'a, "b"' } },
  ]);
  await hub.engine.stop();
  const [newest] = (await activity(hub.dir, '--text'))
    .split('\n')
    .filter((line) => line.includes('echo:echo'));
  expect(newest).toMatch(
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}Claude Desktop {4}ok +\d+ ms {2}echo:echo {2}[-\d]+, with a session → [-\d]+, with sessions$/,
  );
  const table = await activity(hub.dir, '--csv', '--last', '1000');
  expect(table.split('\r\n')[0]).toMatch(/^time,kind,client,server,/);
  expect(table).toContain('"{""password"":""•••"",""text"":""a, \\""b\\""""}"');
  expect((await activity(hub.dir, '--jsonl', '--last', '1')).trim().split('\n')).toHaveLength(1);
});

it('[CLI-1] a wrong number is refused', async () => {
  await expect(activity('x', '--last', 'few')).rejects.toMatchObject({ code: 2 });
});
