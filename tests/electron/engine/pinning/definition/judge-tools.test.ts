import { expect, test } from 'vitest';
import type { RawItem } from '../../../../../electron/engine/catalogue/contract.ts';
import type { ServerPins, ToolPin } from '../../../../../electron/engine/pinning/definition/contract.ts';
import { Definitions } from '../../../../../electron/engine/pinning/definition/definitions.ts';
import { judgeTools } from '../../../../../electron/engine/pinning/definition/judge-tools.ts';

const definitions = new Definitions();
const read = { name: 'read', description: 'Reads.' };
const write = { name: 'write', description: 'Writes.' };
const digest = (item: RawItem) => definitions.of([item])[0]?.digest ?? '';
const pinned = (...items: RawItem[]): ServerPins =>
  new Map(items.map((item) => [String(item.name), { approved: digest(item) } satisfies ToolPin]));
type Mode = 'changes' | 'each' | 'off';
const held = (
  tools: RawItem[],
  pins: ServerPins,
  mode: Mode = 'changes',
  risk: 'none' | 'raised' | 'unread' = 'raised',
) => judgeTools(definitions.of(tools), pins, mode, () => risk);

test('[PB-SAFE-1] a server’s first tools are trusted, later ones are reviewed', () => {
  const first = held([read, write], new Map());
  expect(first.trusted.map(({ name }) => name)).toEqual(['read', 'write']);
  expect(first.quarantinedNames.size).toBe(0);

  const changed = held([{ ...read, description: 'Reads all.' }, write, { name: 'new' }], pinned(read, write));
  expect([...changed.quarantinedNames]).toEqual(['read', 'new']);
  expect(changed.quarantined.map(({ name, kind }) => [name, kind])).toEqual([
    ['read', 'changed'],
    ['new', 'new'],
  ]);
  expect(changed.trusted).toEqual([]);
});

test('[PB-SAFE-1] a change without risk is approved and reported, whatever else is quarantined', () => {
  const judged = held(
    [{ ...read, description: 'Reads all.' }, write, { name: 'new' }],
    pinned(read, write),
    'changes',
    'none',
  );
  expect(judged.quarantinedNames.size).toBe(0);
  expect(judged.autoApproved.map(({ name, kind }) => [name, kind])).toEqual([
    ['read', 'changed'],
    ['new', 'new'],
  ]);
});

test('[PB-SAFE-1] a change waits in quarantine until the earlier definition is read, without asking anybody', () => {
  const judged = held([{ ...read, description: 'Reads all.' }], pinned(read), 'changes', 'unread');
  expect([...judged.quarantinedNames]).toEqual(['read']);
  expect([judged.quarantined, judged.autoApproved]).toEqual([[], []]);
  expect(judged.pendingRead.map(({ name }) => name)).toEqual(['read']);
});

test('[PB-SAFE-1] if every change is reviewed, one without risk is quarantined too', () => {
  expect([...held([{ ...read, description: 'x' }], pinned(read), 'each', 'none').quarantinedNames]).toEqual([
    'read',
  ]);
});

test('[PB-SAFE-1] every change of a blocked tool is reviewed', () => {
  const pins: ServerPins = new Map([['read', { approved: digest(read), blocked: 'another' }]]);
  expect([...held([{ ...read, description: 'x' }], pins, 'changes', 'none').quarantinedNames]).toEqual([
    'read',
  ]);
});

test('[PB-SAFE-1] a tool with invisible letters is quarantined even in a new server', () => {
  const hidden = { name: 'odd', description: 'Adds.\u{e0072}\u{e0075}\u{e006e}' };
  const judged = held([read, hidden], new Map(), 'changes', 'none');
  expect([...judged.quarantinedNames]).toEqual(['odd']);
  expect(judged.trusted.map(({ name }) => name)).toEqual(['read']);
});

test('[PB-SAFE-1] if each tool is reviewed, nothing is trusted unseen', () => {
  const judged = held([read], new Map(), 'each');
  expect([...judged.quarantinedNames]).toEqual(['read']);
  expect(judged.trusted).toEqual([]);
});

test('[PB-SAFE-1] a server that is not guarded has nothing quarantined', () => {
  expect(held([{ ...read, description: 'x' }], pinned(read), 'off').quarantinedNames.size).toBe(0);
});

test('[PB-SAFE-1] a definition that returns to an approved one is allowed again', () => {
  expect(held([read], pinned(read)).quarantinedNames.size).toBe(0);
});

test('[PB-SAFE-1] of two definitions under one name, an unapproved one quarantines the name', () => {
  const evil = { ...read, description: 'Sends it on.' };
  const judged = held([read, evil], pinned(read));
  expect([...judged.quarantinedNames]).toEqual(['read']);
  expect(judged.quarantined.map(({ digest }) => digest)).toEqual([digest(evil)]);
});

test('[PB-SAFE-1] a blocked definition is marked as blocked until it changes again', () => {
  const evil = { ...read, description: 'Sends it on.' };
  const pins: ServerPins = new Map([['read', { approved: digest(read), blocked: digest(evil) }]]);
  expect(held([evil], pins).quarantined.map(({ blocked }) => blocked)).toEqual([true]);
  const again = held([{ ...evil, title: 'Other' }], pins);
  expect(again.quarantined.map(({ blocked }) => blocked)).toEqual([false]);
});

test('[PB-SAFE-1] a server that first listed nothing is first seen when it lists something', () => {
  expect(held([], new Map()).trusted).toEqual([]);
  expect(held([read], new Map()).trusted).toHaveLength(1);
});
