import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { createOffline } from '../../../electron/bridge/offline.ts';
import type { AccessEvent } from '../../../electron/engine/hub/access/contract.ts';
import type { GrantScope, Identity } from '../../../shared/model/access.ts';
import { eventually } from '../../helper/eventually.ts';
import { fixture, nodeEntry } from '../../helper/programs.ts';
import { restOf } from '../../helper/rest.ts';
import { type Hub, isConnected, namesOf, startHub, textOf } from '../../helper/running-hub.ts';

const servers = { a: nodeEntry(fixture('moody')), b: nodeEntry(fixture('echo')) };

async function started(): Promise<Hub> {
  const hub = await startHub(servers);
  for (const key of ['a', 'b']) await isConnected(hub, key);
  await eventually(() => expect(hub.server('a').counts.tools).toBe(5));
  return hub;
}

type Connected = Client & AsyncDisposable & { readonly heard: { lists: number } };

async function overHttp(hub: Hub, bearer: string, place = ''): Promise<Connected> {
  const headers = { authorization: `Bearer ${bearer}` };
  const url = new URL(hub.engine.connection().url + place);
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
  const client = new Client({ name: 'says anything', version: '1' });
  const heard = { lists: 0 };
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    heard.lists += 1;
  });
  await client.connect(transport as Transport);
  return Object.assign(client, { heard, [Symbol.asyncDispose]: () => client.close() });
}

async function identified({ engine }: Hub, name: string): Promise<Identity> {
  await eventually(() => expect(engine.access.byName('client', name)).toBeDefined());
  return engine.access.byName('client', name) as Identity;
}

async function agent({ engine }: Hub) {
  const { id } = await engine.run('access.create', { kind: 'agent', name: 'night job' });
  const { token } = await engine.run('access.rotate', { id });
  return { id, token };
}

const notAllowed = { code: -32021, data: { code: 'call.not_allowed' } };

