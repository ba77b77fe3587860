// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { offlineBackup } from '../../../../electron/engine/backup/offline-backup.ts';
import { completeRestore } from '../../../../electron/engine/backup/restore-journal.ts';
import { noRows } from '../../../../electron/engine/backup/setup.ts';
import { readSetupRows, replaceSetupRows } from '../../../../electron/engine/backup/setup-rows.ts';
import type { Backups } from '../../../../electron/engine/engine.ts';
import { openOfflineSecrets } from '../../../../electron/engine/secrets/offline-secrets.ts';
import { dataPaths } from '../../../../electron/engine/store/files/data-dir.ts';
import { bundle } from '../../../helper/bundle.ts';
import { permissions } from '../../../helper/permissions.ts';
import { canMount, smallDisk } from '../../../helper/small-disk.ts';
import { stateIn } from '../../../helper/state-db.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

const passphrase = 'correct horse battery';
const canary = 'canary-8d01-setup';
const at = <T>(dir: string, act: (backup: Backups) => Promise<T>) => offlineBackup(dir, '1.0.0', {}, act);
const make = async (dir: string, secret?: string) =>
  (await at(dir, (backup) => backup.make({ passphrase: secret }))).text;

const identity = (name: string) => ({
  id: `id-of-${name}`,
  kind: 'client' as const,
  name,
  owner: null,
  created_at: 1,
  expires_at: null,
  revoked_at: null,
  token_hash: 'ab12',
  last_seen_at: null,
});

/** Fills a folder with one item of each kind, named after `name`. */
async function fill(dir: string, name: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  const write = (file: string, text: string) => writeFile(join(dir, file), text);
  await write(
    'mcp.json',
    `{\r\n  // of ${name}\r\n  "mcpServers": {\r\n    "${name}": { "command": "node", "env": { "KEY": "\${secret:API}" } },\r\n  }\r\n}\r\n`,
  );
  await write('settings.json', JSON.stringify({ theme: 'dark', port: 7421 }));
  await write(
    'profiles.json',
    `{ "version": 1, /* ${name} */ "profiles": { "${name}": { "servers": {} } } }`,
  );
  await write('search.json', '{}');
  await write('checks.json', '{"version":1,"checks":[]}');
  await using state = stateIn(dir);
  await replaceSetupRows(state, {
    ...noRows,
    identity: [identity(name)],
    mcp_policies: [
      {
        id: name,
        agent_id: `id-of-${name}`,
        effect: 'deny',
        scope: 'server',
        server_id: name,
        tool_name: '',
        needs_token: 0,
        granted_at: 1,
        granted_by: 'me',
        expires_at: null,
      },
    ],
    tool_pin: [
      {
        server: name,
        tool: 't',
        approved: 'd1 d2',
        approved_at: 1,
        definition: '{}',
        blocked: null,
        passed_at: null,
        previous: null,
      },
    ],
  });
}

const files = ['mcp.json', 'settings.json', 'profiles.json', 'search.json', 'checks.json'];

async function setupOf(dir: string) {
  await using state = stateIn(dir);
  const texts = files.map((file) => readFile(join(dir, file), 'utf8').catch(() => undefined));
  return { texts: await Promise.all(texts), rows: await readSetupRows(state) };
}

