// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { ValuePlace } from '../../../../shared/model/server/missing-value.ts';
import { authServer } from '../../../helper/auth-server.ts';
import { eventually } from '../../../helper/eventually.ts';
import { keyServer } from '../../../helper/key-server.ts';
import { fixture } from '../../../helper/programs.ts';
import { type Hub, isConnected, startHub } from '../../../helper/running-hub.ts';

const node = process.execPath;
/** `echo` returns the value of `NAME` in its server info. */
const named = (value: string) => ({ command: node, args: [fixture('echo')], env: { NAME: value } });

const hasProblem = (hub: Hub, key: string, code: string) =>
  eventually(() => expect(hub.server(key).problem?.code).toBe(code));
const isNamed = (hub: Hub, key: string, name: string) =>
  eventually(() => expect(hub.server(key).serverInfo?.name).toBe(name));
const secretsOf = async (hub: Hub) =>
  (await hub.engine.run('secret.list', undefined)).secrets.map(({ name }) => name);
const missingOf = (hub: Hub, key: string): ValuePlace => {
  const [first] = hub.server(key).missing ?? [];
  if (first === undefined) throw new Error(`nothing is missing in ${key}`);
  return first.place;
};

describe('a key that a remote server asks for', () => {
  it('[NFR-SEC1] is entered, refused, entered again and undone, with comments preserved and the key never shown', async () => {
    await using remote = await keyServer();
    const config = `{\n  // mine\n  "mcpServers": {\n    "acme": { "url": "${remote.url}" /* here */ }\n  }\n}\n`;
    await using hub = await startHub(config);
    await hasProblem(hub, 'acme', 'server.key_needed');
    expect(hub.server('acme')).toMatchObject({ status: 'needs-auth' });
    expect(hub.server('acme').auth).toBeUndefined();
    expect(hub.server('acme').problem?.evidence).toContainEqual({
      label: 'the server said',
      value: 'API key missing',
    });
    const wrong = await hub.engine.run('server.enterValue', {
      key: 'acme',
      place: missingOf(hub, 'acme'),
      value: 'a-wrong-key',
    });
    expect(wrong.secret).toBe('ACME_TOKEN');
    await hasProblem(hub, 'acme', 'server.key_refused');
    expect(JSON.stringify(hub.server('acme'))).not.toContain('a-wrong-key');
    expect(hub.server('acme').problem?.evidence).toContainEqual({
      label: 'the server said',
      value: 'Unknown key: •••',
    });
    const right = await hub.engine.run('server.enterValue', {
      key: 'acme',
      place: missingOf(hub, 'acme'),
      value: remote.key,
    });
    await isConnected(hub, 'acme');
    await eventually(() => expect(hub.server('acme').counts.tools).toBe(1));
    expect(hub.server('acme').missing).toBeUndefined();
    const written = await readFile(hub.file, 'utf8');
    expect(written).toContain('"Authorization": "Bearer ${secret:ACME_TOKEN}"');
    expect(written).toContain('// mine');
    expect(written).toContain('/* here */');
    expect(written).not.toContain(remote.key);
    for (const { undoId } of [right, wrong]) await hub.engine.run('server.undoEntered', { undoId });
    await hub.engine.run('server.restart', { key: 'acme' });
    await hasProblem(hub, 'acme', 'server.key_needed');
    expect(await readFile(hub.file, 'utf8')).toBe(config);
    expect(await secretsOf(hub)).toEqual([]);
  });

  it('goes into the header that the server names, and leaves a secret of other servers alone', async () => {
    await using remote = await keyServer({ header: 'X-API-Key', scheme: '' });
    await using hub = await startHub({ acme: { url: remote.url }, b: named('${secret:ACME_API_KEY}') });
    await hub.engine.run('secret.set', { name: 'ACME_API_KEY', value: 'of-another', replace: false });
    await hasProblem(hub, 'acme', 'server.key_needed');
    const place = missingOf(hub, 'acme');
    expect(place).toEqual({ kind: 'header', header: 'X-API-Key', scheme: '' });
    expect(
      (await hub.engine.run('server.enterValue', { key: 'acme', place, value: remote.key })).secret,
    ).toBe('ACME_API_KEY_2');
    await isConnected(hub, 'acme');
    await isNamed(hub, 'b', 'of-another');
  });

  it('is tried again if the same one is entered, and replaces the header with the refused one', async () => {
    await using remote = await keyServer({ header: 'X-Acme-Token', scheme: '' });
    await using hub = await startHub({
      acme: { url: remote.url, headers: { Authorization: 'Bearer nothing' } },
    });
    await hasProblem(hub, 'acme', 'server.key_refused');
    const since = hub.server('acme').since;
    const place = { kind: 'header', header: 'Authorization', scheme: 'Bearer' } as const;
    await hub.engine.run('server.enterValue', { key: 'acme', place, value: 'same' });
    await eventually(() => expect(hub.server('acme').since).not.toBe(since));
    await hasProblem(hub, 'acme', 'server.key_refused');
    const other = { kind: 'header', header: 'X-Acme-Token', scheme: '', replaces: 'authorization' } as const;
    await hub.engine.run('server.enterValue', { key: 'acme', place: other, value: remote.key });
    await isConnected(hub, 'acme');
    expect((await hub.engine.run('server.entry', { key: 'acme' })).entry.headers).toEqual({
      'X-Acme-Token': '${secret:ACME_ACME_TOKEN}',
    });
  });
});

