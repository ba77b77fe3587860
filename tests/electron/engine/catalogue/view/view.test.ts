import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseProfile } from '../../../../../electron/engine/catalogue/client-facts.ts';
import type { CatalogueServer, ClientProfile } from '../../../../../electron/engine/catalogue/contract.ts';
import type { NameMemo } from '../../../../../electron/engine/catalogue/view/named-list.ts';
import { createView } from '../../../../../electron/engine/catalogue/view/view.ts';
import { catalogueOf, offerOf, serverOf, toolNamed } from '../../../../helper/catalogue.ts';

const colon = chooseProfile({ programDefault: 'colon' });
const safe = chooseProfile({ programDefault: 'safe' });
const claude = chooseProfile({ programDefault: 'colon', clientName: 'claude-ai' });
const styled = (style: ClientProfile['style']): ClientProfile => ({ ...colon, style });

const view = (profile: ClientProfile, ...servers: CatalogueServer[]) =>
  createView(catalogueOf(...servers), profile);
const noFunctions = { findTool: 0, findPrompt: 0, findResource: 0, wireUri: 0 };
const names = (items: readonly { readonly [key: string]: unknown }[]) => items.map(({ name }) => name);

describe('lists', () => {
  it('[FR-004, FR-005] hold the tools of all servers as key:tool, in config order then in their own', () => {
    const seen = view(colon, serverOf('zeta', { tools: ['b', 'a'] }), serverOf('alpha', { tools: ['b'] }));
    expect(names(seen.tools)).toEqual(['zeta:b', 'zeta:a', 'alpha:b']);
    expect(seen.problems).toEqual([]);
  });

  it('[US2.3, US2.4] keep special characters of keys, and one program under two keys apart', () => {
    const tools = ['read'];
    const seen = view(colon, serverOf('fs home/1.0 ✓', { tools }), serverOf('fs-work_2', { tools }));
    expect(names(seen.tools)).toEqual(['fs home/1.0 ✓:read', 'fs-work_2:read']);
  });

  it('read the same when made with what an earlier view knew', () => {
    const offers = [['a', 'b'], ['b', 'c d'], []].map(
      (tools) => serverOf('', { tools, prompts: [{ name: 'p' }] }).offer,
    );
    const switches = [new Set<string>(), new Set(['b'])];
    const server = fc.record({ key: fc.constantFrom('x', 'y', 'z z'), offer: fc.nat(2), off: fc.nat(1) }).map(
      ({ key, offer, off }): CatalogueServer => ({
        ...serverOf(key),
        offer: offers[offer] ?? offerOf(),
        disabledTools: switches[off] ?? new Set(),
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.array(server, { maxLength: 4 }), { maxLength: 5 }), (steps) => {
        const memo: NameMemo = new WeakMap();
        for (const servers of steps) {
          const catalogue = { ...catalogueOf(...servers), off: servers.slice(0, 1) };
          const known = createView(catalogue, safe, memo);
          const fresh = createView(catalogue, safe);
          expect({ ...known, ...noFunctions }).toEqual({ ...fresh, ...noFunctions });
          for (const name of ['x__a', 'y:b', 'a', 'p', 'z z:c d', 'nothing'])
            expect(known.findTool(name)).toEqual(fresh.findTool(name));
        }
      }),
    );
  });

  it('[FR-008] change nothing of an item but its name, not even the order of its keys', () => {
    const tool = JSON.parse(
      '{"x-first":1,"name":"t","inputSchema":{"type":"object","$ref":"#/broken","__proto__":{"a":1}},"_meta":{"v/k":[null]},"title":"T"}',
    );
    const [sent] = view(safe, serverOf('s', { tools: [tool] })).tools;
    expect(JSON.stringify(sent)).toBe(JSON.stringify(tool).replace('"name":"t"', '"name":"s__t"'));
    expect(tool.name).toBe('t');
  });

  it('[PB-NAMES-1] hold for claude-ai only names that it accepts, whatever servers and tools are called', () => {
    const word = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 90 }),
      fc.constantFrom('a:b', 'a.b', 'a/b', 'a b', '🚀', 'x'.repeat(90), '__x', '1', '日本語'),
    );
    const server = fc.tuple(word, fc.uniqueArray(word, { maxLength: 6 }));
    fc.assert(
      fc.property(fc.uniqueArray(server, { selector: ([key]) => key, maxLength: 5 }), (servers) => {
        const seen = view(
          claude,
          ...servers.map(([key, tools]) => serverOf(key.replaceAll(':', '+'), { tools })),
        );
        for (const { name } of seen.tools) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        expect(new Set(names(seen.tools)).size).toBe(seen.tools.length);
      }),
    );
  });

  it('[PB-NAMES-1] reach every original tool by the name that was sent', () => {
    const odd = ['a:b', 'a.b', 'a/b', 'a b', '🚀', 'x'.repeat(90), `${'x'.repeat(90)}y`, 'plain'];
    const servers = ['k.1', 'Schlüssel 🔑', 'y'.repeat(90)].map((key) => serverOf(key, { tools: odd }));
    const seen = view(claude, ...servers);
    const reached = names(seen.tools).map((name) => {
      const lookup = seen.findTool(String(name));
      return lookup.kind === 'found' ? [lookup.target.serverKey, lookup.target.name] : lookup;
    });
    expect(reached).toEqual(servers.flatMap(({ key }) => odd.map((tool) => [key, tool])));
  });

  it('[PB-NAMES-1] give a tool the same name whatever else is listed, in whatever order', () => {
    const a = serverOf('a', { tools: ['x.y', 'z'] });
    const b = serverOf('a b', { tools: ['x.y', 'x_y'] });
    const ofA = names(view(safe, a).tools);
    expect(names(view(safe, a, b).tools).slice(0, 2)).toEqual(ofA);
    expect(names(view(safe, b, a).tools).slice(2)).toEqual(ofA);
  });

  it('[PB-NAMES-1] leave out what the client would reject and report it, so that no other tool is lost', () => {
    const seen = view({ ...claude, style: 'raw' }, serverOf('s', { tools: ['good', 'not good'] }));
    expect(names(seen.tools)).toEqual(['good']);
    expect(seen.problems).toMatchObject([{ code: 'tool.name_refused' }]);
    expect(seen.problems[0]?.sentence).toContain('s:not good');
    expect(seen.findTool('s:not good').kind).toBe('found');
  });

  it.each([
    ['dot', serverOf('a', { tools: ['b.c'] }), serverOf('a.b', { tools: ['c'] }), 'a.b.c', 'a:b.c', 'a.b:c'],
    ['raw', serverOf('a', { tools: ['c'] }), serverOf('b', { tools: ['c'] }), 'c', 'a:c', 'b:c'],
  ] as const)(
    '[EDGE-3] keep a name claimed twice (%s) for the earlier server, both reachable by canonical id, both named',
    (style, first, second, claimed, firstId, secondId) => {
      const seen = view(styled(style), first, second);
      expect(names(seen.tools)).toEqual([claimed]);
      expect(seen.findTool(claimed)).toMatchObject({ kind: 'found', target: { serverKey: first.key } });
      expect(seen.findTool(firstId)).toMatchObject({ kind: 'found', target: { serverKey: first.key } });
      expect(seen.findTool(secondId)).toMatchObject({ kind: 'found', target: { serverKey: second.key } });
      expect(seen.problems).toMatchObject([{ code: 'tool.name_clash' }]);
      expect(seen.problems[0]?.sentence).toContain(firstId);
      expect(seen.problems[0]?.sentence).toContain(secondId);
    },
  );

  it('list a tool once if its server lists it twice, and report it', () => {
    const seen = view(colon, serverOf('s', { tools: ['t', 't'] }));
    expect(names(seen.tools)).toEqual(['s:t']);
    expect(seen.problems).toMatchObject([{ code: 'tool.name_clash' }]);
    expect(seen.findTool('s.t').kind).toBe('found');
  });

  it('leave out tools that are turned off, which free their name for the next one', () => {
    const off = serverOf('a', { tools: ['x', 'y'] }, ['x']);
    const seen = view(styled('raw'), off, serverOf('b', { tools: ['x'] }));
    expect(names(seen.tools)).toEqual(['y', 'x']);
    expect(seen.findTool('x')).toMatchObject({ kind: 'found', target: { serverKey: 'b' } });
    expect(seen.findTool('a:x')).toMatchObject({ kind: 'disabled', target: { serverKey: 'a' } });
    expect(seen.problems).toEqual([]);
  });

  it('name prompts as they name tools, and apart from them', () => {
    const prompts = [{ name: 'x', arguments: [] }];
    const seen = view(safe, serverOf('a', { tools: ['x'], prompts }));
    expect(seen.prompts).toEqual([{ name: 'a__x', arguments: [] }]);
    expect(seen.findPrompt('a:x')).toMatchObject({ kind: 'found', target: { name: 'x' } });
    expect(seen.problems).toEqual([]);
  });

  it('[NFR-S2, SC-002] hold ten thousand tools', () => {
    const tools = Array.from({ length: 1000 }, (_, index) => `tool.${index}`);
    const servers = Array.from({ length: 10 }, (_, index) => serverOf(`server ${index}`, { tools }));
    const seen = view(claude, ...servers);
    expect(seen.tools).toHaveLength(10_000);
    expect(seen.findTool('server 7:tool.999')).toMatchObject({ kind: 'found' });
  });
});