describe('a backup of a folder that no hub runs on', () => {
  it('[NFR-SEC1] is restored byte for byte in an empty folder, secrets included', async () => {
    await using from = await tempDir();
    await using to = await tempDir();
    await fill(from.path, 'one');
    await (await openOfflineSecrets(from.path, {})).set('API', canary);
    const text = await make(from.path, passphrase);
    expect(text).not.toContain(canary);
    const restored = await at(to.path, (backup) => backup.restore(text, { how: 'replace', passphrase }));
    expect(restored).toMatchObject({ servers: 1, secrets: 1 });
    expect(await setupOf(to.path)).toEqual(await setupOf(from.path));
    expect((await (await openOfflineSecrets(to.path, {})).list()).secrets).toMatchObject([
      { name: 'API', readable: true },
    ]);
    const again = await make(to.path, passphrase);
    expect(JSON.parse(again)).toMatchObject({ files: JSON.parse(text).files, rows: JSON.parse(text).rows });
    expect(await readdir(dataPaths(to.path).run)).not.toContain('restore.json');
    await expect(stat(join(to.path, 'token'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('[NFR-SEC1] contains no stored secret, encrypted or not, unless requested', async () => {
    await using from = await tempDir();
    await fill(from.path, 'one');
    await (await openOfflineSecrets(from.path, {})).set('API', canary);
    const text = await make(from.path);
    const sealed = JSON.parse(await readFile(join(from.path, 'secrets.json'), 'utf8'));
    expect(text).not.toContain(canary);
    for (const { value } of Object.values<{ value: string }>(sealed.secrets))
      expect(text).not.toContain(value);
    expect(text).not.toContain('ab12');
    await using to = await tempDir();
    await at(to.path, (backup) => backup.restore(text, { how: 'replace' }));
    expect((await (await openOfflineSecrets(to.path, {})).list()).missing).toMatchObject([{ name: 'API' }]);
  });

  it('changes nothing for a wrong passphrase, a changed file and a server list that cannot be used', async () => {
    await using from = await tempDir();
    await using to = await tempDir();
    await fill(from.path, 'one');
    await fill(to.path, 'two');
    const text = await make(from.path, passphrase);
    const before = await setupOf(to.path);
    const restore = (backup: string, secret: string) =>
      at(to.path, (place) => place.restore(backup, { how: 'replace', passphrase: secret }));
    await expect(restore(text, 'wrong passphrase')).rejects.toMatchObject({
      problem: { code: 'backup.wrong_passphrase', sentence: 'The passphrase is wrong.' },
    });
    await expect(restore(text.replace('of one', 'of 0ne'), passphrase)).rejects.toMatchObject({
      problem: { code: 'backup.changed' },
    });
    expect(await setupOf(to.path)).toEqual(before);
    expect(await readdir(dataPaths(to.path).dir)).not.toContain('backups');
  });

  it('adds missing items and leaves existing bytes unchanged', async () => {
    await using from = await tempDir();
    await using to = await tempDir();
    await fill(from.path, 'one');
    await fill(to.path, 'two');
    const text = await make(from.path);
    expect(await at(to.path, (backup) => backup.preview(text))).toMatchObject({
      servers: [{ key: 'one', state: 'new', display: 'node' }],
      gone: ['two'],
      settings: 'same',
      secrets: 'none',
    });
    const { texts, rows } = await setupOf(to.path);
    await at(to.path, (backup) => backup.restore(text, { how: 'merge' }));
    const after = await setupOf(to.path);
    expect(after.texts[0]).toContain('// of two');
    expect(JSON.parse((after.texts[0] ?? '').replace(/\/\/.*|,(?=\s*\})/g, '')).mcpServers).toMatchObject({
      one: { command: 'node' },
      two: { command: 'node' },
    });
    expect(after.texts[1]).toBe(texts[1]);
    expect(after.texts[2]).toContain('/* two */');
    expect(after.texts[2]).toContain('"one"');
    expect(after.rows.identity.map(({ name }) => name)).toEqual(['one', 'two']);
    expect(after.rows.tool_pin).toEqual(expect.arrayContaining([...rows.tool_pin]));
    await at(to.path, (backup) => backup.restore(text, { how: 'merge' }));
    expect(await setupOf(to.path)).toEqual(after);
  });

  it('is undone with the file that a restore saved before, secrets included', async () => {
    await using from = await tempDir();
    await using to = await tempDir();
    await fill(from.path, 'one');
    await fill(to.path, 'two');
    await (await openOfflineSecrets(to.path, {})).set('MINE', canary);
    const text = await make(from.path);
    const before = await setupOf(to.path);
    const restored = await at(to.path, (backup) => backup.restore(text, { how: 'replace' }));
    expect((await stat(restored.before)).mode & 0o777).toBe(permissions(0o600));
    await (await openOfflineSecrets(to.path, {})).delete('MINE', true);
    const saved = await readFile(restored.before, 'utf8');
    expect(saved).not.toContain(canary);
    await at(to.path, (backup) => backup.restore(saved, { how: 'replace' }));
    expect((await setupOf(to.path)).texts).toEqual(before.texts);
    expect((await (await openOfflineSecrets(to.path, {})).list()).secrets).toMatchObject([
      { name: 'MINE', readable: true },
    ]);
  });
});

describe.runIf(canMount)('on a disk that fills up', () => {
  it('a restore changes nothing and says so', async () => {
    await using from = await tempDir();
    await fill(from.path, 'one');
    const text = await make(from.path);
    await using disk = await smallDisk('2m');
    const dir = join(disk.path, 'data');
    await fill(dir, 'two');
    const before = await setupOf(dir);
    await at(dir, (backup) => backup.preview(text));
    disk.fill();
    await expect(at(dir, (backup) => backup.restore(text, { how: 'replace' }))).rejects.toMatchObject({
      problem: { code: 'hub.disk_full' },
    });
    await disk.empty();
    expect(await setupOf(dir)).toEqual(before);
    await at(dir, (backup) => backup.restore(text, { how: 'replace' }));
    expect((await setupOf(dir)).texts[0]).toContain('of one');
  });
});

describe('a restore that is killed', () => {
  const cache = fileURLToPath(new URL('../../../../.cache/', import.meta.url));
  let folder = '';
  let program = '';
  beforeAll(async () => {
    await mkdir(cache, { recursive: true });
    folder = await mkdtemp(join(cache, 'restorer-'));
    program = await bundle(fileURLToPath(new URL('../../../fixture/restorer.ts', import.meta.url)), folder);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('leaves the old setup or the new one, and never half of either', async () => {
    await using one = await tempDir();
    await using two = await tempDir();
    await using to = await tempDir();
    const names = ['one', 'two'] as const;
    const backups: string[] = [];
    for (const [index, dir] of [one.path, two.path].entries()) {
      await fill(dir, names[index] ?? '');
      const file = join(dir, 'backup.json');
      await writeFile(file, await make(dir));
      backups.push(file);
    }
    await fill(to.path, 'one');
    const seen = new Set<string>();
    for (let round = 0; round < 8; round += 1) {
      const child = fork(program, [to.path, ...backups], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
      await once(child, 'message');
      const gone = once(child, 'exit');
      // The moment differs from round to round, so that the kill hits different steps.
      setTimeout(() => child.kill('SIGKILL'), round * 25);
      await gone;
      await completeRestore(to.path, 'test');
      const { texts, rows } = await setupOf(to.path);
      const name = texts[0]?.includes('of one') ? 'one' : 'two';
      seen.add(name);
      expect(texts[2]).toContain(`/* ${name} */`);
      expect(rows.mcp_policies.map(({ id }) => id)).toContain(name);
      expect(rows.tool_pin.map(({ server }) => server)).toEqual([name]);
    }
    expect(seen.size).toBeGreaterThan(0);
  });
});
