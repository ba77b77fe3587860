import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it } from 'vitest';
import type { Logger } from '../../../electron/engine/base/logger.ts';
import {
  type EnginePorts,
  startHub as openHub,
  type Hub as RunningHub,
} from '../../../electron/engine/engine.ts';
import { readTextIfExists } from '../../../electron/engine/store/files/atomic-file.ts';
import type { ServerView } from '../../../shared/model/server/server.ts';
import { type AuthServer, authServer } from '../../helper/auth-server.ts';
import { eventually } from '../../helper/eventually.ts';
import { visit } from '../../helper/scripted-browser.ts';
import { tempDir } from '../../helper/temp-dir.ts';

interface Hub extends AsyncDisposable {
  readonly engine: RunningHub;
  server(): ServerView;
  is(status: ServerView['status']): Promise<void>;
  signIn(): Promise<void>;
  /** Everything the hub has logged or shown. */
  told(): Promise<string>;
}

async function startHub(dir: string, patchedPorts: Partial<EnginePorts> = {}): Promise<Hub> {
  const told: string[] = [];
  const logger: Logger = { log: (...entry) => void told.push(JSON.stringify(entry)) };
  const engine = await openHub(
    { logger, env: async () => ({ PATH: process.env.PATH }), ...patchedPorts },
    { dataDir: dir, version: '0.0.0-test', port: 0 },
  );
  told.push(JSON.stringify([engine.view(), engine.servers()]));
  engine.events['servers.changed']((event) => told.push(JSON.stringify(event)));
  engine.events['hub.changed']((event) => told.push(JSON.stringify(event)));
  const server = () => {
    const found = engine.servers().find(({ key }) => key === 'guarded');
    if (found === undefined) throw new Error('no such server');
    return found;
  };
  return {
    engine,
    server,
    is: (status) => eventually(() => expect(server().status).toBe(status)),
    async signIn() {
      const { url } = await engine.run('server.signIn', { key: 'guarded' });
      expect((await visit(url)).status).toBe(200);
    },
    told: async () =>
      [...told, JSON.stringify((await engine.run('server.log', { key: 'guarded' })).lines)].join('\n'),
    [Symbol.asyncDispose]: () => engine.stop(),
  };
}

async function dataFolder(auth: AuthServer, entry: object = {}) {
  const folder = await tempDir();
  const config = { mcpServers: { guarded: { url: auth.url, ...entry } } };
  await writeFile(join(folder.path, 'mcp.json'), JSON.stringify(config));
  return folder;
}

/** A client of the hub over HTTP. */
async function client(hub: Hub): Promise<Client & AsyncDisposable> {
  const { url, token } = hub.engine.connection();
  const made = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await made.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return Object.assign(made, { [Symbol.asyncDispose]: () => made.close() });
}

const call = (from: Client, tool: string) => from.callTool({ name: `guarded__${tool}`, arguments: {} });
const done = (tool: string) => ({ content: [{ type: 'text', text: `${tool} done` }] });

