import { describe, expect, it } from 'vitest';
import { reasonOf, scopeText } from '../../../shared/model/access/access-text.ts';
import { serverTitles } from '../../../shared/model/server/server-title.ts';

/** Tests display names of servers. */
describe('server titles', () => {
  it('[PB-NAMES-1] are the display name, else the key', () => {
    expect(serverTitles([{ key: 'my-files', title: 'My Files' }, { key: 'git' }])).toEqual({
      'my-files': 'My Files',
      git: 'git',
    });
  });

  it('[PB-NAMES-1] tell two servers of one name apart by the key', () => {
    const servers = [
      { key: 'work', title: 'My Files' },
      { key: 'home', title: 'My Files' },
      { key: 'Git', title: undefined },
      { key: 'other', title: 'Git' },
    ];
    expect(serverTitles(servers)).toEqual({
      work: 'My Files (work)',
      home: 'My Files (home)',
      Git: 'Git',
      other: 'Git (other)',
    });
  });

  it('[PB-NAMES-1] are used in rules shown to users, and keys in those for clients', () => {
    const scope = { kind: 'tool', serverKey: 'my-files', tool: 'read' } as const;
    expect(scopeText(scope, () => 'My Files')).toBe('My Files:read');
    expect(scopeText(scope)).toBe('my-files:read');
    expect(reasonOf({ effect: 'ask', code: 'no_grant' }, () => 'My Files')).toBe('No rule allows this tool.');
  });
});
