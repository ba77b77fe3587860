import { describe, expect, it } from 'vitest';
import { chooseProfile } from '../../../../electron/engine/catalogue/client-facts.ts';
import {
  chooseSelection,
  isSelected,
  type Selection,
  Selector,
} from '../../../../electron/engine/catalogue/profiles.ts';
import { readProfiles } from '../../../../electron/engine/catalogue/profiles-file.ts';
import { createView } from '../../../../electron/engine/catalogue/view/view.ts';
import { catalogueOf, serverOf } from '../../../helper/catalogue.ts';

const catalogue = catalogueOf(
  serverOf('a', { tools: ['read', 'write'], prompts: [{ name: 'p' }] }),
  serverOf('b', { tools: ['read', 'drop'] }),
  serverOf('c', { tools: ['x'] }),
);
const selection: Selection = {
  name: 'some',
  servers: new Map<string, Selection['servers'] extends ReadonlyMap<string, infer S> ? S : never>([
    ['a', 'all'],
    ['b', { except: new Set(['drop']) }],
    ['gone', 'all'],
  ]),
};

describe('a selection', () => {
  it('[AG-US7-AC1] [PB-NAMES-1] lists what it names and nothing else, under the same names', () => {
    const profile = chooseProfile({ programDefault: 'safe' });
    const names = (of: typeof catalogue) => createView(of, profile).tools.map(({ name }) => name);
    const selected = new Selector().select(catalogue, selection);
    expect(names(selected)).toEqual(['a__read', 'a__write', 'b__read']);
    expect(names(catalogue)).toEqual(expect.arrayContaining([...names(selected)]));
    expect(createView(selected, profile).prompts).toHaveLength(1);
  });

  it('is created once per catalogue, and keeps unchanged lists', () => {
    const selector = new Selector();
    const once = selector.select(catalogue, selection);
    expect(selector.select(catalogue, selection)).toBe(once);
    const next = { ...catalogue, revision: 2 };
    const again = selector.select(next, selection);
    expect(again.servers[1]?.offer.tools).toBe(once.servers[1]?.offer.tools);
  });

  it('[AG-US7-AC1] includes later tools only if it excludes some', () => {
    expect(isSelected('all', 'new')).toBe(true);
    expect(isSelected({ except: new Set(['drop']) }, 'new')).toBe(true);
    expect(isSelected({ only: new Set(['read']) }, 'new')).toBe(false);
  });
});

describe('the choice for a session', () => {
  const profiles = {
    byName: new Map([['some', selection]]),
    clients: new Map([
      ['cursor', 'some'],
      ['old', 'lost'],
    ]),
    compact: new Map(),
  };

  it('[PB-NAMES-1] is the requested profile, else the one assigned to the client, else everything', () => {
    expect(chooseSelection(profiles, 'some', [])).toMatchObject({ kind: 'selection' });
    expect(chooseSelection(profiles, undefined, ['entry', 'cursor'])).toMatchObject({ kind: 'selection' });
    expect(chooseSelection(profiles, undefined, ['other'])).toEqual({ kind: 'everything' });
  });

  it('[PB-NAMES-1] is never everything if the profile is unknown', () => {
    expect(chooseSelection(profiles, 'typo', ['cursor'])).toEqual({ kind: 'unknown', name: 'typo' });
    expect(chooseSelection(profiles, undefined, ['old'])).toEqual({ kind: 'unknown', name: 'lost' });
    expect(chooseSelection(undefined, undefined, ['cursor'])).toEqual({ kind: 'unreadable' });
  });
});

describe('what profiles.json holds', () => {
  it('[PB-CFG-1] is read as people write it', () => {
    const read = readProfiles({
      version: 1,
      profiles: {
        some: { servers: { a: true, b: { only: ['x'] }, c: { except: [] } } },
        none: { servers: {} },
      },
      clients: { cursor: 'some' },
      extra: 1,
    });
    expect(read).toMatchObject({ ok: true });
    expect(read.ok && [...read.profiles.byName.keys()]).toEqual(['some', 'none']);
    expect(readProfiles({ version: 1 })).toMatchObject({ ok: true });
  });

  it.each([
    [[], 'object'],
    [{ profiles: {} }, 'version'],
    [{ version: 2 }, 'newer'],
    [{ version: 1, profiles: { a: { servers: { b: false } } } }, 'profiles.a.servers.b'],
    [
      { version: 1, profiles: { a: { servers: { b: { only: ['x'], except: [] } } } } },
      'profiles.a.servers.b',
    ],
    [{ version: 1, profiles: { a: {} } }, 'profiles.a.servers'],
    [{ version: 1, clients: { c: 5 } }, 'clients.c'],
  ])('[PB-CFG-1] %j is refused, saying where', (value, place) => {
    expect(readProfiles(value)).toMatchObject({ ok: false, reason: expect.stringContaining(place) });
  });
});
