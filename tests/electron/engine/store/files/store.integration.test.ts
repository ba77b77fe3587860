import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeFileAtomic, writePrivateFile } from '../../../../../electron/engine/store/files/atomic-file.ts';
import {
  dataPaths,
  defaultDataDir,
  openDataDir,
} from '../../../../../electron/engine/store/files/data-dir.ts';
import {
  acquireInstanceLock,
  readHubRecord,
} from '../../../../../electron/engine/store/files/instance-lock.ts';
import { tidyDataDir } from '../../../../../electron/engine/store/files/private-files.ts';
import { processIdentity } from '../../../../../electron/engine/store/files/process-identity.ts';
import { readSettings } from '../../../../../electron/engine/store/files/settings-file.ts';
import { loadOrCreateToken } from '../../../../../electron/engine/store/files/token.ts';
import { type Problem, toProblem } from '../../../../../shared/error/problem.ts';
import { permissions } from '../../../../helper/permissions.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

/** Windows makes links only for some users, and Wine none that Node reads. */
const hasLinks = process.platform !== 'win32';

describe('atomic files', () => {
  it.runIf(hasLinks)('[PB-CFG-2] replaces the text and keeps a symbolic link one', async () => {
    await using folder = await tempDir();
    const real = join(folder.path, 'real.json');
    const linked = join(folder.path, 'mcp.json');
    await writeFile(real, 'old');
    await symlink(real, linked);
    await writeFileAtomic(linked, 'new');
    expect(await readFile(real, 'utf8')).toBe('new');
    expect(await readlink(linked)).toBe(real);
    expect(await readdir(folder.path)).toHaveLength(2);
  });

  it.runIf(process.getuid?.() === 0)('keep the owner of a file that root writes', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'mcp.json');
    await writeFile(file, 'theirs', { mode: 0o600 });
    await chown(file, 65_534, 65_533);
    await writeFileAtomic(file, 'ours');
    const { uid, gid, mode } = await stat(file);
    expect([uid, gid, mode & 0o777]).toEqual([65_534, 65_533, 0o600]);
  });

  it('keeps the permissions of a file, and leaves no draft when it fails', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'mcp.json');
    await writeFileAtomic(file, 'one', { mode: 0o600 });
    await writeFileAtomic(file, 'two');
    expect((await stat(file)).mode & 0o777).toBe(permissions(0o600));
    await expect(writeFileAtomic(folder.path, 'x')).rejects.toMatchObject({
      problem: { code: 'config.unwritable' },
    });
    expect(await readdir(folder.path)).toEqual(['mcp.json']);
  });

  it.runIf(hasLinks)(
    '[PB-SAFE-2] makes a private file readable by its user only, and does not write a token through a link',
    async () => {
      await using folder = await tempDir();
      const at = (name: string) => join(folder.path, name);
      const [file, real, token] = [at('secrets.json'), at('real'), at('token')];
      await writeFile(file, 'old', { mode: 0o644 });
      await writePrivateFile(file, 'new');
      expect((await stat(file)).mode & 0o777).toBe(permissions(0o600));
      await writeFile(real, 'precious', { mode: 0o644 });
      await symlink(real, token);
      await loadOrCreateToken(token);
      expect(await readFile(real, 'utf8')).toBe('precious');
      expect((await lstat(token)).isFile()).toBe(true);
      expect((await stat(token)).mode & 0o777).toBe(permissions(0o600));
    },
  );

  it('names the file when it cannot be written', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'missing-folder', 'mcp.json');
    await expect(writeFileAtomic(file, 'x')).rejects.toMatchObject({
      problem: {
        code: 'config.unwritable',
        evidence: expect.arrayContaining([{ label: 'file', value: file }]),
      },
    });
  });
});

