import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { permissions } from '../../../helper/permissions.ts';
import { fixture, nodeEntry, programs } from '../../../helper/programs.ts';
import { configText, isConnected, startHub } from '../../../helper/running-hub.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

async function patchbay(dir: string, env: Record<string, string>, input: string, ...args: string[]) {
  const argv = [programs.patchbay, ...args, '--data-dir', dir];
  const child = spawn(process.execPath, argv, { env: { PATH: process.env.PATH, ...env }, stdio: 'pipe' });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { out, err, code: child.exitCode };
}

it('[PB-HEAD-1] [NFR-SEC1] patchbay backup and restore move a setup to a running hub, secrets by a passphrase file', async () => {
  await using folder = await tempDir();
  const from = join(folder.path, 'from');
  const file = join(folder.path, 'setup.json');
  const words = join(folder.path, 'words');
  const env = { PATCHBAY_PASSPHRASE_FILE: words };
  await mkdir(from);
  await writeFile(join(from, 'mcp.json'), configText({ echo: nodeEntry(fixture('echo')) }));
  await writeFile(words, 'correct horse battery\n');
  expect((await patchbay(from, {}, 'hush-hush\n', 'secret', 'set', 'API')).code).toBe(0);
  const made = await patchbay(from, env, '', 'backup', file, '--secrets');
  expect(made).toMatchObject({ code: 0, err: '' });
  expect(made.out).toContain('1 server and 1 secret');
  expect((await stat(file)).mode & 0o777).toBe(permissions(0o600));
  expect(await readFile(file, 'utf8')).not.toContain('hush-hush');

  await using hub = await startHub({});
  const asked = await patchbay(hub.dir, env, '', 'restore', file);
  expect(asked).toMatchObject({ code: 1, err: expect.stringContaining('--yes') });
  expect(hub.engine.servers()).toEqual([]);
  const done = await patchbay(hub.dir, env, '', 'restore', file, '--yes');
  expect(done).toMatchObject({ code: 0, err: '' });
  expect(done.out).toContain('+ echo');
  expect(done.out).toContain('Restored: 1 server and 1 secret.');
  await isConnected(hub, 'echo');
  expect((await hub.engine.run('secret.list', undefined)).secrets).toMatchObject([
    { name: 'API', readable: true },
  ]);
  await writeFile(words, 'another passphrase');
  expect(await patchbay(hub.dir, env, '', 'restore', file, '--yes')).toMatchObject({
    code: 1,
    err: expect.stringContaining('[backup.wrong_passphrase]'),
  });
});
