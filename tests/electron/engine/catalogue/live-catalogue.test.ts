import { describe, expect, it } from 'vitest';
import type { CatalogueChange, RawItem } from '../../../../electron/engine/catalogue/contract.ts';
import { LiveCatalogue } from '../../../../electron/engine/catalogue/live-catalogue.ts';
import { catalogueOf, offerOf, serverOf, toolNamed } from '../../../helper/catalogue.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';

const none: ReadonlySet<string> = new Set();

function setUp(options: { stored?: ReturnType<typeof catalogueOf> } = {}) {
  const clock = new FakeClock();
  const store = new LiveCatalogue({ clock, ...options });
  const changes: CatalogueChange[] = [];
  store.onChange((change) => changes.push(change));
  const arrange = (...keys: string[]) =>
    store.setServers(keys.map((key) => ({ key, enabled: true, disabledTools: none })));
  return { clock, store, changes, arrange };
}

const kindsOf = (changes: readonly CatalogueChange[]) => changes.map(({ kinds }) => [...kinds].sort());

describe('the live catalogue', () => {
  it('[NFR-R3] keeps the first item of a name and every sound one, whatever else a list holds', () => {
    const catalogue = new LiveCatalogue({ clock: new FakeClock() });
    catalogue.setServers([{ key: 'a', enabled: true, disabledTools: new Set() }]);
    const sound = offerOf({ tools: ['echo', 'Echo', 'two words'] }).tools;
    const odd: readonly unknown[] = [null, [], 'text', { name: '' }, { name: null }, { name: 7 }, {}];
    const tools = [...sound, { name: 'echo', description: 'Again' }, ...odd] as readonly RawItem[];
    const resource = { uri: 'note://1', name: 'note' };
    const resources = [resource, { ...resource, name: 'again' }];
    catalogue.setListing('a', { ...offerOf({ resources }), tools });
    const [server] = catalogue.current.servers;
    expect(server?.offer.tools.map(({ name }) => name)).toEqual(['echo', 'Echo', 'two words']);
    expect(server?.offer.resources).toEqual([resource]);
    const reasons = server?.setAside.map(
      ({ evidence }) => evidence.find(({ label }) => label === 'reason')?.value,
    );
    expect(reasons).toHaveLength(9);
    expect(reasons).toContain('its "name" "echo" is a duplicate');
  });

  it('[FR-005] holds what arranged servers offer, in config order, whoever answers first', () => {
    const { store, arrange } = setUp();
    arrange('a', 'b', 'c');
    store.setListing('c', offerOf({ tools: ['x'] }));
    store.setListing('a', offerOf({ tools: ['x'] }));
    store.setListing('stranger', offerOf({ tools: ['x'] }));
    expect(store.current.servers.map(({ key }) => key)).toEqual(['a', 'c']);
    store.dispose();
  });

  it('[PB-LIST-1] awaits servers that are turned on and were never listed, until nobody has to wait for them', async () => {
    const { clock, store, changes } = setUp({ stored: catalogueOf(serverOf('old', { tools: ['x'] })) });
    const entry = (key: string, enabled = true) => ({ key, enabled, disabledTools: none });
    store.setServers([entry('old'), entry('a'), entry('b'), entry('off', false)]);
    expect(store.current.awaited).toEqual(['a', 'b']);
    store.setSettled(new Set(['b', 'off']));
    expect(store.current.awaited).toEqual(['a']);
    await clock.advance(100);
    store.setListing('a', offerOf());
    await clock.advance(100);
    expect(store.current.awaited).toEqual([]);
    // The event says that nothing is awaited any more, though no list has changed.
    expect(changes.at(-1)?.kinds).toEqual(new Set());
    // A server that starts again is awaited again.
    store.setSettled(new Set(['a']));
    expect(store.current.awaited).toEqual(['b']);
    store.dispose();
  });

  it('[PB-LIST-1] keeps what was known, and says that it may be a part, while nobody knows which servers there are', () => {
    const { store, arrange } = setUp({ stored: catalogueOf(serverOf('old', { tools: ['x'] })) });
    store.markUnsure();
    expect(store.current).toMatchObject({ isUnsure: true, servers: [{ key: 'old' }] });
    arrange('old');
    expect(store.current.isUnsure).toBeUndefined();
    store.dispose();
  });

  it('[US3.4] names servers that have never listed anything, until they do', () => {
    const { store, arrange } = setUp({ stored: catalogueOf(serverOf('old', { tools: ['x'] })) });
    arrange('old', 'a', 'b');
    expect(store.current.silent).toEqual(['a', 'b']);
    store.setListing('a', offerOf());
    expect(store.current.silent).toEqual(['b']);
    store.clearListing('old');
    expect(store.current.silent).toEqual(['old', 'b']);
    arrange('a');
    expect(store.current.silent).toEqual([]);
    store.dispose();
  });

  it('reports a burst once, after it', async () => {
    const { clock, store, changes, arrange } = setUp();
    arrange('a', 'b');
    store.setListing('a', offerOf({ tools: ['x'] }));
    await clock.advance(30);
    store.setListing('b', offerOf({ prompts: [{ name: 'p' }] }));
    expect(changes).toEqual([]);
    await clock.advance(20);
    expect(kindsOf(changes)).toEqual([['prompts', 'tools']]);
    expect(changes[0]?.catalogue).toBe(store.current);
    await clock.advance(1000);
    expect(changes).toHaveLength(1);
    store.dispose();
  });

  it('is up to date at once, before the event, and fires early on flush', () => {
    const { store, changes, arrange } = setUp();
    arrange('a');
    store.setListing('a', offerOf({ tools: ['x'] }));
    expect(store.current.servers[0]?.offer.tools).toHaveLength(1);
    store.flush();
    expect(changes).toHaveLength(1);
    store.dispose();
  });

  it('changes neither revision nor fires when a server lists the same again', async () => {
    const { clock, store, changes, arrange } = setUp();
    arrange('a');
    store.setListing('a', offerOf({ tools: ['x', 'y'], resources: [{ uri: 'u' }] }));
    await clock.advance(50);
    const before = store.current;
    store.setListing('a', offerOf({ tools: ['x', 'y'], resources: [{ uri: 'u' }] }));
    arrange('a');
    await clock.advance(50);
    expect(store.current).toBe(before);
    expect(changes).toHaveLength(1);
    store.dispose();
  });

  it('names only the kinds of list that differ', async () => {
    const { clock, store, changes, arrange } = setUp();
    arrange('a');
    store.setListing('a', offerOf({ tools: ['x'] }));
    await clock.advance(50);
    store.setListing('a', offerOf({ tools: ['x'], resourceTemplates: [{ uriTemplate: 'u{x}' }] }));
    await clock.advance(50);
    expect(kindsOf(changes)).toEqual([['tools'], ['resources']]);
    expect(store.current.revision).toBe(2);
    store.dispose();
  });

  it('counts a switched tool and a changed order as changed lists, a switch of an unknown tool as none', async () => {
    const { clock, store, changes } = setUp();
    const arrange = (keys: string[], disabled: string[]) =>
      store.setServers(keys.map((key) => ({ key, enabled: true, disabledTools: new Set(disabled) })));
    arrange(['a', 'b'], []);
    store.setListing('a', offerOf({ tools: ['x'] }));
    store.setListing('b', offerOf({ tools: ['y'] }));
    for (const [keys, disabled] of [
      [['a', 'b'], ['x']],
      [['b', 'a'], ['x']],
      [
        ['b', 'a'],
        ['x', 'unknown'],
      ],
    ] as const) {
      await clock.advance(50);
      arrange([...keys], [...disabled]);
    }
    await clock.advance(50);
    expect(kindsOf(changes)).toEqual([['tools'], ['tools'], ['tools'], []]);
    expect(store.current.revision).toBe(3);
    store.dispose();
  });

  it('[PB-SAFE-1] disables all other tools if an entry lists the only enabled ones, also those added later', async () => {
    const { clock, store, changes } = setUp();
    const enabledTools = new Set(['read']);
    store.setServers([{ key: 'a', enabled: true, disabledTools: new Set(['old']), enabledTools }]);
    store.setListing('a', offerOf({ tools: ['read', 'erase'] }));
    const off = () => [...(store.current.servers[0]?.disabledTools ?? [])];
    expect(off()).toEqual(['old', 'erase']);
    store.setListing('a', offerOf({ tools: ['read', 'erase', 'format'] }));
    expect(off()).toEqual(['old', 'erase', 'format']);
    const { disabledTools } = store.current.servers[0] ?? {};
    store.setListing('a', offerOf({ tools: ['read', 'erase', 'format'] }));
    expect(store.current.servers[0]?.disabledTools).toBe(disabledTools);
    await clock.advance(50);
    expect(changes.length).toBeGreaterThan(0);
    store.dispose();
  });

  it('reports no kind when only something besides the lists changed', async () => {
    const { clock, store, changes, arrange } = setUp();
    arrange('a');
    store.setListing('a', offerOf({ tools: ['x'] }));
    await clock.advance(50);
    store.setListing('a', { ...offerOf({ tools: ['x'] }), instructions: 'New words' });
    await clock.advance(50);
    expect(kindsOf(changes)).toEqual([['tools'], []]);
    expect(store.current).toMatchObject({ revision: 1, servers: [{ offer: { instructions: 'New words' } }] });
    store.dispose();
  });

  it('reports a list that changed and changed back if a client may have listed it in between', async () => {
    const { clock, store, changes, arrange } = setUp();
    arrange('a');
    store.setListing('a', offerOf({ tools: ['x'] }));
    await clock.advance(50);
    store.setListing('a', offerOf({ tools: [] }));
    expect(store.current.revision).toBe(2);
    store.setListing('a', offerOf({ tools: ['x'] }));
    await clock.advance(50);
    expect(kindsOf(changes)).toEqual([['tools'], ['tools']]);
    store.dispose();
  });

  it('[FR-009, SC-007] drops the tools of one server and leaves the others', async () => {
    const { clock, store, changes, arrange } = setUp();
    arrange('a', 'b');
    store.setListing('a', offerOf({ tools: ['x'] }));
    store.setListing('b', offerOf({ tools: ['y'] }));
    await clock.advance(50);
    const kept = store.current.servers[1];
    store.clearListing('a');
    store.clearListing('never-seen');
    await clock.advance(50);
    expect(store.current.servers).toEqual([kept]);
    expect(kindsOf(changes)).toEqual([['tools'], ['tools']]);
    store.dispose();
  });

  it('[REQ-MCP-REG-002] sets bad items aside with server, place and reason, never the whole server', () => {
    const { store, arrange } = setUp();
    arrange('a');
    store.setListing('a', {
      ...offerOf(),
      tools: [
        toolNamed('good'),
        { name: 7 },
        { title: 'no name' },
        null as never,
        'text' as never,
        { name: '' },
      ],
      resources: [{ uri: 'ok', name: 'ok' }, { name: 'no uri' }],
      prompts: [{ name: ['p'] }],
      resourceTemplates: [{ uriTemplate: null }],
    });
    const [server] = store.current.servers;
    expect(server?.offer.tools).toEqual([toolNamed('good')]);
    expect(server?.offer.resources).toEqual([{ uri: 'ok', name: 'ok' }]);
    expect(server?.setAside.map(({ code }) => code)).toEqual(Array(8).fill('tool.invalid_definition'));
    expect(server?.setAside[0]?.evidence).toEqual([
      { label: 'server', value: 'a' },
      { label: 'kind', value: 'tool' },
      { label: 'index', value: '1' },
      { label: 'reason', value: 'its "name" is not text' },
    ]);
    store.dispose();
  });

  it('keeps the names of a turned-off server apart, out of every list', async () => {
    const { clock, store, changes } = setUp();
    const arrange = (enabled: boolean) => store.setServers([{ key: 'a', enabled, disabledTools: none }]);
    arrange(true);
    store.setListing('a', offerOf({ tools: ['x'] }));
    await clock.advance(50);
    arrange(false);
    await clock.advance(50);
    expect(store.current).toMatchObject({ servers: [], off: [{ key: 'a', cached: true }] });
    arrange(true);
    await clock.advance(50);
    expect(store.current).toMatchObject({ servers: [{ key: 'a' }], off: [] });
    expect(kindsOf(changes)).toEqual([['tools'], ['tools'], ['tools']]);
    store.dispose();
  });

  it('starts with the last listings, and continues the revision', async () => {
    const stored = { ...catalogueOf({ ...serverOf('a', { tools: ['x'] }), cached: true }), revision: 41 };
    const { clock, store, changes, arrange } = setUp({ stored });
    arrange('a');
    expect(store.current).toMatchObject({ revision: 41, servers: [{ cached: true }] });
    store.setListing('a', offerOf({ tools: ['x'] }));
    await clock.advance(50);
    expect(store.current).toMatchObject({ revision: 41, servers: [{ cached: false }] });
    expect(kindsOf(changes)).toEqual([[]]);
    store.setListing('a', offerOf({ tools: ['x', 'y'] }));
    expect(store.current.revision).toBe(42);
    store.dispose();
  });

  it('marks the earlier listing of a disabled server as cached when it returns', () => {
    const { store, arrange } = setUp();
    arrange('a', 'b');
    store.setListing('a', offerOf({ tools: ['x'] }));
    arrange('b');
    expect(store.current.servers).toEqual([]);
    arrange('a', 'b');
    expect(store.current.servers).toMatchObject([{ key: 'a', cached: true }]);
    store.dispose();
  });

  it('is silent after its end', async () => {
    const { clock, store, changes, arrange } = setUp();
    arrange('a');
    store.setListing('a', offerOf({ tools: ['x'] }));
    store.dispose();
    await clock.advance(1000);
    expect(changes).toEqual([]);
    expect(clock.pending).toBe(0);
  });
});