describe('data folder', () => {
  it('is private when it is new, and keeps existing permissions', async () => {
    await using folder = await tempDir();
    const paths = await openDataDir(join(folder.path, 'data'));
    expect((await stat(paths.dir)).mode & 0o777).toBe(permissions(0o700));
    const shared = join(folder.path, 'shared');
    await mkdir(shared);
    await chmod(shared, 0o755);
    await openDataDir(shared);
    expect((await stat(shared)).mode & 0o777).toBe(permissions(0o755));
    expect((await stat(join(shared, 'run'))).mode & 0o777).toBe(permissions(0o700));
  });

  it('[PB-SAFE-2] makes files that may contain secrets private, and leaves the user’s own files', async () => {
    await using folder = await tempDir();
    const paths = await openDataDir(folder.path);
    const secret = [
      paths.token,
      paths.secrets,
      paths.checks,
      paths.state,
      `${paths.activity}-wal`,
      paths.auditJournal,
    ];
    const own = [paths.config, join(paths.dir, 'notes.txt')];
    for (const file of [...secret, join(paths.logs, 'patchbay.log'), ...own]) {
      await writeFile(file, '');
      await chmod(file, 0o644);
    }
    await tidyDataDir(paths);
    for (const file of secret) expect((await stat(file)).mode & 0o777, file).toBe(permissions(0o600));
    for (const file of own) expect((await stat(file)).mode & 0o777, file).toBe(permissions(0o644));
  });

  it('[PB-CFG-2] removes the temporary files of killed processes, but not those of running ones or similar files', async () => {
    await using folder = await tempDir();
    const paths = await openDataDir(folder.path);
    const killed = spawn(process.execPath, ['-e', '']);
    await once(killed, 'exit');
    const draft = (pid: number | undefined) => `mcp.json.patchbay-${pid}-0123abcd.tmp`;
    const left = [draft(killed.pid), `state.db.backup-3.patchbay-${killed.pid}-0123abcd.tmp`];
    const kept = [
      draft(process.ppid),
      draft(process.pid),
      'notes.tmp',
      'mcp.json.0123abcd.tmp',
      'a.0123abcd.tmp.txt',
    ];
    const old = ['catalogue.json.89abcdef.tmp', `token.patchbay-${process.ppid}-89abcdef.tmp`];
    for (const name of [...left, ...kept, ...old]) await writeFile(join(folder.path, name), 'a secret');
    const hourAgo = new Date(Date.now() - 3_600_000);
    for (const name of old) await utimes(join(folder.path, name), hourAgo, hourAgo);
    await tidyDataDir(paths);
    const names = await readdir(folder.path);
    expect(names.filter((name) => name.includes('tmp')).sort()).toEqual([...kept].sort());
  });

  it('refuses a folder that cannot be made, naming it', async () => {
    await using folder = await tempDir();
    await writeFile(join(folder.path, 'file'), '');
    await expect(openDataDir(join(folder.path, 'file', 'data'))).rejects.toMatchObject({
      problem: { code: 'hub.data_folder_unwritable' },
    });
  });

  it.skipIf(process.platform !== 'linux')(
    'is refused at once if the system cannot create folders',
    async () => {
      await expect(openDataDir('/proc/none/deeper')).rejects.toMatchObject({
        problem: { code: 'hub.data_folder_unwritable' },
      });
    },
  );

  it.skipIf(process.platform === 'win32')('keeps the socket path within what the system allows', () => {
    const long = dataPaths(`/home/${'x'.repeat(200)}`, 'linux').socket;
    expect(Buffer.byteLength(long)).toBeLessThanOrEqual(103);
    expect(dataPaths('/a', 'linux').socket).toBe('/a/run/hub.sock');
  });

  it('has the same pipe on Windows however its path is written', () => {
    expect(dataPaths('c:\\users\\ann', 'win32').socket).toBe(dataPaths('C:\\Users\\Ann', 'win32').socket);
  });

  it('is found without any environment', () => {
    expect(defaultDataDir({})).toMatch(/\.patchbay$/);
    expect(defaultDataDir({ PATCHBAY_DATA_DIR: '/elsewhere' })).toBe(resolve('/elsewhere'));
  });
});

