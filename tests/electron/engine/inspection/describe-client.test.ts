import { expect, test } from 'vitest';
import { chooseProfile } from '../../../../electron/engine/catalogue/client-facts.ts';
import { createView } from '../../../../electron/engine/catalogue/view/view.ts';
import {
  type DescribedClient,
  describeClient,
  listDifference,
} from '../../../../electron/engine/inspection/describe-client.ts';
import type { ToolUse } from '../../../../electron/engine/inspection/tool-uses.ts';
import { catalogueOf, serverOf, toolNamed } from '../../../helper/catalogue.ts';

const catalogue = catalogueOf(serverOf('a', { tools: ['read', 'write', 'off', 'held'] }, ['off'], ['held']));

function client(name: string, changes: Partial<DescribedClient> = {}): DescribedClient {
  const profile = chooseProfile({ clientName: name, programDefault: 'safe' });
  const view = createView(catalogue, profile);
  return {
    id: 's1',
    name,
    connected: true,
    profile,
    catalogue,
    view,
    fullView: view,
    compact: undefined,
    direct: () => [],
    tools: view.tools,
    clientTools: view.tools,
    hasToolList: true,
    isStale: false,
    clientRevision: 1,
    ...changes,
  };
}

const use = (changes: Partial<ToolUse> = {}): ToolUse => ({
  day: 20_000,
  client: 'claude-ai',
  serverKey: 'a',
  name: 'read',
  calls: 2,
  ...changes,
});

test('[PB-NAMES-1] [AG-US7-AC1] names are those that the client sees, with its uses and what is withheld from it', () => {
  const detail = describeClient(client('claude-ai'), [use(), use({ day: 20_001 }), use({ client: 'other' })]);
  expect(detail.tools).toEqual([
    { serverKey: 'a', name: 'read', wireName: 'a__read', calls: 4 },
    { serverKey: 'a', name: 'write', wireName: 'a__write', calls: 0 },
  ]);
  expect(detail.withheld).toEqual({ disabled: 1, held: 1 });
  expect(detail).toMatchObject({ longestName: 64, list: 'current', countedSince: 20_000 * 86_400_000 });
  expect(detail.fixes).toEqual([]);
});

test('[PB-NAMES-1] changes since the client listed its tools use the names that it sees', () => {
  const { tools } = client('claude-ai');
  const before = [toolNamed('a__gone'), { ...toolNamed('a__read'), description: 'Other' }];
  expect(listDifference(before, tools)).toEqual({
    added: ['a__write'],
    removed: ['a__gone'],
    changed: ['a__read'],
  });
  const detail = describeClient(client('claude-ai', { clientTools: before, isStale: true }), []);
  expect(detail.list).toBe('outdated');
  expect(detail.difference?.added).toEqual(['a__write']);
});

test('[PB-NAMES-1] an outdated list of unknown content has no difference', () => {
  const detail = describeClient(client('cursor-vscode', { clientTools: undefined, isStale: true }), []);
  expect(detail.list).toBe('unknown');
  expect(detail.difference).toBeUndefined();
  expect(describeClient(client('x', { hasToolList: false }), []).list).toBe('none');
});

test('[PB-NAMES-1] [PB-SMART-1] the fix fits the client: notify, restart, or fewer tools', () => {
  const stale = { isStale: true };
  const kinds = (name: string, changes: Partial<DescribedClient> = {}) =>
    describeClient(client(name, changes), []).fixes.map(({ kind }) => kind);
  expect(kinds('cursor-vscode', stale)).toEqual(['notify']);
  expect(kinds('claude-ai', stale)).toEqual(['restart']);
  const many = Array.from({ length: 41 }, (_, index) => toolNamed(`a__t${index}`));
  expect(kinds('cursor-vscode', { tools: many })).toEqual(['fewer-tools', 'compact']);
  const compact = { by: 'client', settings: { direct: 0, pinned: [] } } as const;
  expect(kinds('cursor-vscode', { tools: many, compact })).toEqual(['fewer-tools']);
  expect(kinds('claude-ai', { ...stale, connected: false })).toEqual([]);
  const listOf = (count: number) => Array.from({ length: count }, (_, index) => toolNamed(`a__t${index}`));
  expect(kinds('claude-ai', { tools: listOf(59) })).toEqual([]);
  expect(kinds('claude-ai', { tools: listOf(100) })).toEqual(['compact']);
});

test('[EDGE-3] a resource listed under another address does not count as left out', () => {
  const resources = [{ uri: 'demo://x' }];
  const twice = catalogueOf(serverOf('a', { resources }), serverOf('b', { resources }));
  const view = createView(twice, chooseProfile({ clientName: 'claude-ai', programDefault: 'safe' }));
  expect(view.problems).toHaveLength(1);
  expect(describeClient(client('claude-ai', { catalogue: twice, view }), []).leftOut).toEqual([]);
});