describe('findTool', () => {
  const seen = view(
    safe,
    serverOf('my files', { tools: ['read.it', 'list'] }),
    serverOf('db', { tools: ['list'] }, ['list']),
  );

  it.each([
    ['canonical id', 'my files:read.it'],
    ['dotted name', 'my files.read.it'],
    ['wire name', String(seen.tools[0]?.name)],
    ['bare name', 'read.it'],
  ])('[FR-006] finds a tool by its %s', (_what, name) => {
    expect(seen.findTool(name)).toMatchObject({
      kind: 'found',
      target: { serverKey: 'my files', name: 'read.it', item: toolNamed('read.it') },
    });
  });

  it('[FR-006] finds a tool by the safe name that a client with another style or budget was told', () => {
    const long = serverOf('s', { tools: ['x'.repeat(60)] });
    const told = String(view(claude, long).tools[0]?.name);
    expect(told).toHaveLength(63);
    for (const profile of [colon, safe, styled('dot')]) {
      expect(view(profile, long).findTool(told)).toMatchObject({ kind: 'found' });
    }
  });

  it.each([
    ['a bare name that two servers have, one of them switched off', 'list'],
    ['a name that leads nowhere', 'db:nothing'],
    ['a key alone', 'db'],
    ['nothing', ''],
    ['a name of every object', 'constructor'],
  ])('guesses nothing for %s', (_what, name) => {
    expect(seen.findTool(name)).toEqual({ kind: 'unknown', name });
  });

  it('guesses nothing for a dotted name with two readings', () => {
    const two = view(colon, serverOf('a', { tools: ['b.c'] }), serverOf('a.b', { tools: ['c'] }));
    expect(two.findTool('a.b.c').kind).toBe('unknown');
  });

  it('distinguishes a turned-off tool from an unknown one', () => {
    expect(seen.findTool('db:list').kind).toBe('disabled');
    expect(seen.findTool('db__list').kind).toBe('disabled');
  });
});

describe('turned-off servers', () => {
  const catalogue = {
    ...catalogueOf(serverOf('on', { tools: ['x'] })),
    off: [serverOf('gone', { tools: ['x', 'y'] })],
  };
  const seen = createView(catalogue, safe);

  it('[AG-US6-AC5] are in no list, but each of their names says that its server is off', () => {
    expect(names(seen.tools)).toEqual(['on__x']);
    for (const name of ['gone__y', 'gone:y', 'gone.y', 'y']) {
      expect(seen.findTool(name)).toMatchObject({
        kind: 'server-off',
        target: { serverKey: 'gone', name: 'y' },
      });
    }
  });

  it('take no name from a server that is on', () => {
    expect(seen.findTool('x')).toMatchObject({ kind: 'found', target: { serverKey: 'on' } });
  });
});
