import { randomUUID } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Check, CheckInput } from '../../../../shared/model/tool/tester.ts';
import { eventually } from '../../../helper/eventually.ts';
import { permissions } from '../../../helper/permissions.ts';
import { fixture, nodeEntry } from '../../../helper/programs.ts';
import { configText, type Hub, startHub } from '../../../helper/running-hub.ts';

const tried = (version: string) => ({
  tried: { ...nodeEntry(fixture('tried-out')), env: { VERSION: version } },
});

async function start(files: Readonly<Record<string, string>> = {}): Promise<Hub> {
  const hub = await startHub(tried('1.0.0'), { files });
  await eventually(() => expect(hub.engine.tools()).toHaveLength(8));
  return hub;
}

const target = (name: string) => ({ kind: 'tool', serverKey: 'tried', name }) as const;

/** Creates a check from a run, as the window does. */
async function saveCheck(
  { engine }: Hub,
  name: string,
  more: Partial<CheckInput['expects']> = {},
): Promise<string> {
  const run = { runId: randomUUID(), target: target(name), arguments: '{"bytes":3}' };
  const { text } = await engine.run('tester.call', run);
  const expects = { outcome: 'ok' as const, shape: text, ...more };
  const check = { title: name, target: target(name), arguments: run.arguments, expects };
  return (await engine.run('check.add', check)).id;
}

describe('checks', () => {
  it('run one by one or for a whole server, and report differences', async () => {
    await using hub = await start();
    const { engine } = hub;
    const told: (readonly Check[])[] = [];
    engine.events['checks.changed'](({ checks }) => told.push(checks));
    const good = await saveCheck(hub, 'pid');
    await saveCheck(hub, 'fill', { contains: 'yyy' });
    expect(await engine.run('check.run', { serverKey: 'tried' })).toEqual({ passed: 1, failed: 1 });
    expect((await engine.run('check.list', undefined)).checks).toMatchObject([
      { title: 'pid', last: { ok: true, outcome: 'ok', differences: [] }, running: false, due: false },
      { title: 'fill', last: { ok: false, differences: ['The result does not contain "yyy".'] } },
    ]);
    expect(told.some((list) => list.some(({ running }) => running))).toBe(true);
    expect(await engine.run('check.run', { ids: [good] })).toEqual({ passed: 1, failed: 0 });
    await engine.run('check.remove', { id: good });
    expect((await engine.run('check.list', undefined)).checks).toHaveLength(1);
    await expect(engine.run('check.run', { ids: [good] })).rejects.toThrow('This check does not exist');
  });

  it('are due once the server has another version, until they have been run', async () => {
    await using hub = await start();
    const { engine } = hub;
    await saveCheck(hub, 'pid');
    const due: boolean[] = [];
    engine.events['checks.changed'](({ checks: [check] }) => due.push(check?.due === true));
    await writeFile(hub.file, configText(tried('2.0.0')));
    await eventually(() => expect(due.at(-1)).toBe(true));
    await engine.run('check.run', { serverKey: 'tried' });
    expect((await engine.run('check.list', undefined)).checks).toMatchObject([
      { due: false, last: { differences: [] } },
    ]);
  });

  it('[PB-CFG-2] are stored for this user only, without the answers, and loaded again', async () => {
    await using hub = await start();
    await saveCheck(hub, 'pid');
    const file = join(hub.dir, 'checks.json');
    const text = await readFile(file, 'utf8');
    const pid = /"text":"(\d+)"/.exec(
      (await hub.engine.run('tester.history', target('pid'))).runs[0]?.text ?? '',
    )?.[1];
    expect(pid).toBeDefined();
    expect(text).not.toContain(pid);
    expect((await stat(file)).mode & 0o777).toBe(permissions(0o600));
    await hub.engine.stop();
    await using again = await start({ 'checks.json': text });
    expect((await again.engine.run('check.list', undefined)).checks).toMatchObject([
      { title: 'pid', due: false },
    ]);
    expect(await again.engine.run('check.run', { serverKey: 'tried' })).toEqual({ passed: 1, failed: 0 });
  });

  it.each([
    ['{', 'does not contain valid checks'],
    ['{"version":2,"checks":[]}', 'newer'],
  ])('are left alone where the file is %s', async (text, reason) => {
    await using hub = await start({ 'checks.json': text });
    await expect(hub.engine.run('check.list', undefined)).rejects.toThrow(reason);
    await expect(saveCheck(hub, 'pid')).rejects.toThrow(reason);
    expect(await readFile(join(hub.dir, 'checks.json'), 'utf8')).toBe(text);
  });
});
