import { expect, test } from 'vitest';
import { profileRows } from '../../../../renderer/feature/clients/profiles/profile-rows.ts';
import { indexTools } from '../../../../renderer/lib/tool/tool-rows.ts';

const tool = (serverKey: string, name: string) => ({ serverKey, name, enabled: true });
const groups = indexTools([
  { serverKey: 'git', tools: [tool('git', 'commit'), tool('git', 'merge')] },
  { serverKey: 'notes', tools: [tool('notes', 'add')] },
  { serverKey: 'empty', tools: [] },
]);
const lines = (...args: [readonly string[], ReadonlySet<string>]) =>
  profileRows(groups, ...args).map((row) => (row.kind === 'server' ? row.key : `- ${row.tool.name}`));

test('[AG-US7-AC3] every server has a row, even without known tools', () => {
  expect(lines([], new Set())).toEqual(['git', 'notes', 'empty']);
  expect(lines([], new Set(['git']))).toEqual(['git', '- commit', '- merge', 'notes', 'empty']);
});

test('[AG-US7-AC3] matching tools are shown below their server; a matching server with all its tools', () => {
  expect(lines(['merge'], new Set())).toEqual(['git', '- merge']);
  expect(lines(['notes'], new Set())).toEqual(['notes']);
  expect(profileRows(groups, ['notes'], new Set())[0]).toMatchObject({ hits: [{ name: 'add' }] });
});