describe('a value that an entry lacks', () => {
  it('[FR-002] for an unset variable is entered as a secret, wherever it is used', async () => {
    const entry = { ...named('${ACME_NAME_OF_NOBODY}'), args: [fixture('echo'), '--x=$ACME_NAME_OF_NOBODY'] };
    await using hub = await startHub({ a: { ...entry, cwd: '$$ACME_NAME_OF_NOBODY/..' } });
    await hasProblem(hub, 'a', 'config.missing_env_var');
    expect(hub.server('a').missing).toEqual([
      { place: { kind: 'variable', name: 'ACME_NAME_OF_NOBODY' }, label: 'ACME_NAME_OF_NOBODY' },
    ]);
    const { undoId } = await hub.engine.run('server.enterValue', {
      key: 'a',
      place: missingOf(hub, 'a'),
      value: 'entered',
    });
    expect((await hub.engine.run('server.entry', { key: 'a' })).entry).toMatchObject({
      args: [fixture('echo'), '--x=${secret:ACME_NAME_OF_NOBODY}'],
      env: { NAME: '${secret:ACME_NAME_OF_NOBODY}' },
      cwd: '$$ACME_NAME_OF_NOBODY/..',
    });
    await isConnected(hub, 'a');
    await hub.engine.run('server.undoEntered', { undoId });
    // The process that has connected goes on, since the entry it would be replaced by cannot start.
    await eventually(() =>
      expect(hub.server('a').update).toMatchObject({
        kind: 'failed',
        problem: { code: 'config.missing_env_var' },
      }),
    );
  });

  it('for a secret is entered at the server, and for another program’s input too', async () => {
    await using hub = await startHub({ a: named('${secret:API}'), b: named('${input:my-name}') });
    await hasProblem(hub, 'a', 'config.missing_secret');
    await hub.engine.run('server.enterValue', {
      key: 'a',
      place: missingOf(hub, 'a'),
      value: 'from-the-vault',
    });
    await isNamed(hub, 'a', 'from-the-vault');
    expect(
      (await hub.engine.run('server.enterValue', { key: 'b', place: missingOf(hub, 'b'), value: 'typed' }))
        .secret,
    ).toBe('MY_NAME');
    await isNamed(hub, 'b', 'typed');
  });

  it('is reported if there is a placeholder, and replaces it', async () => {
    const env = { GITHUB_TOKEN: 'ghp_xxxxxxxx', SLACK_BOT_TOKEN: 'xoxb-your-bot-token', BUCKET: 'my-bucket' };
    await using hub = await startHub({
      a: {
        command: node,
        args: [fixture('echo'), '--api-key', 'YOUR_API_KEY'],
        env: { ...env, EMPTY_KEY: '' },
      },
    });
    await isConnected(hub, 'a');
    expect(hub.server('a').missing?.map(({ label }) => label)).toEqual([
      'GITHUB_TOKEN',
      'SLACK_BOT_TOKEN',
      '--api-key',
    ]);
    expect(hub.server('a').warnings[0]).toMatchObject({
      code: 'config.placeholder',
      sentence: 'GITHUB_TOKEN still contains a placeholder.',
    });
    for (let left = 3; left > 0; left -= 1) {
      await hub.engine.run('server.enterValue', {
        key: 'a',
        place: missingOf(hub, 'a'),
        value: `entered-${left}`,
      });
    }
    expect((await hub.engine.run('server.entry', { key: 'a' })).entry).toMatchObject({
      args: [fixture('echo'), '--api-key', '${secret:A_API_KEY}'],
      env: {
        GITHUB_TOKEN: '${secret:GITHUB_TOKEN}',
        SLACK_BOT_TOKEN: '${secret:SLACK_BOT_TOKEN}',
        EMPTY_KEY: '',
      },
    });
    await eventually(() => expect(hub.server('a').missing).toBeUndefined());
  });

  it('is refused if the entry does not lack it', async () => {
    await using hub = await startHub({ a: named('x') });
    for (const place of [
      { kind: 'header', header: 'Authorization', scheme: 'Bearer' },
      { kind: 'placeholder', field: 'env.NAME' },
    ] as const) {
      await expect(
        hub.engine.run('server.enterValue', { key: 'a', place, value: 'x' }),
      ).rejects.toMatchObject({
        problem: { code: 'config.changed_meanwhile' },
      });
    }
    expect(await secretsOf(hub)).toEqual([]);
  });
});

describe('the client of a sign-in', () => {
  it('[NFR-SEC3] is written into the entry, with its secret in the vault, and undone', async () => {
    await using auth = await authServer({ registration: false });
    await using hub = await startHub({ guarded: { url: auth.url } });
    await hasProblem(hub, 'guarded', 'server.client_id_needed');
    const { undoId } = await hub.engine.run('server.setSignInClient', {
      key: 'guarded',
      client: {
        clientId: 'by-hand',
        clientSecret: 'hand-made-secret',
      },
    });
    expect((await hub.engine.run('server.entry', { key: 'guarded' })).entry.patchbay).toEqual({
      oauth: { clientId: 'by-hand', clientSecret: '${secret:GUARDED_CLIENT_SECRET}' },
    });
    expect(
      new URL((await hub.engine.run('server.signIn', { key: 'guarded' })).url).searchParams.get('client_id'),
    ).toBe('by-hand');
    await hub.engine.run('server.undoEntered', { undoId });
    expect((await hub.engine.run('server.entry', { key: 'guarded' })).entry.patchbay).toBeUndefined();
    expect(await secretsOf(hub)).toEqual([]);
  });
});
