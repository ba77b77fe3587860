import { afterEach, describe, expect, it } from 'vitest';
import { digestOf } from '../../../../../electron/engine/base/digest.ts';
import type { CatalogueStore } from '../../../../../electron/engine/catalogue/contract.ts';
import { statusTool } from '../../../../../electron/engine/catalogue/status-tool.ts';
import { createView } from '../../../../../electron/engine/catalogue/view/view.ts';
import { createViews } from '../../../../../electron/engine/gateway/session/catalogue/views.ts';
import type {
  SessionConnection,
  SessionServices,
} from '../../../../../electron/engine/gateway/session/session-contract.ts';
import { createSessionRegistry } from '../../../../../electron/engine/gateway/session/session-registry.ts';
import { RpcError } from '../../../../../electron/engine/jsonrpc/message.ts';
import { createMemoryTransportPair } from '../../../../../electron/engine/transport/memory-transport.ts';
import { heldListsMethod } from '../../../../../shared/schema/bridge-hello.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import {
  catalogueOf,
  createFakeRouter,
  createHeldRouter,
  echoRouter,
  offerOf,
  RawClient,
  surroundings,
  until,
} from '../../../../helper/gateway.ts';
import { progressOf } from '../../../../helper/raw-messages.ts';
import { turns } from '../../../../helper/turns.ts';

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((it) => it.close()));
});

function hub(options: Partial<SessionServices> = {}) {
  const store = options.catalogue ?? catalogueOf({ files: offerOf('read', 'write'), 'a b': offerOf('x') });
  const sessions = createSessionRegistry(surroundings({ router: echoRouter, ...options, catalogue: store }));
  opened.push(sessions);
  const connect = async (connection: Partial<SessionConnection> = {}) => {
    const [ours, theirs] = createMemoryTransportPair();
    const client = await new RawClient(theirs).open();
    const session = await sessions.open({ transport: ours, via: 'bridge', ...connection });
    return { client, session };
  };
  return { store: store as CatalogueStore, sessions, connect };
}

