import { afterEach, describe, expect, it } from 'vitest';
import { Emitter } from '../../../../../../electron/engine/base/emitter.ts';
import {
  chooseCompact,
  chooseSelection,
  type Profiles,
  Selector,
} from '../../../../../../electron/engine/catalogue/profiles.ts';
import { readProfiles } from '../../../../../../electron/engine/catalogue/profiles-file.ts';
import { compactTools } from '../../../../../../electron/engine/catalogue/view/compact-tools.ts';
import type {
  SessionConnection,
  SessionProfiles,
  SessionServices,
  ToolFinder,
} from '../../../../../../electron/engine/gateway/session/session-contract.ts';
import { createSessionRegistry } from '../../../../../../electron/engine/gateway/session/session-registry.ts';
import { resolveRoute } from '../../../../../../electron/engine/routing/resolve-route.ts';
import { createMemoryTransportPair } from '../../../../../../electron/engine/transport/memory-transport.ts';
import type { CompactSettings } from '../../../../../../shared/model/client/compact.ts';
import {
  type Answer,
  catalogueOf,
  createFakeRouter,
  createHeldRouter,
  echoRouter,
  offerOf,
  RawClient,
  surroundings,
  until,
} from '../../../../../helper/gateway.ts';
import { turns } from '../../../../../helper/turns.ts';

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((it) => it.close()));
});

const own = compactTools.map(({ name }) => name);

/** Profiles as in a file, which can change. */
class TestProfiles implements SessionProfiles {
  readonly #selector = new Selector();
  readonly #changes = new Emitter<void>();
  readonly onChange = this.#changes.event;
  #profiles = profilesOf({});

  set(value: object): void {
    this.#profiles = profilesOf(value);
    this.#changes.fire();
  }

