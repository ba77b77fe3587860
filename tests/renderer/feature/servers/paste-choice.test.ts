import { describe, expect, it } from 'vitest';
import {
  entryTarget,
  firstChoices,
  guardedEntry,
  keyError,
} from '../../../../renderer/feature/servers/add/paste-choice.ts';
import type { PastedEntry } from '../../../../shared/model/import.ts';

const pasted = (
  key: string,
  entry: Record<string, unknown>,
  issues: PastedEntry['issues'] = [],
): PastedEntry => ({
  key,
  entry,
  issues,
  exists: false,
});

describe('choosing among pasted servers', () => {
  it('ticks all that have no error, under free names', () => {
    const choices = firstChoices(
      [
        pasted('github', { command: 'npx' }),
        pasted('github', { command: 'npx' }),
        pasted('bad', {}, [{ severity: 'error', path: 'command', message: 'needed' }]),
        pasted('a:b', { command: 'y' }, [{ severity: 'error', path: '(key)', message: 'no colon' }]),
        pasted('odd', { command: 'x' }, [{ severity: 'warning', path: '', message: 'odd' }]),
      ],
      new Set(['github']),
    );
    expect(choices.map(({ key, chosen }) => [key, chosen])).toEqual([
      ['github-2', true],
      ['github-3', true],
      ['bad', false],
      ['a:b', true],
      ['odd', true],
    ]);
  });

  it.each([
    [{ command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory@1.0'] }, 'server-memory'],
    [{ command: 'uvx', args: ['mcp-server-git'] }, 'mcp-server-git'],
    [{ url: 'https://mcp.linear.app/mcp' }, 'mcp.linear.app'],
    [{ command: '/usr/local/bin/tool' }, 'tool'],
    [{}, 'server'],
  ])('names a server that came without a name: %o', (entry, key) => {
    expect(firstChoices([pasted('', entry)], new Set())[0]?.key).toBe(key);
  });

  it('finds what is wrong with a name', () => {
    const [first, second] = firstChoices([pasted('a', {}), pasted('b', {})], new Set());
    if (first === undefined || second === undefined) throw new Error('two choices expected');
    const existing = new Set(['taken']);
    const error = (key: string) => keyError({ ...first, key }, [{ ...first, key }, second], existing);
    expect(error('a')).toBeUndefined();
    expect(error('')).toBe('A name is needed.');
    expect(error('a:b')).toContain('":"');
    expect(error('taken')).toBe('This name is taken.');
    expect(error('b')).toBe('Two of these have this name.');
  });

  it('shows a server by its command line or its URL', () => {
    expect(entryTarget({ command: 'npx', args: ['-y', 'x'] })).toBe('npx -y x');
    expect(entryTarget({ url: 'https://x/mcp' })).toBe('https://x/mcp');
  });
});

describe('the decision about their tools', () => {
  it('[PB-SAFE-1] is written where it is not the usual one, and an entry keeps its own', () => {
    const entry = { command: 'npx', patchbay: { start: 'on-demand' } };
    expect(guardedEntry(entry, 'changes')).toEqual(entry);
    expect(guardedEntry(entry, 'each')).toEqual({
      command: 'npx',
      patchbay: { start: 'on-demand', guard: 'each' },
    });
    expect(guardedEntry({ url: 'https://x', patchbay: { guard: 'off' } }, 'each')).toMatchObject({
      patchbay: { guard: 'off' },
    });
  });
});
