import { describe, expect, it } from 'vitest';
import { hitsOf, indexTools, toolRows } from '../../../../renderer/lib/tool/tool-rows.ts';
import { aTool } from '../../helper/sample-views.ts';

const index = indexTools([
  {
    serverKey: 'github',
    tools: [aTool('github', 'list_issues', { description: 'All OPEN ones' }), aTool('github', 'merge')],
  },
  { serverKey: 'files', tools: [aTool('files', 'read')] },
  { serverKey: 'quiet', tools: [] },
]);

const shown = (rows: ReturnType<typeof toolRows>) =>
  rows.map((row) => (row.kind === 'group' ? `# ${row.group.serverKey} ${row.hits.length}` : row.tool.name));

describe('the list of tools', () => {
  it('has a head per server that has tools', () => {
    expect(shown(toolRows(index, '', new Set()))).toEqual([
      '# github 2',
      'list_issues',
      'merge',
      '# files 1',
      'read',
    ]);
  });

  it('hides the tools of collapsed servers, except while searching', () => {
    expect(shown(toolRows(index, '', new Set(['github'])))).toEqual(['# github 2', '# files 1', 'read']);
    expect(shown(toolRows(index, 'merge', new Set(['github'])))).toEqual(['# github 1', 'merge']);
  });

  it('searches server, name and description at once', () => {
    expect(shown(toolRows(index, 'github open'))).toEqual(['list_issues']);
    expect(shown(toolRows(index, 'nothing like it'))).toEqual([]);
  });

  it('counts hits of collapsed servers too', () => {
    expect(hitsOf(toolRows(index, '', new Set(['github', 'files'])))).toHaveLength(3);
  });
});