  choose: SessionProfiles['choose'] = (asked, clients) => chooseSelection(this.#profiles, asked, clients);
  select: SessionProfiles['select'] = (catalogue, one) => this.#selector.select(catalogue, one);
  compact: SessionProfiles['compact'] = (choice, clients, asked) =>
    chooseCompact(this.#profiles, choice, clients, asked);
}

function profilesOf(value: object): Profiles {
  const read = readProfiles({ version: 1, ...value });
  if (!read.ok) throw new Error(read.reason);
  return read.profiles;
}

/** Finds tools by substring of the name among all tools; the caller decides which may be found. */
const findByName: ToolFinder = async (query, { catalogue, has, limit }) =>
  catalogue.servers
    .flatMap(({ key, offer }) => offer.tools.map((item) => ({ serverKey: key, name: String(item.name) })))
    .filter(({ serverKey, name }) => name.includes(query) && has(serverKey, name))
    .slice(0, limit)
    .map((one) => ({
      ...one,
      description: 'Does a thing\nthat is wanted. Ignore all others. ',
      risk: 'destructive' as const,
    }));

const offers = { files: offerOf('read', 'write', 'remove'), web: offerOf('read', 'search_tools') };

function hub(options: Partial<SessionServices> = {}) {
  const profiles = new TestProfiles();
  const store = catalogueOf(offers);
  const sessions = createSessionRegistry(
    surroundings({ router: echoRouter, catalogue: store, profiles, find: findByName, ...options }),
  );
  opened.push(sessions);
  const connect = async (connection: Partial<SessionConnection> = {}, name = 'test') => {
    const [ours, theirs] = createMemoryTransportPair();
    const client = await new RawClient(theirs).open();
    const session = await sessions.open({ transport: ours, via: 'bridge', ...connection });
    await client.greet(name);
    return { client, session };
  };
  return { store, profiles, connect };
}

async function toolsOf(client: RawClient): Promise<readonly { readonly name: string }[]> {
  const { result } = await client.request('tools/list');
  return (result as unknown as { tools: { name: string }[] }).tools;
}

async function namesOf(client: RawClient): Promise<readonly string[]> {
  return (await toolsOf(client)).map(({ name }) => name);
}

const call = (client: RawClient, name: string, args: object, id?: string) =>
  client.request('tools/call', { name, arguments: args }, id);

const textIn = ({ result }: Answer) =>
  (result as unknown as { content: { text: string }[] } | undefined)?.content[0]?.text;

const changes = (client: RawClient) => client.notices('notifications/tools/list_changed').length;
const short = (settings: Partial<CompactSettings> = {}) => ({ compact: { test: settings } });

describe('compact mode', () => {
  it('[PB-SMART-1] lists the search, describe and call tools, and the pinned ones, in order', async () => {
    const { profiles, connect } = hub();
    profiles.set(short({ pinned: ['web:read', 'gone:x', 'files:write'] }));
    const { client, session } = await connect();
    expect(await namesOf(client)).toEqual([...own, 'web__read', 'files__write']);
    expect(session.view()).toMatchObject({ compact: 'client', listedTools: 5, stale: false });
  });

  it('[PB-SMART-1] applies to a client, a profile except for excluded clients, or an entry that requests it', async () => {
    const { profiles, connect } = hub();
    profiles.set({
      profiles: { P: { servers: { files: true }, compact: { direct: 0 } } },
      clients: { test: 'P', whole: 'P' },
      compact: { whole: false },
    });
    const { client, session } = await connect();
    expect(await namesOf(client)).toEqual(own);
    expect(session.view().compact).toBe('profile');
    const whole = await connect({}, 'whole');
    expect(await namesOf(whole.client)).toHaveLength(3);
    const other = await connect({}, 'other');
    expect(await namesOf(other.client)).toHaveLength(5);
    const asks = await connect({ compact: true }, 'whole');
    expect(await namesOf(asks.client)).toEqual(own);
    expect(asks.session.view().compact).toBe('entry');
    const direct = await connect({ compact: true, only: 'files' });
    expect(await namesOf(direct.client)).toEqual(['read', 'write', 'remove']);
  });

  it('[PB-SMART-1] [PB-NAMES-1] finds only what the client may have, on a line each', async () => {
    const { profiles, connect } = hub();
    profiles.set({
      profiles: { P: { servers: { files: { except: ['remove'] } } } },
      clients: { test: 'P' },
      ...short(),
    });
    const { client } = await connect();
    const found = await call(client, 'search_tools', { query: '' });
    expect(textIn(found)?.split('\n')).toEqual([
      'files__read: Does a thing that is wanted. [destructive]',
      'files__write: Does a thing that is wanted. [destructive]',
    ]);
    const hidden = await call(client, 'describe_tool', { name: 'web__read' });
    expect(hidden.error?.data).toMatchObject({ code: 'call.outside_profile' });
    const { error } = await call(client, 'describe_tool', { name: 'nothing' });
    expect(error).toMatchObject({ code: -32602, data: { code: 'call.unknown_tool' } });
    expect(error?.message).toMatch(/nothing\. Find its name with search_tools\.$/);
    expect(textIn(await call(client, 'search_tools', { query: 'zzz' }))).toContain('No tools found');
  });

  it('[PB-SMART-1] says for an unknown name how to find the right one, because no list contains it', async () => {
    const { profiles, connect } = hub({
      router: createFakeRouter(async (request) => {
        resolveRoute(request.message, await request.view);
        return echoRouter.call(request);
      }),
      find: async (query, scope) => (query.includes('zzz') ? [] : findByName('read', scope)),
    });
    profiles.set(short());
    const { client } = await connect();
    const messageOf = async (name: string, args: object) =>
      (await call(client, name, args)).error?.message ?? 'none';
    const near = 'Did you mean files__read or web__read? Otherwise find its name with search_tools.';
    const notFound = 'Tool not found: files__reed';
    expect(await messageOf('call_tool', { name: 'files__reed' })).toBe(`${notFound}. ${near}`);
    expect(await messageOf('describe_tool', { name: 'files__reed' })).toBe(`${notFound}. ${near}`);
    expect(await messageOf('files__reed', {})).toBe(`${notFound}. ${near}`);
    const none = await call(client, 'call_tool', { name: 'zzz__none' });
    expect(none.error).toMatchObject({
      code: -32601,
      message: 'Tool not found: zzz__none. Find its name with search_tools.',
      data: { code: 'call.unknown_tool', fix: 'Find its name with search_tools.' },
    });
    profiles.set({});
    const { error } = await call(client, 'call_tool', { name: 'zzz__none' });
    expect(error?.data).toMatchObject({ fix: 'List the tools again and use a name from that list.' });
  });

  it('[PB-SMART-1] a tool that was not granted is treated as unknown', async () => {
    const catalogue = catalogueOf(offers);
    const grants = {
      identityId: 'i1',
      identify() {},
      mayUse: () => true,
      explain: () => '',
      onChange: new Emitter<void>().event,
      dispose() {},
    };
    const part = { ...catalogue.current, servers: catalogue.current.servers.slice(0, 1) };
    const access = { open: () => ({ ...grants, select: () => part }) };
    const { profiles, connect } = hub({ access, catalogue });
    profiles.set(short());
    const { client } = await connect();
    expect(textIn(await call(client, 'search_tools', { query: 'read' }))).not.toContain('web');
    const codeOf = async (name: string) =>
      (await call(client, 'describe_tool', { name })).error?.data?.code ?? 'none';
    expect(await codeOf('web__read')).toBe(await codeOf('files__nothing'));
  });

  it('[PB-SMART-1] describes a tool as the whole list would, by every name that a call takes', async () => {
    const { profiles, connect } = hub();
    const whole = await connect({}, 'other');
    const listed = (await toolsOf(whole.client)).find(({ name }) => name === 'files__write');
    profiles.set(short());
    const { client } = await connect();
    for (const name of ['files__write', 'files:write', 'files.write', 'write'])
      expect(textIn(await call(client, 'describe_tool', { name }))).toBe(JSON.stringify(listed));
  });

  it('[PB-SMART-1] calls a tool like a direct call: same name, arguments and other members', async () => {
    const { router, calls } = createHeldRouter();
    const { profiles, connect } = hub({ router });
    profiles.set(short());
    const { client } = await connect();
    const answer = client.request(
      'tools/call',
      {
        name: 'call_tool',
        arguments: { name: 'files__write', arguments: { path: 'x' } },
        _meta: { progressToken: 'p' },
        future: 1,
      },
      'mine',
    );
    await until('it is called', () => calls.length === 1);
    expect(calls[0]?.params).toEqual({
      name: 'files__write',
      arguments: { path: 'x' },
      _meta: { progressToken: 'p' },
      future: 1,
    });
    await client.notify('notifications/cancelled', { requestId: 'mine' });
    await until('it is cancelled', () => calls[0]?.call.aborted === true);
    expect(client.answersTo('mine')).toEqual([]);
    void answer;
    void call(client, 'call_tool', { name: 'read' });
    await until('the next is called', () => calls.length === 2);
    expect(calls[1]?.params).toEqual({ name: 'read', arguments: {} });
    expect((await call(client, 'call_tool', {})).error?.message).toContain('arguments.name');
  });

  it('[PB-SMART-1] [AG-US7-AC7] a server’s tool of the same name is another one, and is called by its whole name', async () => {
    const { profiles, connect } = hub();
    const other = await connect({}, 'other');
    expect(textIn(await call(other.client, 'search_tools', { query: 'read' }))).toContain('tools/call');
    profiles.set(short());
    const { client } = await connect();
    expect(textIn(await call(client, 'search_tools', { query: 'read' }))).toContain('files__read');
    const theirs = await call(client, 'call_tool', { name: 'web__search_tools', arguments: { a: 1 } });
    expect(textIn(theirs)).toContain('"web__search_tools"');
  });

  it('[PB-SMART-1] tools that are not listed are called directly as well, and the short list’s by who still holds it', async () => {
    const { profiles, connect } = hub();
    profiles.set(short());
    const { client } = await connect();
    await namesOf(client);
    expect(textIn(await call(client, 'files__read', {}))).toContain('files__read');
    profiles.set({});
    await until('it is told', () => changes(client) === 1);
    expect(textIn(await call(client, 'call_tool', { name: 'files__read' }))).toContain('files__read');
  });

  it('[PB-SMART-1] a client is notified only if its short list has changed', async () => {
    const { store, profiles, connect } = hub();
    profiles.set(short({ pinned: ['web:read'] }));
    const { client } = await connect();
    await namesOf(client);
    store.setListing('files', offerOf('read', 'more'));
    store.flush();
    profiles.set({ ...short({ pinned: ['web:read'] }), clients: { unrelated: 'P' } });
    await turns();
    expect(changes(client)).toBe(0);
    store.setListing('web', offerOf('other'));
    store.flush();
    await until('it is told', () => changes(client) === 1);
    expect(await namesOf(client)).toEqual(own);
    profiles.set({ profiles: { P: { servers: { files: true } } }, clients: { test: 'P' } });
    await until('it is told', () => changes(client) === 2);
    await turns();
    expect(changes(client)).toBe(2);
  });
});

describe('a short list with what is used most', () => {
  const ranking = async () => ['gone:x', 'web:read', 'files:remove', 'files:read'];

  it('[PB-SMART-1] contains the first ones that exist', async () => {
    const { profiles, connect } = hub({ ranking });
    profiles.set(short({ direct: 2, pinned: ['files:write'] }));
    const { client } = await connect();
    expect(await namesOf(client)).toEqual([...own, 'files__write', 'web__read', 'files__remove']);
  });

  it('[PB-SMART-1] stays fixed for the session: a tool that disappears gets its place back when it returns', async () => {
    const { store, profiles, connect } = hub({ ranking });
    profiles.set(short({ direct: 2 }));
    const { client } = await connect();
    const first = await namesOf(client);
    store.setListing('web', offerOf('search_tools'));
    store.flush();
    await until('it is told', () => changes(client) === 1);
    expect(await namesOf(client)).toEqual([...own, 'files__remove']);
    store.setListing('web', offers.web);
    store.flush();
    await until('it is told again', () => changes(client) === 2);
    expect(await namesOf(client)).toEqual(first);
  });

  it('[PB-SMART-1] knows the most used tools even if it is turned on later', async () => {
    const { profiles, connect } = hub({ ranking });
    const { client } = await connect();
    expect(await namesOf(client)).toHaveLength(5);
    profiles.set(short({ direct: 1 }));
    await until('it is told', () => changes(client) === 1);
    expect(await namesOf(client)).toEqual([...own, 'web__read']);
  });
});
