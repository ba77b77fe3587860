import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { createOffline } from '../../../electron/bridge/offline.ts';
import type {
  ApprovalRequest,
  Grant,
  GrantScope,
  Identity,
  NewClients,
} from '../../../shared/model/access/access.ts';
import { decide } from '../../../shared/model/access/access-decision.ts';
import { settingsSchema } from '../../../shared/schema/settings.ts';
import { eventually } from '../../helper/eventually.ts';
import { fixture, nodeEntry } from '../../helper/programs.ts';
import { restOf } from '../../helper/rest.ts';
import { type Hub, isConnected, namesOf, startHub, textOf } from '../../helper/running-hub.ts';

const servers = { a: nodeEntry(fixture('moody')), b: nodeEntry(fixture('echo')) };

async function started(options: Parameters<typeof startHub>[1] = {}): Promise<Hub> {
  const hub = await startHub(servers, options);
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
  await eventually(() => expect(clientNamed(engine, name)).toBeDefined());
  return clientNamed(engine, name) as Identity;
}

const clientNamed = (engine: Hub['engine'], wanted: string): Identity | undefined =>
  engine.access().identities.find(({ kind, name }) => kind === 'client' && name === wanted);

const grantsOf = ({ engine }: Hub, id: string): readonly Grant[] =>
  engine.access().grants.filter(({ identityId }) => identityId === id);

async function agent({ engine }: Hub) {
  const { id } = await engine.run('access.create', { kind: 'agent', name: 'night job' });
  const { token } = await engine.run('access.rotate', { id });
  return { id, token };
}

/** Sets what clients get when they first connect; the hub was started with the defaults. */
function setNewClients({ engine }: Hub, newClients: NewClients): Promise<void> {
  const settings = settingsSchema.parse({});
  return engine.applySettings(settings, { ...settings, newClients });
}

/** Tells what a call meets: it runs, waits for approval (which is then denied), or is refused. */
async function effectOn({ engine }: Hub, client: Client, name: string): Promise<'allow' | 'ask' | 'deny'> {
  let outcome: 'allow' | 'deny' | undefined;
  const called = client.callTool({ name }).then(
    () => {
      outcome = 'allow';
    },
    () => {
      outcome = 'deny';
    },
  );
  await eventually(() => expect(outcome ?? engine.approvals()[0]).toBeDefined());
  if (outcome !== undefined) return outcome;
  await engine.run('access.answer', { approvalId: engine.approvals()[0]?.id ?? '', answer: 'deny' });
  await called;
  return 'ask';
}

const notAllowed = { code: -31021, data: { code: 'call.not_allowed' } };