describe('a remote server with a sign-in', () => {
  it('[NFR-SEC1] [NFR-SEC3] waits for the user, works after the sign-in, and still does after a restart', async () => {
    await using auth = await authServer();
    await using folder = await dataFolder(auth);
    const hub = await startHub(folder.path);
    await hub.is('needs-auth');
    expect(hub.server()).toMatchObject({
      problem: { code: 'server.unauthorized', fix: 'Sign in.' },
      auth: { signedIn: false, pending: false },
    });
    expect(await auth.counts()).toMatchObject({ code: 0, registered: 0 });
    await hub.signIn();
    await hub.is('connected');
    expect(hub.server().auth).toEqual({ signedIn: true, pending: false });
    await eventually(() => expect(hub.engine.tools().map(({ name }) => name)).toEqual(['read', 'write']));
    {
      await using user = await client(hub);
      expect(await call(user, 'read')).toMatchObject(done('read'));
    }
    await hub[Symbol.asyncDispose]();

    await using again = await startHub(folder.path);
    await again.is('connected');
    expect(again.server().auth).toEqual({ signedIn: true, pending: false });
    expect(await auth.counts()).toMatchObject({ code: 1, registered: 1, refused: 0 });
  });

  it('[NFR-SEC1] keeps tokens out of every log, view and file but the vault, where they are encrypted', async () => {
    await using auth = await authServer();
    await using folder = await dataFolder(auth);
    await using hub = await startHub(folder.path, {
      // A transparent keychain: the values it received must not appear anywhere.
      secretBox: () => ({
        kind: 'keychain',
        encrypt: async (text) => Buffer.from(text).toString('base64'),
        decrypt: async (text) => Buffer.from(text, 'base64').toString(),
      }),
    });
    expect(hub.engine.view().secretsKeptBy).toBe('keychain');
    await hub.is('needs-auth');
    await hub.signIn();
    await hub.is('connected');
    const { secrets } = JSON.parse(await readFile(join(folder.path, 'secrets.json'), 'utf8'));
    const [sealed] = Object.values(secrets) as { box: string; value: string }[];
    expect(sealed?.box).toBe('keychain');
    const record = JSON.parse(Buffer.from(sealed?.value ?? '', 'base64').toString());
    const { accessToken, refreshToken } = record;
    expect([typeof accessToken, typeof refreshToken]).toEqual(['string', 'string']);
    const files = await readdir(folder.path, { recursive: true, withFileTypes: true });
    const texts = await Promise.all(
      files.filter((file) => file.isFile()).map((file) => readTextIfExists(join(file.parentPath, file.name))),
    );
    const told = await hub.told();
    for (const secret of [accessToken, refreshToken]) {
      expect(texts.join('\n')).not.toContain(secret);
      expect(told).not.toContain(secret);
    }
  });

  it('[NFR-SEC3] asks the user again when the sign-in was revoked', async () => {
    await using auth = await authServer();
    await using folder = await dataFolder(auth);
    await using hub = await startHub(folder.path);
    await hub.is('needs-auth');
    await hub.signIn();
    await hub.is('connected');
    await using user = await client(hub);
    await auth.revoke({ accessTokensOnly: true });
    // The refresh token is still valid, so nobody notices.
    expect(await call(user, 'read')).toMatchObject(done('read'));
    expect(hub.server().status).toBe('connected');
    await auth.revoke();
    await expect(call(user, 'read')).rejects.toThrow();
    await hub.is('needs-auth');
    expect(hub.server().auth).toMatchObject({ signedIn: false });
    await hub.signIn();
    await hub.is('connected');
    expect(await call(user, 'read')).toMatchObject(done('read'));
  });

  it('[NFR-SEC3] [NFR-R1] asks for a wider sign-in when a tool needs one, works on meanwhile, and uses it', async () => {
    await using auth = await authServer();
    await using folder = await dataFolder(auth);
    await using hub = await startHub(folder.path);
    await hub.is('needs-auth');
    await hub.signIn();
    await hub.is('connected');
    await using user = await client(hub);
    await expect(call(user, 'write')).rejects.toThrow(/refused; it asks for more permission .*mcp:write/);
    expect(await call(user, 'read')).toMatchObject(done('read'));
    expect(hub.server()).toMatchObject({
      status: 'connected',
      auth: {
        signedIn: true,
        problem: {
          code: 'server.unauthorized',
          evidence: expect.arrayContaining([{ label: 'scope', value: 'mcp:write' }]),
        },
      },
    });
    await hub.signIn();
    await hub.is('connected');
    expect(hub.server().auth?.problem).toBeUndefined();
    expect(await call(user, 'write')).toMatchObject(done('write'));
    expect(await call(user, 'read')).toMatchObject(done('read'));
  });

  it('[NFR-R1] offers the sign-in when the first tool wants one, works on meanwhile, and uses it', async () => {
    await using auth = await authServer({ lazy: true });
    await using folder = await dataFolder(auth);
    await using hub = await startHub(folder.path);
    await hub.is('connected');
    expect(hub.server().auth).toBeUndefined();
    await using user = await client(hub);
    await expect(call(user, 'read')).rejects.toThrow('requires a sign-in. Sign in. It said: refused.');
    expect(await call(user, 'write')).toMatchObject(done('write'));
    expect(hub.server()).toMatchObject({
      status: 'connected',
      auth: { signedIn: false, problem: { code: 'server.unauthorized', fix: 'Sign in.' } },
    });
    await hub.signIn();
    await eventually(async () => expect(await call(user, 'read')).toMatchObject(done('read')));
    expect(hub.server()).toMatchObject({ status: 'connected', auth: { signedIn: true } });
    expect(hub.server().auth?.problem).toBeUndefined();
  });

  it('[NFR-R1] fails only one call when its token is invalid, and offers the sign-in again', async () => {
    await using auth = await authServer({ lazy: true });
    await using folder = await dataFolder(auth);
    await using hub = await startHub(folder.path);
    await hub.is('connected');
    await hub.signIn();
    await using ann = await client(hub);
    await using bob = await client(hub);
    await eventually(async () => expect(await call(bob, 'read')).toMatchObject(done('read')));
    const { restarts } = hub.server();
    await auth.set({ hold: true });
    const slow = call(ann, 'write');
    await eventually(async () => expect(await auth.counts()).toMatchObject({ held: 1 }));
    await auth.revoke();
    for (const _ of [1, 2]) {
      await expect(call(bob, 'read')).rejects.toThrow(
        'Your sign-in to this server is no longer valid. Sign in again. It said: refused.',
      );
    }
    await auth.set({ hold: false });
    expect(await slow).toMatchObject(done('write'));
    expect(hub.server()).toMatchObject({
      status: 'connected',
      restarts,
      auth: { signedIn: false, problem: { code: 'server.unauthorized', fix: 'Sign in again.' } },
    });
    await hub.signIn();
    await eventually(async () => expect(await call(bob, 'read')).toMatchObject(done('read')));
    expect(hub.server().auth).toEqual({ signedIn: true, pending: false });
  });

  it('[NFR-R2] that lost its sessions gets a new one; a client’s call succeeds', async () => {
    await using auth = await authServer();
    await using folder = await dataFolder(auth);
    await using hub = await startHub(folder.path);
    await hub.is('needs-auth');
    await hub.signIn();
    await hub.is('connected');
    await using user = await client(hub);
    for (const restarts of [1, 2]) {
      const before = hub.server().restarts;
      await auth.forgetSessions();
      const answers = await Promise.all([call(user, 'read'), call(user, 'read'), call(user, 'read')]);
      for (const answer of answers) expect(answer).toMatchObject(done('read'));
      expect(hub.server().restarts, `time ${restarts}`).toBe(before + 1);
    }
    expect(await auth.counts()).toMatchObject({ code: 1, refresh: 0, refused: 0 });
  });

  it('is signed out of at the user’s request', async () => {
    await using auth = await authServer();
    await using folder = await dataFolder(auth);
    await using hub = await startHub(folder.path);
    await hub.is('needs-auth');
    await hub.signIn();
    await hub.is('connected');
    await hub.engine.run('server.signOut', { key: 'guarded' });
    await hub.is('needs-auth');
    expect(hub.server().auth).toMatchObject({ signedIn: false });
    expect(JSON.parse(await readFile(join(folder.path, 'secrets.json'), 'utf8')).secrets).toEqual({});
  });

  it('has none where the config gives credentials, or where there is no such server', async () => {
    await using auth = await authServer();
    await using folder = await dataFolder(auth, { headers: { Authorization: 'Bearer by-hand' } });
    await using hub = await startHub(folder.path);
    await hub.is('needs-auth');
    expect(hub.server().problem).toMatchObject({ code: 'server.key_refused', fix: 'Enter another key.' });
    expect(hub.server().auth).toBeUndefined();
    await expect(hub.engine.run('server.signIn', { key: 'guarded' })).rejects.toMatchObject({
      problem: { code: 'server.sign_in_failed' },
    });
    await expect(hub.engine.run('server.signIn', { key: 'nobody' })).rejects.toMatchObject({
      problem: { code: 'config.unknown_server' },
    });
  });
});
