// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { describe, expect, it } from 'vitest';
import { displayOf } from '../../../../../electron/engine/config/entry/display.ts';
import { parseText } from '../../../../../electron/engine/config/jsonc/parse.ts';

const display = (entry: unknown) => {
  const { root } = parseText(JSON.stringify(entry));
  return root === undefined ? undefined : displayOf(root);
};

describe('displayOf', () => {
  it.each([
    [{ command: 'npx', args: ['-y', 'pkg', '/a b'] }, 'npx -y pkg "/a b"'],
    [{ command: 'C:\\Program Files\\x.exe', args: ['a"b c'] }, '"C:\\Program Files\\x.exe" "a\\"b c"'],
    [{ command: '$HOME/bin/x', args: ['${TOKEN}'] }, '$HOME/bin/x ${TOKEN}'],
    [{ command: 'x', args: ['--api-key', 'abc', '--verbose'] }, 'x --api-key ••• --verbose'],
    [{ command: 'x', args: ['--api-key', '${KEY}'] }, 'x --api-key ${KEY}'],
    [{ command: 'x', args: ['--token=abc', 'API_KEY=abc'] }, 'x --token=••• API_KEY=•••'],
    [{ command: 'x', args: ['--header', 'Authorization: Bearer abc'] }, 'x --header •••'],
    [{ command: 'x', args: ['postgres://ann:pw@db/x'] }, 'x postgres://•••@db/x'],
    [{ command: 'x', args: ['sk-abcdef'] }, 'x •••'],
    [{ url: 'https://x.dev/mcp?api_key=abc&v=${V}' }, 'https://x.dev/mcp?api_key=•••&v=${V}'],
    [{ url: 'https://ann:pw@x.dev/mcp' }, 'https://•••@x.dev/mcp'],
    [{}, ''],
    [{ command: 5, args: 'x' }, ''],
  ])('shows %j as %j', (entry, text) => {
    expect(display(entry)).toBe(text);
  });
});
