import { describe, expect, it } from 'vitest';
import { fieldSides } from '../../../../renderer/lib/entry/field-sides.ts';

describe('fields in two versions of a text', () => {
  it('shows plain texts unchanged, lists as JSON, and missing fields as undefined', () => {
    const mine = '{ "command": "npx", "args": ["a", "b c"] }';
    expect(fieldSides(['command', 'args', 'cwd'], mine, '{ "command": "bunx" }')).toEqual([
      { field: 'command', mine: 'npx', theirs: 'bunx', secret: false },
      { field: 'args', mine: '[ "a", "b c" ]', theirs: undefined, secret: false },
      { field: 'cwd', mine: undefined, theirs: undefined, secret: false },
    ]);
  });

  it('finds variables by names with dots, and recognises secret values', () => {
    const mine = `{ "env": { "a.b": "hush", "HOME": "\${HOME}" } }`;
    const theirs = `{ "env": { "a.b": "new", "HOME": "\${USER}" } }`;
    expect(fieldSides(['env.a.b', 'env.HOME', 'env.__proto__'], mine, theirs)).toEqual([
      { field: 'env.a.b', mine: 'hush', theirs: 'new', secret: true },
      { field: 'env.HOME', mine: `\${HOME}`, theirs: `\${USER}`, secret: false },
      { field: 'env.__proto__', mine: undefined, theirs: undefined, secret: false },
    ]);
  });

  it('shows comments as one field', () => {
    expect(fieldSides(['(comments)'], '{ /* one */ } // two', '{}')).toEqual([
      { field: '(comments)', mine: '/* one */\n// two', theirs: undefined, secret: false },
    ]);
  });
});
