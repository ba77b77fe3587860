// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SecretsView } from '../../../../shared/model/hub/secret.ts';
import { eventually } from '../../../helper/eventually.ts';
import { fixture } from '../../../helper/programs.ts';
import { type Hub, isConnected, startHub } from '../../../helper/running-hub.ts';

const node = process.execPath;
const canary = 'canary-7f3e91-vault';
/** `echo` returns the value of `NAME` in its server info. */
const named = (value: string) => ({ command: node, args: [fixture('echo')], env: { NAME: value } });
const plain = { command: node, args: [fixture('echo')] };

const hasStatus = (hub: Hub, key: string, status: string) =>
  eventually(() => expect(hub.server(key).status).toBe(status));
const isNamed = (hub: Hub, key: string, name: string) =>
  eventually(() => expect(hub.server(key).serverInfo?.name).toBe(name));

describe('a stored secret', () => {
  it('[NFR-SEC1] [FR-002] that is missing stops only its server, naming it and the field, until it is stored', async () => {
    await using hub = await startHub({ a: named('${secret:API}'), b: plain });
    await hasStatus(hub, 'a', 'error');
    await isConnected(hub, 'b');
    expect(hub.server('a').problem).toMatchObject({
      code: 'config.missing_secret',
      sentence: 'env.NAME: there is no stored secret "API".',
      fix: 'Enter the value of the secret.',
    });
    const missing = [{ name: 'API', usedBy: [{ key: 'a', fields: ['env.NAME'] }] }];
    expect(await hub.engine.run('secret.list', undefined)).toEqual({ secrets: [], missing });
    await hub.engine.run('secret.set', { name: 'API', value: 'first-value', replace: false });
    await isNamed(hub, 'a', 'first-value');
  });

  it('[NFR-SEC1] is replaced in one place: the servers that use it restart, the others keep running', async () => {
    await using hub = await startHub({ b: plain });
    await hub.engine.run('secret.set', { name: 'API', value: 'old-value', replace: false });
    await hub.engine.run('server.add', {
      servers: [
        { key: 'a', entry: named('${secret:API}') },
        { key: 'c', entry: { command: node, args: [fixture('echo'), '--token=${secret:API}'] } },
      ],
    });
    for (const key of ['a', 'b', 'c']) await isConnected(hub, key);
    const pids = () => ['a', 'b', 'c'].map((key) => hub.server(key).pid);
    const before = pids();
    await expect(
      hub.engine.run('secret.set', { name: 'API', value: 'new-value', replace: false }),
    ).rejects.toMatchObject({
      problem: { code: 'secret.exists' },
    });
    await hub.engine.run('secret.set', { name: 'API', value: 'new-value', replace: true });
    await isNamed(hub, 'a', 'new-value');
    await eventually(() => expect(hub.server('c').pid).not.toBe(before[2]));
    await isConnected(hub, 'c');
    expect(pids()[1]).toBe(before[1]);
  });

  it('[NFR-SEC1] is listed with its users but never with its value, and is not deleted while in use unless forced', async () => {
    await using hub = await startHub({ a: { ...named('${secret:API}'), disabled: true } });
    const told: SecretsView[] = [];
    hub.engine.events['secrets.changed']((view) => told.push(view));
    await hub.engine.run('secret.set', { name: 'API', value: canary, replace: false });
    const [secret] = (await hub.engine.run('secret.list', undefined)).secrets;
    expect(secret).toMatchObject({ name: 'API', readable: true, keeper: 'key-file' });
    expect(secret?.usedBy).toEqual([{ key: 'a', fields: ['env.NAME'] }]);
    expect(Date.now() - (secret?.storedAt ?? 0)).toBeLessThan(600_000);
    await expect(hub.engine.run('secret.delete', { name: 'API', force: false })).rejects.toMatchObject({
      problem: { code: 'secret.in_use', sentence: 'API is used by a.' },
    });
    await hub.engine.run('secret.delete', { name: 'API', force: true });
    expect((await hub.engine.run('secret.list', undefined)).missing.map(({ name }) => name)).toEqual(['API']);
    await expect(hub.engine.run('secret.delete', { name: 'API', force: true })).rejects.toMatchObject({
      problem: { code: 'secret.unknown' },
    });
    expect(told.map(({ secrets, missing }) => [secrets.length, missing.length])).toEqual([
      [1, 0],
      [0, 1],
    ]);
    expect(JSON.stringify(told)).not.toContain(canary);
  });

  it('[NFR-SEC1] appears in no log, view, answer or file, even if its server repeats it', async () => {
    const lines: string[] = [];
    const logger = { log: (...line: unknown[]) => void lines.push(JSON.stringify(line)) };
    await using hub = await startHub(
      {
        a: {
          command: node,
          args: [fixture('tells-all'), 'x${secret:API_URL}y'],
          env: { PLAIN_NAME: '${secret:API_URL}', MODE: 'list' },
          patchbay: { restart: 'never' },
        },
        b: { url: 'http://127.0.0.1:1/${secret:API_URL}', patchbay: { restart: 'never' } },
      },
      { ports: { logger } },
    );
    await hub.engine.run('secret.set', { name: 'API_URL', value: canary, replace: false });
    await eventually(async () =>
      expect((await hub.engine.run('server.log', { key: 'a' })).lines.length).toBeGreaterThan(3),
    );
    await hasStatus(hub, 'b', 'error');
    const textOfEntry = async (key: string) => (await hub.engine.run('server.entry', { key })).text;
    const shown = {
      servers: hub.engine.servers(),
      logs: await Promise.all(['a', 'b'].map((key) => hub.engine.run('server.log', { key }))),
      hub: hub.engine.view(),
      secrets: await hub.engine.run('secret.list', undefined),
      entries: await Promise.all(['a', 'b'].map((key) => hub.engine.run('server.entry', { key }))),
      command: await hub.engine.run('server.explainCommand', { key: 'a' }),
      trial: await hub.engine.run('server.tryEntry', { key: 'a', text: await textOfEntry('a') }),
      verdict: await hub.engine.run('server.validate', {
        key: 'b',
        text: await textOfEntry('b'),
        originalKey: 'b',
      }),
      lines,
    };
    expect(JSON.stringify(shown)).toContain('•••');
    expect(JSON.stringify(shown)).not.toContain(canary);
    for (const name of await readdir(hub.dir, { recursive: true })) {
      const text = await readFile(join(hub.dir, name), 'utf8').catch(() => '');
      expect([name, text.includes(canary)]).toEqual([name, false]);
    }
  });

  it('[NFR-SEC1] is used as soon as another program has stored it, and is reported if its key is missing', async () => {
    await using hub = await startHub({ a: named('${secret:API}') });
    await hasStatus(hub, 'a', 'error');
    await using other = await startHub({});
    await other.engine.run('secret.set', { name: 'API', value: 'from elsewhere', replace: false });
    const copy = async (name: string) =>
      writeFile(join(hub.dir, name), await readFile(join(other.dir, name)), { mode: 0o600 });
    await copy('secrets.json');
    await eventually(async () =>
      expect((await hub.engine.run('secret.list', undefined)).secrets[0]?.readable).toBe(false),
    );
    await eventually(() =>
      expect(hub.server('a').problem).toMatchObject({
        code: 'config.missing_secret',
        sentence: expect.stringContaining('encrypted with another key; enter it again'),
      }),
    );
    await eventually(() =>
      expect(hub.engine.view().problems.map(({ code }) => code)).toContain('hub.secrets_unreadable'),
    );
    await copy('secrets.key');
    await copy('secrets.json');
    await isNamed(hub, 'a', 'from elsewhere');
    await eventually(() => expect(hub.engine.view().problems).toEqual([]));
  });

  it('[NFR-SEC1] is suggested for plain-text values of an edited entry', async () => {
    await using hub = await startHub({});
    const text = '{"command": "x",\n "env": {"API_TOKEN": "hush", "LEVEL": "debug"}}';
    expect((await hub.engine.run('server.validate', { key: 'a', text })).issues).toEqual([
      {
        severity: 'warning',
        path: 'env.API_TOKEN',
        message: 'this looks like a secret in plain text',
        line: 2,
        column: 23,
        secret: { path: ['env', 'API_TOKEN'], from: 0, to: 4, name: 'API_TOKEN' },
      },
    ]);
  });

  it('must have a name that a reference can contain', async () => {
    await using hub = await startHub({});
    for (const name of ['', 'a b', 'x}', '1st', 'a'.repeat(65)]) {
      await expect(
        hub.engine.run('secret.set', { name, value: 'value', replace: true }),
      ).rejects.toMatchObject({
        problem: { code: 'secret.invalid_name' },
      });
    }
  });
});