describe('a session', () => {
  it.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', '2025-03-26'],
    ['2024-11-05', '2024-11-05'],
    ['2024-10-07', '2024-10-07'],
    ['2099-01-01', '2025-11-25'],
  ])('[FR-012] answers a client that asks for revision %s with %s', async (asked, expected) => {
    const { client } = await hub().connect();
    const { result } = await client.greet('test', { version: asked });
    expect(result).toMatchObject({
      protocolVersion: expected,
      serverInfo: { name: 'patchbay', version: '1.2.3' },
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
      },
    });
    expect(result?.instructions).toContain('files, a b');
  });

  it('[FR-012] advertises only what servers offer when told so', async () => {
    const { client } = await hub({ advertise: 'offered' }).connect();
    const { result } = await client.greet();
    expect(result?.capabilities).toEqual({ tools: { listChanged: true } });
  });

  it("[FR-012] [PB-PASS-1] initializes with the servers' capabilities once they have started, and not before", async () => {
    let started = () => {};
    const start = new Promise<void>((resolve) => {
      started = resolve;
    });
    const { connect, store } = hub({ advertise: 'offered', ready: () => start });
    const { client } = await connect();
    const greeted = client.greet();
    await turns();
    expect(client.received).toEqual([]);
    const capabilities = { tools: {}, logging: {}, resources: { subscribe: true } };
    store.setListing('files', { ...offerOf('read'), capabilities });
    started();
    expect((await greeted).result?.capabilities).toEqual({
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      logging: {},
    });
  });

  it('[PB-DUAL-1] shows whether its client has a session or is stateless', async () => {
    const { connect } = hub();
    const eraAfter = async (params: Readonly<Record<string, unknown>>) => {
      const { client, session } = await connect();
      const before = session.view().era;
      await client.request('initialize', params);
      return [before, session.view().era];
    };
    expect(await eraAfter({ _meta: { 'patchbay/era': 'modern' } })).toEqual([undefined, 'modern']);
    expect(await eraAfter({ _meta: 'odd' })).toEqual([undefined, 'legacy']);
    expect(await eraAfter({})).toEqual([undefined, 'legacy']);
  });

  it('[FR-012] accepts a client that says little or nonsense about itself', async () => {
    const { connect } = hub();
    const introduce = async (params?: Readonly<Record<string, unknown>>) => {
      const { client, session } = await connect();
      const { result } = await client.request('initialize', params);
      return [result?.protocolVersion, session.view().name, session.view().version];
    };
    expect(await introduce()).toEqual(['2025-11-25', '', '']);
    expect(await introduce({ clientInfo: { name: 'half' } })).toEqual(['2025-11-25', 'half', '']);
    expect(await introduce({ protocolVersion: 7, clientInfo: { name: 1, version: '2' } })).toEqual([
      '2025-11-25',
      '',
      '2',
    ]);
    expect(await introduce({ clientInfo: 'odd' })).toEqual(['2025-11-25', '', '']);
  });

  it('[FR-012] refuses everything but ping before initialize, and a probe of the stateless protocol as unknown', async () => {
    const { client } = await hub().connect();
    expect((await client.request('ping')).result).toEqual({});
    expect((await client.request('tools/list')).error?.code).toBe(-32600);
    expect((await client.request('server/discover')).error?.code).toBe(-32601);
    await client.greet();
    expect((await client.request('server/discover')).error?.code).toBe(-32601);
    expect((await client.request('no/such')).error?.code).toBe(-32601);
  });

  it('[FR-005] [PB-NAMES-1] lists everything on one page, in names that suit the client', async () => {
    const { connect } = hub();
    const names = async (name: string, connection?: Partial<SessionConnection>) => {
      const { client } = await connect(connection);
      await client.greet(name);
      const { result } = await client.request('tools/list');
      expect(Object.keys(result ?? {})).toEqual(['tools']);
      return (result?.tools as { name: string }[] | undefined)?.map((tool) => tool.name);
    };
    expect(await names('test')).toEqual(['files__read', 'files__write', expect.stringMatching(/^a_b__x/)]);
    expect(await names('test', { askedStyle: 'colon' })).toEqual(['files:read', 'files:write', 'a b:x']);
    expect(await names('claude-ai', { askedStyle: 'colon' })).toEqual([
      'files__read',
      'files__write',
      expect.stringMatching(/^a_b__x/),
    ]);
  });

  it('[FR-006] [FR-007] [FR-008] hands calls to the router as they are and answers with its raw result', async () => {
    const { router, calls } = createHeldRouter();
    const { client, session } = await hub({ router }).connect();
    await client.greet();
    const params = {
      name: 'files__read',
      arguments: { a: [1, null], ü: { deep: true } },
      _meta: { other: 1 },
    };
    const answer = client.request('tools/call', params);
    await until('the call', () => calls.length === 1);
    expect(calls[0]).toMatchObject({ method: 'tools/call', params });
    const result = { content: [], unknown: { field: [1] } };
    calls[0]?.answer(result);
    expect((await answer).result).toEqual(result);
    expect(session.view().calls).toBe(1);
  });

  it("[US3.2] hands on a router's error with its code, message and data", async () => {
    const error = { code: -32042, message: 'no', data: { url: 'x' } };
    const { client } = await hub({
      router: createFakeRouter(() => Promise.reject(new RpcError(error))),
    }).connect();
    await client.greet();
    expect((await client.request('prompts/get', { name: 'p' })).error).toEqual(error);
  });

  it('[PB-PASS-1] [PB-ISO-1] cancels at once, sends no answer then, and leaves other calls alone', async () => {
    const { router, calls } = createHeldRouter();
    const { client } = await hub({ router }).connect();
    await client.greet();
    void client.request('tools/call', { name: 'slow' }, 'first');
    const second = client.request('tools/call', { name: 'other' }, 'second');
    await until('both calls', () => calls.length === 2);
    await client.notify('notifications/cancelled', { requestId: 'first' });
    await until('the abort', () => calls[0]?.call.aborted === true);
    expect(calls[1]?.call.aborted).toBe(false);
    calls[1]?.answer({ content: [] });
    await second;
    expect(client.answersTo('first')).toEqual([]);
  });

  it('[PB-ISO-1] gives two interleaved clients with the same ids only their own answers and progress', async () => {
    const { router, calls } = createHeldRouter();
    const { connect } = hub({ router });
    const clients = await Promise.all(['one', 'two'].map(async (name) => ({ name, ...(await connect()) })));
    await Promise.all(clients.map(({ client, name }) => client.greet(name)));
    const answers = clients.map(({ client, name }) =>
      client.request('tools/call', { name, _meta: { progressToken: 7 } }, 42),
    );
    await until('both calls', () => calls.length === 2);
    for (const { call, params } of [...calls].reverse())
      call.onProgress(progressOf({ progressToken: 7, message: params.name }));
    for (const { params, answer } of [...calls].reverse()) answer({ content: [], to: params.name });
    expect((await Promise.all(answers)).map(({ result }) => result?.to)).toEqual(['one', 'two']);
    for (const { client, name } of clients) {
      expect(client.notices('notifications/progress').map(({ params }) => params?.message)).toEqual([name]);
      expect(client.answersTo(42)).toHaveLength(1);
    }
  });

  it('[PB-ISO-1] sends no progress of a call that was answered', async () => {
    const { router, calls } = createHeldRouter();
    const { client } = await hub({ router }).connect();
    await client.greet();
    const answer = client.request('tools/call', { name: 'x' });
    await until('the call', () => calls.length === 1);
    calls[0]?.answer({ content: [] });
    await answer;
    calls[0]?.call.onProgress(progressOf({ progressToken: 1 }));
    await turns();
    expect(client.notices('notifications/progress')).toEqual([]);
  });

  it("[PB-PASS-1] announces a change once, after initialized, and only for lists that differ from the client's", async () => {
    const { store, connect } = hub();
    const early = await connect();
    await early.client.greet('test', { initialized: false });
    const { client, session } = await connect();
    await client.greet();
    await client.request('tools/list');
    expect(session.view()).toMatchObject({ stale: false, listRevision: store.current.revision });

    store.setListing('files', offerOf('read', 'write', 'append'));
    store.setListing('a b', offerOf('x', 'y'));
    store.flush();
    await until('the notice', () => client.notices().length > 0);
    await turns();
    expect(client.notices().map(({ method }) => method)).toEqual(['notifications/tools/list_changed']);
    expect(early.client.notices()).toEqual([]);
    expect(session.view().stale).toBe(true);
    await client.request('tools/list');
    expect(session.view().stale).toBe(false);
  });

  it('[PB-BRIDGE-1] learns from a bridge which lists its client has, and announces outdated ones at once', async () => {
    const { store, connect } = hub();
    const { client, session } = await connect();
    await client.greet();
    const view = (await client.request('tools/list')).result?.tools;
    const second = await connect({ bridge: { version: '9' } });
    await second.client.greet();
    await second.client.notify(heldListsMethod, { lists: { 'tools/list': digestOf(view) }, announce: true });
    await turns();
    expect(second.client.notices()).toEqual([]);
    expect(second.session.view()).toMatchObject({ listRevision: store.current.revision, stale: false });
    await second.client.notify(heldListsMethod, { lists: { 'tools/list': 'other' }, announce: true });
    await until('the notice', () => second.client.notices().length === 1);
    expect(second.session.view()).toMatchObject({ stale: true, bridgeVersion: '9', via: 'bridge' });
    expect(session.view().stale).toBe(false);
    expect(store.current.revision).toBeGreaterThan(0);
  });

  it('[PB-BRIDGE-1] knows a list that it has sent also when its bridge tells of it after a change', async () => {
    const { store, connect } = hub();
    const { client, session } = await connect({ bridge: { version: '9' } });
    await client.greet();
    const sent = (await client.request('tools/list')).result?.tools;
    store.setListing('files', offerOf('read', 'append'));
    store.flush();
    await until('the notice', () => client.notices().length > 0);
    await client.notify(heldListsMethod, { lists: { 'tools/list': digestOf(sent) }, announce: false });
    await turns();
    expect(session.snapshot()?.clientTools).toEqual(sent);
    expect(session.view().stale).toBe(true);
  });

  it('[PB-BRIDGE-1] knows the tools of a list that a bridge sent from its cache, if the list is current', async () => {
    const { connect } = hub();
    const { client } = await connect();
    await client.greet();
    const sent = (await client.request('tools/list')).result?.tools;
    const second = await connect({ bridge: { version: '9' } });
    await second.client.greet();
    await second.client.notify(heldListsMethod, { lists: { 'tools/list': digestOf(sent) }, announce: true });
    await turns();
    expect(second.session.snapshot()?.clientTools).toEqual(sent);
  });

  it('[NFR-R1] answers lists that wait for servers before its hub ends', async () => {
    const never = new Promise<void>(() => {});
    const { store, sessions, connect } = hub({
      clock: new FakeClock(),
      ready: () => never,
      listed: () => never,
    });
    const keys = ['files', 'a b', 'never listed'];
    store.setServers(keys.map((key) => ({ key, enabled: true, disabledTools: new Set() })));
    store.flush();
    expect(store.current.awaited).toEqual(['never listed']);
    const { client } = await connect({ via: 'http' });
    await client.greet();
    const lists = ['tools/list', 'prompts/list', 'resources/templates/list'].map((method) =>
      client.request(method),
    );
    await turns();
    await sessions.close();
    const [tools, prompts, templates] = await Promise.all(lists);
    expect(tools?.result?.tools).toHaveLength(3);
    expect(prompts?.result).toEqual({ prompts: [] });
    expect(templates?.result).toEqual({ resourceTemplates: [] });
  });

  it('[SC-002] lets the first list wait for servers that still start, but not longer than five seconds', async () => {
    const clock = new FakeClock();
    const never = new Promise<void>(() => {});
    const { client } = await hub({ clock, ready: () => never }).connect();
    await client.greet();
    const list = client.request('tools/list', {}, 'list');
    await clock.advance(4_900);
    expect(client.answersTo('list')).toEqual([]);
    await clock.advance(200);
    expect((await list).result?.tools).toHaveLength(3);
    expect((await client.request('tools/list')).result?.tools).toHaveLength(3);
  });

  it('[PB-BRIDGE-1] lists a status tool while there is no other tool, which says why', async () => {
    const catalogue = catalogueOf({});
    const views = createViews(createView, 'empty');
    const { connect, store } = hub({ catalogue, views, status: () => 'github: error' });
    const { client } = await connect({ via: 'http' });
    await client.greet();
    expect((await client.request('tools/list')).result?.tools).toEqual([statusTool]);
    const { result } = await client.request('tools/call', { name: 'patchbay_status', arguments: {} });
    expect(result).toEqual({ content: [{ type: 'text', text: 'github: error' }] });
    store.setServers([{ key: 'files', enabled: true, disabledTools: new Set() }]);
    store.setListing('files', offerOf('read'));
    store.flush();
    await until('the notice', () => client.notices('notifications/tools/list_changed').length > 0);
    const stale = await client.request('tools/call', { name: 'patchbay_status', arguments: {} });
    expect(stale.result).toMatchObject({
      content: [{ text: expect.stringMatching(/^Patchbay has 1 tool for/) }],
    });
    expect((await client.request('tools/list')).result?.tools).toMatchObject([{ name: 'files__read' }]);
  });

  it('[NFR-R4] answers a list that waits for servers when the hub ends', async () => {
    const { sessions, connect } = hub({ ready: () => new Promise(() => {}) });
    const { client } = await connect({ via: 'http' });
    await client.greet();
    void client.request('tools/list', {}, 'list');
    await turns();
    await sessions.close();
    expect(client.answersTo('list')).toMatchObject([{ result: { tools: { length: 3 } } }]);
  });

  it('[PB-ISO-1] aborts its calls when the client goes, and leaves the list of sessions', async () => {
    const { router, calls } = createHeldRouter();
    const { sessions, connect } = hub({ router });
    const { client } = await connect();
    await client.greet('gone');
    expect(sessions.views()).toMatchObject([
      { name: 'gone', via: 'bridge', nameStyle: 'safe', listedTools: 3 },
    ]);
    void client.request('tools/call', { name: 'x' });
    await until('the call', () => calls.length === 1);
    await client.close();
    await until('the abort', () => calls[0]?.call.aborted === true);
    expect(sessions.views()).toEqual([]);
  });

  it('[PB-TRAY-1] reports clients in one event per burst, and closes them all', async () => {
    const { sessions, connect } = hub();
    const told: number[] = [];
    sessions.onChange((views) => told.push(views.length));
    const clients = await Promise.all([connect(), connect(), connect()]);
    await Promise.all(clients.map(({ client }) => client.greet()));
    await until('the notice', () => told.length > 0);
    expect(told).toEqual([3]);
    await sessions.close();
    await until('the ends', () => clients.every(({ client }) => client.isClosed));
  });
});