describe('instance lock', () => {
  it('lets one hub own a folder and frees it on release', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'hub.json');
    const lock = await acquireInstanceLock(file, '1');
    await expect(acquireInstanceLock(file, '1')).rejects.toMatchObject({
      problem: { code: 'hub.already_running' },
    });
    await lock.update({ port: 7420 });
    expect(await readHubRecord(file)).toMatchObject({ pid: process.pid, port: 7420 });
    await lock.release();
    await (await acquireInstanceLock(file, '1')).release();
  });

  it('leaves the record of another hub that owns the folder by now', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'hub.json');
    const lock = await acquireInstanceLock(file, '1');
    const other = JSON.stringify({ pid: 1, identity: 'another hub' });
    await writeFile(file, other);
    await lock.release();
    expect(await readFile(file, 'utf8')).toBe(other);
  });

  it('notices each time that its record is gone or is that of another hub', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'hub.json');
    const lock = await acquireInstanceLock(file, '1');
    const own = await readFile(file, 'utf8');
    const other = JSON.stringify({ pid: process.pid, identity: 'another hub' });
    for (const [text, isOwn] of [
      [own, true],
      [other, false],
      [own, true],
    ] as const) {
      await writeFile(file, text);
      for (const _ of [1, 2]) expect(await lock.isRecorded()).toBe(isOwn);
    }
    const copy = join(folder.path, 'copy.json');
    await writeFile(copy, other);
    await rename(copy, file);
    expect(await lock.isRecorded()).toBe(false);
    await rm(file);
    expect(await lock.isRecorded()).toBe(false);
  });

  it('writes its record again, but not over that of another hub', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'hub.json');
    const lock = await acquireInstanceLock(file, '1');
    await lock.update({ port: 7420 });
    await rm(file);
    expect(await lock.isRecorded()).toBe(false);
    expect(await lock.renew()).toBeUndefined();
    expect(await readHubRecord(file)).toMatchObject({ pid: process.pid, port: 7420 });
    const owner = { pid: process.ppid, identity: await processIdentity(process.ppid) };
    await writeFile(file, JSON.stringify(owner));
    expect(await lock.renew()).toMatchObject({ code: 'hub.already_running' });
    await lock.update({ port: 7421 });
    expect(await readHubRecord(file)).toEqual(owner);
  });

  it('takes over what a killed hub or garbage left', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'hub.json');
    for (const left of ['{"pid":1,"identity":"someone else"}', '', 'garbage']) {
      await writeFile(file, left);
      await (await acquireInstanceLock(file, '1')).release();
    }
  });

  it('gives the folder to exactly one of many hubs that start at once over a stale record', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'hub.json');
    await writeFile(file, '{"pid":1,"identity":"someone else"}');
    const tries = await Promise.allSettled(Array.from({ length: 20 }, () => acquireInstanceLock(file, '1')));
    const owners = tries.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []));
    expect(owners).toHaveLength(1);
    await owners[0]?.release();
  });
});

describe('process identity', () => {
  it('[PB-PROC-1] is stable while a process lives and gone after it', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const pid = child.pid ?? 0;
    const identity = await processIdentity(pid);
    expect(identity).toBeTypeOf('string');
    expect(await processIdentity(pid)).toBe(identity);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await processIdentity(pid)).toBeUndefined();
  });
});

describe('token and settings', () => {
  it('[PB-SAFE-2] makes a token once, readable by the user only', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'token');
    const token = await loadOrCreateToken(file);
    expect(token.length).toBeGreaterThan(40);
    expect(await loadOrCreateToken(file)).toBe(token);
    expect((await stat(file)).mode & 0o777).toBe(permissions(0o600));
  });

  it('[PB-SAFE-2] makes a new token for an emptied file and says who needs it, without the token', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'token');
    const told: Problem[] = [];
    await loadOrCreateToken(file, (problem) => void told.push(problem));
    expect(told).toEqual([]);
    await writeFile(file, '');
    const token = await loadOrCreateToken(file, (problem) => void told.push(problem));
    expect(told).toMatchObject([
      { fix: expect.stringContaining('the new token to clients that connect over HTTP') },
    ]);
    expect(JSON.stringify(told)).not.toContain(token);
  });

  it('[ERR-1] names what is of the wrong kind, and what to do with it', async () => {
    await using folder = await tempDir();
    const place = (name: string) => join(folder.path, name);
    await mkdir(place('token'));
    await mkdir(place('catalogue.json'));
    await mkdir(place('data'));
    await writeFile(place('data/run'), '');
    const found = [
      [() => loadOrCreateToken(place('token')), 'token is a folder, but should be a file.'],
      [
        () => writeFileAtomic(place('catalogue.json'), '{}'),
        'catalogue.json is a folder, but should be a file.',
      ],
      [() => openDataDir(place('data')), 'run is a file, but should be a folder.'],
    ] as const;
    for (const [outcome, sentence] of found) {
      const problem = toProblem(await outcome().catch((error: unknown) => error));
      expect(problem.sentence.endsWith(sentence), problem.sentence).toBe(true);
      expect(problem.fix).toMatch(/^Move the (file|folder) away/);
    }
  });

  it('reads defaults from a missing file and leaves a damaged one alone', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'settings.json');
    expect((await readSettings(file)).settings.port).toBe(7420);
    await writeFile(file, '{"port": "many"}');
    const damaged = await readSettings(file);
    expect(damaged.settings.port).toBe(7420);
    expect(damaged.problem?.code).toBe('hub.settings_unreadable');
    expect(await readFile(file, 'utf8')).toBe('{"port": "many"}');
  });
});
