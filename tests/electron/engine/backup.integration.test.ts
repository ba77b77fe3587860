// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eventually } from '../../helper/eventually.ts';
import { fixture } from '../../helper/programs.ts';
import { configText, isConnected, startHub } from '../../helper/running-hub.ts';

const node = process.execPath;
const echo = { command: node, args: [fixture('echo')] };
const named = { ...echo, env: { NAME: '${secret:API}' } };
const passphrase = 'correct horse battery';

it('[NFR-SEC1] a backup with secrets is restored on another running hub without restarting unchanged servers, and is undone', async () => {
  const text = `// mine\n${configText({ same: echo, moved: named })}\n`;
  let backup = '';
  {
    await using from = await startHub(text);
    await from.engine.run('secret.set', { name: 'API', value: 'told-by-echo', replace: false });
    await from.engine.run('profile.create', { name: 'Work' });
    await from.engine.run('access.create', { kind: 'client', name: 'Claude' }, 'test');
    await isConnected(from, 'moved');
    backup = (await from.engine.run('backup.make', { passphrase })).text;
  }
  await using to = await startHub({ same: echo, old: echo });
  for (const key of ['same', 'old']) await isConnected(to, key);
  const before = await readFile(to.file, 'utf8');
  const { pid } = to.server('same');
  const preview = await to.engine.run('backup.preview', { text: backup });
  expect(preview).toMatchObject({
    servers: [
      { key: 'same', state: 'same' },
      { key: 'moved', state: 'new' },
    ],
    gone: ['old'],
    secrets: 'encrypted',
  });
  expect(JSON.stringify(preview)).not.toContain('told-by-echo');
  expect(to.engine.servers().map(({ key }) => key)).toEqual(['same', 'old']);

  const restored = await to.engine.run('backup.restore', { text: backup, how: 'replace', passphrase });
  expect(await readFile(to.file, 'utf8')).toBe(text);
  await eventually(() => expect(to.server('moved').serverInfo?.name).toBe('told-by-echo'));
  expect(to.engine.servers().map(({ key }) => key)).toEqual(['same', 'moved']);
  expect(to.server('same').pid).toBe(pid);
  expect(to.engine.profiles().profiles.map(({ name }) => name)).toEqual(['Work']);
  const clients = () => to.engine.access().identities.map(({ kind, name }) => `${kind} ${name}`);
  expect(clients()).toContain('client Claude');

  await to.engine.run('backup.undo', { undoId: restored.undoId });
  expect(await readFile(to.file, 'utf8')).toBe(before);
  await isConnected(to, 'old');
  expect((await to.engine.run('secret.list', undefined)).secrets).toEqual([]);
  expect(to.engine.profiles().profiles).toEqual([]);
  expect(clients()).not.toContain('client Claude');
  await expect(to.engine.run('backup.undo', { undoId: restored.undoId })).rejects.toMatchObject({
    problem: { code: 'backup.undo_gone' },
  });
});

it('a restore without secrets leaves missing values to be entered, and cannot be undone after a later change', async () => {
  let backup = '';
  {
    await using from = await startHub({ moved: named });
    await from.engine.run('secret.set', { name: 'API', value: 'told-by-echo', replace: false });
    backup = (await from.engine.run('backup.make', {})).text;
  }
  expect(backup).not.toContain('told-by-echo');
  await using to = await startHub({ mine: echo });
  const { undoId } = await to.engine.run('backup.restore', { text: backup, how: 'merge' });
  await eventually(() => expect(to.server('moved').problem?.code).toBe('config.missing_secret'));
  await isConnected(to, 'mine');
  await to.engine.run('secret.set', { name: 'API', value: 'entered', replace: false });
  await eventually(() => expect(to.server('moved').serverInfo?.name).toBe('entered'));
  await to.engine.run('server.remove', { key: 'moved' });
  await expect(to.engine.run('backup.undo', { undoId })).rejects.toMatchObject({
    problem: { code: 'backup.undo_gone' },
  });
  expect(await readFile(join(to.dir, 'mcp.json'), 'utf8')).not.toContain('moved');
});

it('concurrent restores and backups take turns while a server is starting', async () => {
  const backups: string[] = [];
  for (const name of ['one', 'two']) {
    await using from = await startHub({ [name]: echo });
    await from.engine.run('profile.create', { name });
    backups.push((await from.engine.run('backup.make', {})).text);
  }
  const [one = '', two = ''] = backups;
  await using to = await startHub({
    starting: { command: node, args: ['-e', 'setInterval(() => {}, 1000)'] },
  });
  await eventually(() => expect(to.server('starting').status).toBe('connecting'));
  const { run } = to.engine;
  const [first, between, second] = await Promise.all([
    run('backup.restore', { text: one, how: 'replace' }),
    run('backup.make', {}),
    run('backup.restore', { text: two, how: 'replace' }),
  ]);
  expect(JSON.parse(between.text).files.config).toBe(JSON.parse(one).files.config);
  expect(to.engine.servers().map(({ key }) => key)).toEqual(['two']);
  expect(to.engine.profiles().profiles.map(({ name }) => name)).toEqual(['two']);
  await isConnected(to, 'two');
  await expect(run('backup.undo', { undoId: first.undoId })).rejects.toMatchObject({
    problem: { code: 'backup.undo_gone' },
  });
  await run('backup.undo', { undoId: second.undoId });
  expect(to.engine.servers().map(({ key }) => key)).toEqual(['one']);
  await isConnected(to, 'one');
});