describe('a local client', () => {
  it('[REQ-MCP-AUTH-001] [REQ-MCP-AUTH-002] gets access to everything when it first connects, by a stored grant that can be listed and revoked', async () => {
    await using hub = await started();
    await using client = await hub.bridge('cursor');
    expect(await namesOf(client)).toContain('a__pid');
    const { id } = await identified(hub, 'cursor');
    const { access } = hub.engine;
    expect(hub.engine.clients()).toMatchObject([{ name: 'cursor', identityId: id }]);
    expect(access.grants(id)).toMatchObject([
      { effect: 'allow', scope: { kind: 'all' }, grantedBy: 'first connection' },
    ]);
    await access.revokeGrant(access.grants(id)[0]?.id ?? '');
    await expect(client.callTool({ name: 'a__pid' })).rejects.toMatchObject(notAllowed);
    await eventually(async () => expect(await namesOf(client)).toEqual(['patchbay_status']));
    const status = textOf(await client.callTool({ name: 'patchbay_status' }));
    expect(status).toContain('cursor may not call any of its tools');
    expect(status).toContain('Fix: open Patchbay');
    await client.close();
    await hub.restart();
    await isConnected(hub, 'a');
    await using again = await hub.bridge('cursor');
    await expect(again.callTool({ name: 'a__pid' })).rejects.toMatchObject(notAllowed);
    expect(hub.engine.access.grants(id)).toEqual([]);
  });

  it('[REQ-MCP-AUTH-003] needs approval for destructive tools under one rule for all clients, from the next call on, until the rule ends', async () => {
    await using hub = await started();
    const { access } = hub.engine;
    const { id } = await access.create({ kind: 'client', name: 'editor' });
    await access.grant({ identityId: id, effect: 'allow', scope: { kind: 'all' }, grantedBy: 'a test' });
    const effect = (tool: string) => access.authorize(id, 'a', tool).effect;
    expect(effect('delete_all')).toBe('allow');
    access.setAskDestructive(true);
    expect([effect('delete_all'), effect('pid')]).toEqual(['ask', 'allow']);
    expect(access.view().askDestructive).toBe(true);
    const scope = { kind: 'server', serverKey: 'a' } as const;
    const own = await access.grant({ identityId: id, effect: 'allow', scope, grantedBy: 'a test' });
    expect(effect('delete_all')).toBe('allow');
    await access.revokeGrant(own.id);
    access.setAskDestructive(false);
    expect(effect('delete_all')).toBe('allow');
  });

  it('[REQ-MCP-AUTH-003] gets no access, or needs approval, if the setting for new clients says so', async () => {
    await using hub = await started();
    const { access } = hub.engine;
    access.setNewClients('nothing');
    await using first = await hub.bridge('first');
    expect(await namesOf(first)).toEqual(['patchbay_status']);
    access.setNewClients('ask');
    await using second = await hub.bridge('second');
    expect(await namesOf(second)).toContain('a__pid');
    expect(access.grants((await identified(hub, 'second')).id)).toMatchObject([{ effect: 'ask' }]);
    await access.clientConnected('first');
    await eventually(async () => expect(await namesOf(first)).toContain('a__pid'));
    expect(access.grants((await identified(hub, 'first')).id)).toMatchObject([
      { effect: 'allow', grantedBy: 'connected in the window' },
    ]);
  });

  it('[REQ-MCP-AUTH-001] sees grants and denials of single tools, prompts and resources at once', async () => {
    await using hub = await started();
    const { access } = hub.engine;
    access.setNewClients('nothing');
    await using client = await hub.bridge('cursor');
    const { id } = await identified(hub, 'cursor');
    await access.grant({ identityId: id, effect: 'allow', scope: { kind: 'server', serverKey: 'a' } });
    await access.grant({ identityId: id, effect: 'deny', scope: { kind: 'pattern', pattern: 'a:p*' } });
    await eventually(async () => {
      const names = await namesOf(client);
      expect(names).toContain('a__wait');
      expect(names.filter((name) => name === 'a__pid' || name.startsWith('b__'))).toEqual([]);
    });
    await expect(client.callTool({ name: 'a__pid' })).rejects.toMatchObject({
      message: expect.stringContaining('cursor may not call a:pid. A rule denies tools named a:p*.'),
      data: { code: 'call.not_allowed', fix: expect.stringMatching(/Clients → Access.*patchbay access/) },
    });
    await expect(client.callTool({ name: 'b:echo' })).rejects.toMatchObject(notAllowed);
    await expect(client.callTool({ name: 'a__nothing_like_it' })).rejects.toMatchObject({
      data: { code: 'call.unknown_tool' },
    });
  });

  it('[REQ-MCP-AUTH-001] gets an error at once when its access is revoked, and its grants back when it is restored', async () => {
    await using hub = await started();
    const { access } = hub.engine;
    await using client = await hub.bridge('cursor');
    const { id } = await identified(hub, 'cursor');
    const waiting = client
      .callTool({ name: 'a__wait', arguments: { milliseconds: 60_000 } })
      .catch((error) => error);
    await eventually(() => expect(hub.engine.activeCalls()).toHaveLength(1));
    await access.revoke(id);
    expect(await waiting).toMatchObject({ data: { code: 'call.identity_ended' } });
    await expect(client.callTool({ name: 'a__pid' })).rejects.toMatchObject({
      data: { code: 'call.identity_ended' },
    });
    await access.restore(id);
    expect(Number(textOf(await client.callTool({ name: 'a__pid' })))).toBeGreaterThan(0);
  });
});

