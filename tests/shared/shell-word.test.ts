import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { patchbayCommand, shellWord } from '../../shared/shell-word.ts';

describe('a word of a command line', () => {
  it.each([
    ['github', 'github'],
    ['@scope/one', '@scope/one'],
    ['my server', '"my server"'],
    ['', '""'],
    ['it’s (new)', '"it’s (new)"'],
    ['C:\\My files\\b.json', '"C:\\My files\\b.json"'],
    ['$HOME `id`', "'$HOME `id`'"],
    ["a'b$c", "'a'\\''b$c'"],
    ['a\u001bb', '"a\\u001bb"'],
  ])('is quoted only if a shell needs it: %s', (text, word) => {
    expect(shellWord(text)).toBe(word);
  });

  it.skipIf(process.platform === 'win32')('is the text again for a shell', () => {
    const texts = [
      'my server',
      '',
      '$HOME',
      '`id`',
      "a'b",
      'a"b',
      'a!b',
      'a\\b',
      'a\\\\b',
      'a\\',
      '; id',
      '*',
    ];
    for (const text of texts)
      expect(execFileSync('sh', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' })).toBe(text);
  });

  it('is quoted in a command within a sentence', () => {
    expect(patchbayCommand('enable', 'github')).toBe('"patchbay enable github"');
    expect(patchbayCommand('enable', 'my server')).toBe('`patchbay enable "my server"`');
  });
});