describe('a local client', () => {
  it('[REQ-MCP-AUTH-001] [REQ-MCP-AUTH-002] gets access to everything when it first connects, by a stored grant that can be listed and revoked', async () => {
    await using hub = await started();
    await using client = await hub.bridge('cursor');
    expect(await namesOf(client)).toContain('a__pid');
    const { id } = await identified(hub, 'cursor');
    expect(hub.engine.clients()).toMatchObject([{ name: 'cursor', identityId: id }]);
    expect(grantsOf(hub, id)).toMatchObject([
      { effect: 'allow', scope: { kind: 'all' }, grantedBy: 'first connection' },
    ]);
    await hub.engine.run('access.revokeGrant', { grantId: grantsOf(hub, id)[0]?.id ?? '' });
    await expect(client.callTool({ name: 'a__pid' })).rejects.toMatchObject(notAllowed);
    await eventually(async () => expect(await namesOf(client)).toEqual(['patchbay_status']));
    const status = textOf(await client.callTool({ name: 'patchbay_status' }));
    expect(status).toContain('cursor may not call any of its tools');
    expect(status).toContain('What to do: open Patchbay');
    await client.close();
    await hub.restart();
    await isConnected(hub, 'a');
    await using again = await hub.bridge('cursor');
    await expect(again.callTool({ name: 'a__pid' })).rejects.toMatchObject(notAllowed);
    expect(grantsOf(hub, id)).toEqual([]);
  });

  it('[REQ-MCP-AUTH-003] needs approval for destructive tools under one rule for all clients, from the next call on, until the rule ends', async () => {
    await using hub = await startHub({ a: { ...servers.a, env: { TOOLS: 'delete_all' } } });
    await isConnected(hub, 'a');
    const { run, access, applyAskDestructive } = hub.engine;
    const { id } = await run('access.create', { kind: 'client', name: 'editor' });
    await run('access.grant', { identityId: id, effect: 'allow', scope: { kind: 'all' } }, 'a test');
    await using client = await hub.bridge('editor');
    await eventually(async () => expect(await namesOf(client)).toContain('a__delete_all'));
    const effect = (tool: string) => effectOn(hub, client, `a__${tool}`);
    expect(await effect('delete_all')).toBe('allow');
    applyAskDestructive(true);
    expect([await effect('delete_all'), await effect('pid')]).toEqual(['ask', 'allow']);
    expect(access().askDestructive).toBe(true);
    const scope = { kind: 'server', serverKey: 'a' } as const;
    const own = await run('access.grant', { identityId: id, effect: 'allow', scope }, 'a test');
    expect(await effect('delete_all')).toBe('allow');
    await run('access.revokeGrant', { grantId: own.id });
    expect(await effect('delete_all')).toBe('ask');
    applyAskDestructive(false);
    expect(await effect('delete_all')).toBe('allow');
  });

  it('[REQ-MCP-AUTH-003] gets no access, or needs approval, if the setting for new clients says so', async () => {
    await using hub = await started();
    await setNewClients(hub, 'nothing');
    await using first = await hub.bridge('first');
    expect(await namesOf(first)).toEqual(['patchbay_status']);
    await setNewClients(hub, 'ask');
    await using second = await hub.bridge('second');
    expect(await namesOf(second)).toContain('a__pid');
    expect(grantsOf(hub, (await identified(hub, 'second')).id)).toMatchObject([{ effect: 'ask' }]);
    await hub.engine.run('access.clientConnected', { name: 'first' });
    await eventually(async () => expect(await namesOf(first)).toContain('a__pid'));
    expect(grantsOf(hub, (await identified(hub, 'first')).id)).toMatchObject([
      { effect: 'allow', grantedBy: 'connected in the window' },
    ]);
  });

  it('[REQ-MCP-AUTH-001] sees grants and denials of single tools, prompts and resources at once', async () => {
    await using hub = await started();
    const { run } = hub.engine;
    await setNewClients(hub, 'nothing');
    await using client = await hub.bridge('cursor');
    const { id } = await identified(hub, 'cursor');
    await run('access.grant', { identityId: id, effect: 'allow', scope: { kind: 'server', serverKey: 'a' } });
    await run('access.grant', {
      identityId: id,
      effect: 'deny',
      scope: { kind: 'pattern', pattern: 'a:p*' },
    });
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
    const { run } = hub.engine;
    await using client = await hub.bridge('cursor');
    const { id } = await identified(hub, 'cursor');
    const waiting = client
      .callTool({ name: 'a__wait', arguments: { milliseconds: 60_000 } })
      .catch((error) => error);
    await eventually(() => expect(hub.engine.activeCalls()).toHaveLength(1));
    await run('access.revoke', { id });
    expect(await waiting).toMatchObject({ data: { code: 'call.identity_ended' } });
    await expect(client.callTool({ name: 'a__pid' })).rejects.toMatchObject({
      data: { code: 'call.identity_ended' },
    });
    await run('access.restore', { id });
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
    const { run } = hub.engine;
    await setNewClients(hub, 'nothing');
    await using client = await hub.bridge('cursor');
    const { id } = await identified(hub, 'cursor');
    const allow = (scope: GrantScope) => run('access.grant', { identityId: id, effect: 'allow', scope });
    const [wide, narrow] = [await allow(scopes.server), await allow(scopes.tool)];
    await eventually(async () => expect(await namesOf(client)).toContain('a__wait'));
    const first = client.callTool(wait).catch(error);
    await eventually(() => expect(hub.engine.activeCalls()).toHaveLength(1));
    await run('access.revokeGrant', { grantId: narrow.id });
    expect(hub.engine.activeCalls()).toHaveLength(1);
    await run('access.revokeGrant', { grantId: wide.id });
    expect(await first).toMatchObject({
      message: expect.stringContaining('cursor may no longer call a:wait: access was removed during'),
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
    await run('access.grant', { identityId: id, effect: 'deny', scope: scopes.tool });
    expect(await second).toMatchObject(notAllowed);
  });

  it('[REQ-MCP-AUTH-003] [API-1] over REST ends in the same way, and when its identity ends', async () => {
    await using hub = await started();
    const { run } = hub.engine;
    const rest = await restOf(hub);
    const { id, token } = await agent(hub);
    const body = { server_id: 'a', name: 'wait', arguments: { milliseconds: 60_000 } };
    const call = () => rest('POST', '/api/v1/tools/call', body, token);
    const grant = await run('access.grant', { identityId: id, effect: 'allow', scope: scopes.server });
    const first = call();
    await eventually(() => expect(hub.engine.activeCalls()).toHaveLength(1));
    await run('access.revokeGrant', { grantId: grant.id });
    expect(await first).toMatchObject({ status: 401, body: { code: 'call.not_allowed' } });
    await run('access.grant', { identityId: id, effect: 'allow', scope: scopes.server });
    const second = call();
    await eventually(() => expect(hub.engine.activeCalls()).toHaveLength(1));
    await run('access.revoke', { id });
    expect(await second).toMatchObject({ status: 401, body: { code: 'call.identity_ended' } });
    expect(hub.engine.activeCalls()).toEqual([]);
  });
});

describe('a bridge whose hub is down', () => {
  it('[REQ-MCP-AUTH-002] [PB-BRIDGE-1] lists only for clients with access to everything, and waits for the hub for others', async () => {
    await using hub = await started();
    const { run } = hub.engine;
    const file = join(hub.dir, 'open-clients.json');
    await using cursor = await hub.bridge('cursor');
    await using zed = await hub.bridge('zed');
    for (const client of [cursor, zed]) expect(await namesOf(client)).toContain('a__pid');
    await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
    const { id } = await identified(hub, 'cursor');
    await run('access.grant', { identityId: id, effect: 'deny', scope: { kind: 'server', serverKey: 'b' } });
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
    await setNewClients(hub, 'nothing');
    await eventually(async () => expect(await listed('nobody yet')).toBeUndefined());
    expect(await listed('zed')).toBeGreaterThan(5);
    await writeFile(file, 'damaged');
    expect(await listed('zed')).toBeUndefined();
  });
});

describe('an agent with its own token', () => {
  it('[REQ-MCP-AUTH-002] [PB-SAFE-2] is identified by its token, starts without access, and gets what it is granted', async () => {
    await using hub = await started();
    const { run } = hub.engine;
    const { id, token } = await agent(hub);
    expect(token).toMatch(/^pb_[0-9a-f]{8}_[\w-]{43}$/);
    await using client = await overHttp(hub, token);
    expect(await namesOf(client)).toEqual(['patchbay_status']);
    await expect(client.callTool({ name: 'b__echo' })).rejects.toMatchObject(notAllowed);
    await run('access.grant', {
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
    expect(clientNamed(hub.engine, 'says anything')).toBeUndefined();
    const connected = hub.engine.clients().filter(({ name }) => name === 'says anything');
    expect(new Set(connected.map(({ identityId }) => identityId))).toEqual(new Set([id]));
    const forged = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    await expect(overHttp(hub, forged)).rejects.toThrow(/401|token/i);
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
    const { run } = hub.engine;
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
    const { token: next } = await run('access.rotate', { id });
    expect((await post(token)).status).toBe(401);
    expect((await post(next)).status).toBe(404);
    await using renewed = await overHttp(hub, next);
    expect(await namesOf(renewed)).toEqual(['patchbay_status']);
    await run('access.revoke', { id });
    await expect(namesOf(renewed)).rejects.toThrow(/401|404|token/i);
    await expect(overHttp(hub, next)).rejects.toThrow(/401|token/i);
    const { id: short } = await run('access.create', {
      kind: 'agent',
      name: 'short',
      expiresAt: Date.now() + 300,
    });
    const { token: dying } = await run('access.rotate', { id: short });
    const rest = await restOf(hub);
    const sees = async () => (await rest('GET', '/api/v1/tools', undefined, dying)).status;
    await eventually(async () => expect(await sees()).toBe(401));
    await client.close();
  });

  it('[PB-SAFE-2] leaves nothing of its token on disk; administration has a separate token', async () => {
    await using hub = await started();
    const { token } = await agent(hub);
    const rest = await restOf(hub);
    const manages = async (bearer: string) =>
      (await rest('GET', '/api/v1/identities', undefined, bearer)).status;
    expect([await manages(rest.adminToken), await manages(token)]).toEqual([200, 403]);
    await expect(overHttp(hub, rest.adminToken)).rejects.toThrow(/401|token/i);
    await hub.engine.stop();
    for (const name of ['state.db', 'state.db-wal'])
      expect((await readFile(join(hub.dir, name)).catch(() => Buffer.alloc(0))).includes(token)).toBe(false);
  });
});

describe('a call that needs approval', () => {
  async function asking(hub: Hub) {
    await setNewClients(hub, 'ask');
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
      const approvalId = hub.engine.approvals()[0]?.id ?? '';
      await hub.engine.run('access.answer', { approvalId, answer: said }, 'me');
    };
    return { client, id, told, call, waiting, answer };
  }

  it('[REQ-MCP-AUTH-003] waits, notifies its client, shows its arguments masked, and continues with the decision', async () => {
    await using hub = await started({ audit: true });
    const { client, id, told, call, waiting, answer } = await asking(hub);
    const events: (readonly ApprovalRequest[])[] = [];
    hub.engine.events['approvals.changed'](({ approvals }) => events.push(approvals));
    const audited = async () => (await hub.engine.run('audit.query', { limit: 500 })).rows;
    const first = call();
    await waiting();
    const [shown] = hub.engine.approvals();
    expect(shown).toMatchObject({ clientName: 'cursor', serverKey: 'a', tool: 'pid', risk: 'low' });
    expect(shown?.argumentsText).toContain('12345678901234567890');
    expect(await audited()).toContainEqual(
      expect.objectContaining({ kind: 'approval', action: 'asked', actor: 'cursor', tool: 'pid' }),
    );
    await eventually(() => expect(told[0]).toBe('Waiting for approval of a:pid in Patchbay…'));
    await answer('once');
    expect(Number(await first)).toBeGreaterThan(0);
    const second = call().catch((error) => error);
    await answer('deny');
    expect(await second).toMatchObject({ code: -31022, data: { code: 'call.approval_denied' } });
    const third = call();
    await answer('for-15-minutes');
    await third;
    expect(Number(await call())).toBeGreaterThan(0);
    const { tokens } = hub.engine.access();
    expect(tokens).toMatchObject([{ identityId: id, serverKey: 'a', tool: 'pid' }]);
    await hub.engine.run('access.revokeToken', { tokenId: tokens[0]?.tokenId ?? '' });
    const fourth = call();
    await answer('always');
    await fourth;
    expect(Number(await call())).toBeGreaterThan(0);
    expect(grantsOf(hub, id)).toMatchObject([
      { effect: 'ask' },
      { effect: 'allow', scope: { kind: 'tool', serverKey: 'a', tool: 'pid' }, grantedBy: 'me' },
    ]);
    const rows = await audited();
    const answered = rows
      .filter(({ kind, action }) => kind === 'approval' && action === 'answered')
      .reverse();
    expect(answered.map(({ actor, text, outcome }) => [actor, text?.split(': ')[1], outcome])).toEqual([
      ['me', 'allowed once.', 'ok'],
      ['me', 'denied.', 'denied'],
      ['me', 'allowed for 15 minutes.', 'ok'],
      ['me', 'always allowed.', 'ok'],
    ]);
    expect(events.length).toBeGreaterThan(0);
    expect(JSON.stringify([shown, events, rows])).not.toContain('pb-canary-of-a-secret');
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
    const { run } = hub.engine;
    const { id, token } = await agent(hub);
    await run('access.grant', {
      identityId: id,
      effect: 'allow',
      scope: { kind: 'tool', serverKey: 'a', tool: 'pid' },
    });
    await run('access.grant', {
      identityId: id,
      effect: 'deny',
      scope: { kind: 'pattern', pattern: 'a:w*' },
    });
    const may = (serverKey: string) => {
      const { identities, grants } = hub.engine.access();
      const identity = identities.find((one) => one.id === id) as Identity;
      return decide(identity, grants, [], { serverKey, name: 'pid', risk: 'low' }, Date.now()).effect;
    };
    const rest = await restOf(hub);
    const called = async (server_id: string) =>
      (await rest('POST', '/api/v1/tools/call', { server_id, name: 'pid' }, token)).status;
    expect(may('a')).toBe('allow');
    expect(await called('a')).toBe(200);
    const { entry } = await run('server.entry', { key: 'a' });
    await run('server.update', { key: 'a', entry, newKey: 'renamed' });
    await eventually(() => expect(may('renamed')).toBe('allow'));
    expect(may('a')).toBe('deny');
    await eventually(async () => expect(await called('renamed')).toBe(200));
    expect(grantsOf(hub, id).map(({ scope }) => scope)).toContainEqual({
      kind: 'pattern',
      pattern: 'renamed:w*',
    });
    const { undoId } = await run('server.remove', { key: 'renamed' });
    await eventually(() => expect(may('renamed')).toBe('deny'));
    expect(grantsOf(hub, id)).toMatchObject([{ effect: 'deny' }]);
    await run('server.undoRemove', { undoId });
    await eventually(() => expect(may('renamed')).toBe('allow'));
    await run('server.remove', { key: 'renamed' });
    await eventually(() => expect(may('renamed')).toBe('deny'));
    await run('server.add', { servers: [{ key: 'renamed', entry }] });
    await isConnected(hub, 'renamed');
    expect(may('renamed')).toBe('deny');
    expect(await called('renamed')).toBe(401);
  });
});