describe('an active call', () => {
  const wait = { name: 'a__wait', arguments: { milliseconds: 60_000 } };
  const error = (thrown: unknown) => thrown;
  const scopes = {
    server: { kind: 'server', serverKey: 'a' },
    tool: { kind: 'tool', serverKey: 'a', tool: 'wait' },
  } as const;

  it('[REQ-MCP-AUTH-003] ends when its only grant is revoked or denied, and not before', async () => {
    await using hub = await started();
    const { access } = hub.engine;
    access.setNewClients('nothing');
    await using client = await hub.bridge('cursor');
    const { id } = await identified(hub, 'cursor');
    const allow = (scope: GrantScope) => access.grant({ identityId: id, effect: 'allow', scope });
    const [wide, narrow] = [await allow(scopes.server), await allow(scopes.tool)];
    await eventually(async () => expect(await namesOf(client)).toContain('a__wait'));
    const first = client.callTool(wait).catch(error);
    await eventually(() => expect(hub.engine.activeCalls()).toHaveLength(1));
    await access.revokeGrant(narrow.id);
    expect(hub.engine.activeCalls()).toHaveLength(1);
    await access.revokeGrant(wide.id);
    expect(await first).toMatchObject({
      message: expect.stringContaining('cursor may no longer call a:wait: permission was removed during'),
      data: { code: 'call.not_allowed', serverKey: 'a', tool: 'wait' },
    });
    await eventually(async () =>
      expect((await hub.engine.run('server.log', { key: 'a' })).lines.map(({ text }) => text)).toContain(
        'told to stop',
      ),
    );
    await allow(scopes.server);
    await eventually(async () => expect(await namesOf(client)).toContain('a__wait'));
    const second = client.callTool(wait).catch(error);
    await eventually(() => expect(hub.engine.activeCalls()).toHaveLength(1));
    await access.grant({ identityId: id, effect: 'deny', scope: scopes.tool });
    expect(await second).toMatchObject(notAllowed);
  });

  it('[REQ-MCP-AUTH-003] [API-1] over REST ends in the same way, and when its identity ends', async () => {
    await using hub = await started();
    const { access } = hub.engine;
    const rest = await restOf(hub);
    const { id, token } = await agent(hub);
    const body = { server_id: 'a', name: 'wait', arguments: { milliseconds: 60_000 } };
    const call = () => rest('POST', '/api/v1/tools/call', body, token);
    const grant = await access.grant({ identityId: id, effect: 'allow', scope: scopes.server });
    const first = call();
    await eventually(() => expect(hub.engine.activeCalls()).toHaveLength(1));
    await access.revokeGrant(grant.id);
    expect(await first).toMatchObject({ status: 401, body: { code: 'call.not_allowed' } });
    await access.grant({ identityId: id, effect: 'allow', scope: scopes.server });
    const second = call();
    await eventually(() => expect(hub.engine.activeCalls()).toHaveLength(1));
    await access.revoke(id);
    expect(await second).toMatchObject({ status: 401, body: { code: 'call.identity_ended' } });
    expect(hub.engine.activeCalls()).toEqual([]);
  });
});

describe('a bridge whose hub is down', () => {
  it('[REQ-MCP-AUTH-002] [PB-BRIDGE-1] lists only for clients with access to everything, and waits for the hub for others', async () => {
    await using hub = await started();
    const { access } = hub.engine;
    const file = join(hub.dir, 'open-clients.json');
    await using cursor = await hub.bridge('cursor');
    await using zed = await hub.bridge('zed');
    for (const client of [cursor, zed]) expect(await namesOf(client)).toContain('a__pid');
    await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
    const { id } = await identified(hub, 'cursor');
    await access.grant({ identityId: id, effect: 'deny', scope: { kind: 'server', serverKey: 'b' } });
    await eventually(async () => expect(await readFile(file, 'utf8')).toContain('cursor'));
    const offline = createOffline({
      catalogueFile: join(hub.dir, 'catalogue.json'),
      configFile: join(hub.dir, 'mcp.json'),
      profilesFile: join(hub.dir, 'profiles.json'),
      openClientsFile: file,
      version: '1',
    });
    const listed = async (name: string) => (await offline.list('tools/list', name))?.items.length;
    for (const name of ['zed', 'nobody yet'])
      await eventually(async () => expect((await listed(name)) ?? 0).toBeGreaterThan(5));
    expect(await listed('cursor')).toBeUndefined();
    access.setNewClients('nothing');
    await eventually(async () => expect(await listed('nobody yet')).toBeUndefined());
    expect(await listed('zed')).toBeGreaterThan(5);
    await writeFile(file, 'damaged');
    expect(await listed('zed')).toBeUndefined();
  });
});

describe('an agent with its own token', () => {
  it('[REQ-MCP-AUTH-002] [PB-SAFE-2] is identified by its token, starts without access, and gets what it is granted', async () => {
    await using hub = await started();
    const { access } = hub.engine;
    const { id, token } = await agent(hub);
    expect(token).toMatch(/^pb_[0-9a-f]{8}_[\w-]{43}$/);
    await using client = await overHttp(hub, token);
    expect(await namesOf(client)).toEqual(['patchbay_status']);
    await expect(client.callTool({ name: 'b__echo' })).rejects.toMatchObject(notAllowed);
    await access.grant({
      identityId: id,
      effect: 'allow',
      scope: { kind: 'tool', serverKey: 'a', tool: 'pid' },
    });
    await eventually(() => expect(client.heard.lists).toBeGreaterThan(0));
    expect(await namesOf(client)).toEqual(['a__pid']);
    await using direct = await overHttp(hub, token, '/servers/a');
    expect(await namesOf(direct)).toEqual(['pid']);
    await expect(direct.callTool({ name: 'wait' })).rejects.toMatchObject(notAllowed);
    await expect(overHttp(hub, token, '/servers/b')).rejects.toMatchObject(notAllowed);
    await expect(direct.request({ method: 'moody/anything' } as never, {} as never)).rejects.toThrow();
    expect(access.byName('client', 'says anything')).toBeUndefined();
    expect(access.identify(token)).toMatchObject({ id });
    expect(access.identify(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`)).toBeUndefined();
  });

  it('[REQ-MCP-OBS-002] is distinguished from a client of the same name in the audit log and in activity', async () => {
    await using hub = await startHub(servers, { audit: true, recordActivity: true });
    await isConnected(hub, 'b');
    await using client = await hub.bridge('night job');
    await client.callTool({ name: 'b__pid' });
    const { engine } = hub;
    const { id, token } = await agent(hub);
    await engine.run('access.grant', { identityId: id, effect: 'allow', scope: { kind: 'all' } });
    await using other = await overHttp(hub, token);
    await other.callTool({ name: 'b__pid' });
    const { rows } = await engine.run('audit.query', { kinds: ['invocation'], limit: 10 });
    expect(rows.map(({ actor }) => actor)).toEqual(['night job (agent)', 'night job']);
    const { rows: grants } = await engine.run('audit.query', { kinds: ['grant'], limit: 10 });
    const texts = grants.map(({ text }) => text?.split(':', 1)[0]);
    expect(texts.sort()).toEqual(['night job', 'night job (agent)']);
    const { rows: kept } = await engine.run('activity.query', { filter: { kind: 'call' }, limit: 10 });
    const called = kept.filter(({ method }) => method === 'tools/call').map(({ clientName }) => clientName);
    expect(called).toEqual(['night job (agent)', 'night job']);
  });

  it('[PB-SAFE-2] is disconnected when its token is rotated, revoked or expires; nobody else can use its session', async () => {
    await using hub = await started();
    const { access } = hub.engine;
    const { id, token } = await agent(hub);
    const { url, token: shared } = hub.engine.connection();
    const client = await overHttp(hub, token);
    const session = (client.transport as unknown as { sessionId: string }).sessionId;
    const post = (bearer: string) =>
      fetch(url, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${bearer}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-session-id': session,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      });
    expect((await post(token)).status).toBe(200);
    expect((await post(shared)).status).toBe(404);
    const { token: next } = await access.rotate(id);
    expect((await post(token)).status).toBe(401);
    expect((await post(next)).status).toBe(404);
    await using renewed = await overHttp(hub, next);
    expect(await namesOf(renewed)).toEqual(['patchbay_status']);
    await access.revoke(id);
    await expect(namesOf(renewed)).rejects.toThrow(/401|404|token/i);
    await expect(overHttp(hub, next)).rejects.toThrow(/401|token/i);
    const { id: short } = await access.create({ kind: 'agent', name: 'short', expiresAt: Date.now() + 300 });
    const { token: dying } = await access.rotate(short);
    await eventually(() => expect(access.identify(dying)).toBeUndefined());
    await client.close();
  });

  it('[PB-SAFE-2] leaves nothing of its token on disk; administration has a separate token', async () => {
    await using hub = await started();
    const { token } = await agent(hub);
    const admin = (await readFile(join(hub.dir, 'admin.token'), 'utf8')).trim();
    expect(hub.engine.access.identify(admin)).toBe('admin');
    await expect(overHttp(hub, admin)).rejects.toThrow(/401|token/i);
    await hub.engine.stop();
    for (const name of ['state.db', 'state.db-wal'])
      expect((await readFile(join(hub.dir, name)).catch(() => Buffer.alloc(0))).includes(token)).toBe(false);
  });
});

describe('a call that needs approval', () => {
  async function asking(hub: Hub) {
    hub.engine.access.setNewClients('ask');
    const client = await hub.bridge('cursor');
    const { id } = await identified(hub, 'cursor');
    const told: (string | undefined)[] = [];
    const call = (signal?: AbortSignal) =>
      client
        .callTool(
          {
            name: 'a__pid',
            arguments: { token: 'pb-canary-of-a-secret', n: 12345678901234567890n.toString() },
          },
          undefined,
          {
            onprogress: ({ message }) => void told.push(message),
            ...(signal === undefined ? {} : { signal }),
          },
        )
        .then(textOf);
    const waiting = () => eventually(() => expect(hub.engine.approvals()).toHaveLength(1));
    const answer = async (said: 'once' | 'for-15-minutes' | 'always' | 'deny') => {
      await waiting();
      await hub.engine.access.answer(hub.engine.approvals()[0]?.id ?? '', said, 'me');
    };
    return { client, id, told, call, waiting, answer };
  }

  it('[REQ-MCP-AUTH-003] waits, notifies its client, shows its arguments masked, and continues with the decision', async () => {
    await using hub = await started();
    const { client, id, told, call, waiting, answer } = await asking(hub);
    const events: AccessEvent[] = [];
    hub.engine.access.onEvent((event) => events.push(event));
    const first = call();
    await waiting();
    const [shown] = hub.engine.approvals();
    expect(shown).toMatchObject({ clientName: 'cursor', serverKey: 'a', tool: 'pid', risk: 'low' });
    expect(shown?.argumentsText).toContain('12345678901234567890');
    expect(JSON.stringify([shown, events])).not.toContain('pb-canary-of-a-secret');
    await eventually(() => expect(told[0]).toBe('Waiting for approval of a:pid in Patchbay…'));
    await answer('once');
    expect(Number(await first)).toBeGreaterThan(0);
    const second = call().catch((error) => error);
    await answer('deny');
    expect(await second).toMatchObject({ code: -32022, data: { code: 'call.approval_denied' } });
    const third = call();
    await answer('for-15-minutes');
    await third;
    expect(Number(await call())).toBeGreaterThan(0);
    expect(hub.engine.access.tokens(id)).toMatchObject([{ serverKey: 'a', tool: 'pid' }]);
    await hub.engine.run('access.revokeToken', { tokenId: hub.engine.access.tokens(id)[0]?.tokenId ?? '' });
    const fourth = call();
    await answer('always');
    await fourth;
    expect(Number(await call())).toBeGreaterThan(0);
    expect(hub.engine.access.grants(id)).toMatchObject([
      { effect: 'ask' },
      { effect: 'allow', scope: { kind: 'tool', serverKey: 'a', tool: 'pid' }, grantedBy: 'me' },
    ]);
    expect(events.filter(({ kind }) => kind === 'approval.answered').map(({ answer: said }) => said)).toEqual(
      ['once', 'deny', 'for-15-minutes', 'always'],
    );
    await client.close();
  });

  it('[REQ-MCP-AUTH-003] is withdrawn when its client cancels it or leaves', async () => {
    await using hub = await started();
    const { client, call, waiting } = await asking(hub);
    const cancelling = new AbortController();
    const cancelled = call(cancelling.signal).catch((error) => error);
    await waiting();
    cancelling.abort();
    await cancelled;
    await eventually(() => expect(hub.engine.approvals()).toEqual([]));
    const left = call().catch((error) => error);
    await waiting();
    await client.close();
    await left;
    await eventually(() => expect(hub.engine.approvals()).toEqual([]));
  });
});

describe('grants for a server', () => {
  it('[AG-US7-AC6] [REQ-MCP-AUTH-002] follow a rename, go when it is removed, and come back with it', async () => {
    await using hub = await started();
    const { access } = hub.engine;
    const { id } = await agent(hub);
    await access.grant({
      identityId: id,
      effect: 'allow',
      scope: { kind: 'tool', serverKey: 'a', tool: 'pid' },
    });
    await access.grant({ identityId: id, effect: 'deny', scope: { kind: 'pattern', pattern: 'a:w*' } });
    const may = (serverKey: string) => access.authorize(id, serverKey, 'pid').effect;
    expect(may('a')).toBe('allow');
    const { entry } = await hub.engine.run('server.entry', { key: 'a' });
    await hub.engine.run('server.update', { key: 'a', entry, newKey: 'renamed' });
    await eventually(() => expect(may('renamed')).toBe('allow'));
    expect(may('a')).toBe('deny');
    expect(access.grants(id).map(({ scope }) => scope)).toContainEqual({
      kind: 'pattern',
      pattern: 'renamed:w*',
    });
    const undo = (await hub.engine.run('server.remove', { key: 'renamed' })).undoId;
    await eventually(() => expect(may('renamed')).toBe('deny'));
    expect(access.grants(id)).toMatchObject([{ effect: 'deny' }]);
    await hub.engine.run('server.undoRemove', { undoId: undo });
    await eventually(() => expect(may('renamed')).toBe('allow'));
    await hub.engine.run('server.remove', { key: 'renamed' });
    await eventually(() => expect(may('renamed')).toBe('deny'));
    await hub.engine.run('server.add', { servers: [{ key: 'renamed', entry }] });
    await isConnected(hub, 'renamed');
    expect(may('renamed')).toBe('deny');
  });
});
