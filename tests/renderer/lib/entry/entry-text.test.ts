// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references as they stand in config files
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isReference,
  pathRange,
  readDraft,
  readEntry,
  secretRanges,
  switchKind,
  writeField,
} from '../../../../renderer/lib/entry/entry-text.ts';

const written = `{
  // why this one
  "command": "npx",
  "args": ["-y", "server"], // two
  "unknown": { "kept": true },
  "env": {
    "TOKEN": "secret", // from the vault
    "HOME_DIR": "\${HOME}"
  }
}`;

describe('an entry as text and as form', () => {
  it('reads what the form shows', () => {
    expect(readDraft(written)).toEqual({
      kind: 'stdio',
      command: 'npx',
      args: ['-y', 'server'],
      env: [
        { name: 'TOKEN', value: 'secret' },
        { name: 'HOME_DIR', value: '${HOME}' },
      ],
      cwd: '',
      url: '',
      headers: [],
    });
    expect(readDraft('{ "url": "https://x/mcp" }')?.kind).toBe('remote');
    expect(readDraft('{ broken')).toBeUndefined();
    expect(readDraft('[]')).toBeUndefined();
  });

  it.each([
    ['["TOKEN=secret", "HOME_DIR=${HOME}"]', ['TOKEN=secret', 'HOME_DIR=${HOME}']],
    [
      '[{ "name": "TOKEN", "value": "secret" }, { "key": "HOME_DIR", "value": "${HOME}" }]',
      ['TOKEN', 'secret', 'HOME_DIR'],
    ],
    ['"TOKEN=secret\\nHOME_DIR=${HOME}"', ['TOKEN=secret\\nHOME_DIR=${HOME}']],
  ])('[PB-CFG-1] shows and changes variables written as %s, and hides their values', (list, hidden) => {
    const text = `{ "command": "npx", "env": ${list} }`;
    const pairs = [
      { name: 'TOKEN', value: 'secret' },
      { name: 'HOME_DIR', value: '${HOME}' },
    ];
    expect(readDraft(text)?.env).toEqual(pairs);
    expect(secretRanges(text).map(({ from, to }) => text.slice(from, to))).toEqual(hidden);
    const changed = writeField(text, 'env', [...pairs, { name: 'MORE', value: '1' }]);
    expect(readEntry(changed)?.env).toEqual({ TOKEN: 'secret', HOME_DIR: '${HOME}', MORE: '1' });
  });

  it('[PB-CFG-1] changes one field and keeps comments, order and unknown keys', () => {
    expect(writeField(written, 'command', 'bunx')).toBe(written.replace('"npx"', '"bunx"'));
    const env = [
      { name: 'TOKEN', value: 'other' },
      { name: 'HOME_DIR', value: '${HOME}' },
    ];
    expect(writeField(written, 'env', env)).toBe(written.replace('"secret"', '"other"'));
  });

  it('adds and removes environment variables beside the comments of others', () => {
    const added = writeField(written, 'env', [
      ...(readDraft(written)?.env ?? []),
      { name: 'NEW', value: '1' },
    ]);
    expect(added).toContain('// from the vault');
    expect(readDraft(added)?.env.at(-1)).toEqual({ name: 'NEW', value: '1' });
    const removed = writeField(added, 'env', [{ name: 'TOKEN', value: 'secret' }]);
    expect(readDraft(removed)?.env).toEqual([{ name: 'TOKEN', value: 'secret' }]);
    expect(removed).toContain('// from the vault');
  });

  it('keeps the order when a variable is renamed', () => {
    const env = [
      { name: 'RENAMED', value: 'secret' },
      { name: 'HOME_DIR', value: '${HOME}' },
    ];
    expect(readDraft(writeField(written, 'env', env))?.env).toEqual(env);
  });

  it('leaves empty optional fields out of the file', () => {
    const text = writeField(writeField('{\n  "command": "x",\n  "cwd": "/a"\n}', 'cwd', ''), 'args', []);
    expect(readEntry(text)).toEqual({ command: 'x' });
  });

  it('changes its kind without leaving fields of the other kind', () => {
    const remote = switchKind(written, 'remote');
    expect(readEntry(remote)).toEqual({ unknown: { kept: true }, url: '' });
    expect(readDraft(switchKind(remote, 'stdio'))?.kind).toBe('stdio');
  });

  it('reads back every value that is written into it', () => {
    const pair = fc.record({ name: fc.stringMatching(/^[A-Z_]{1,8}$/), value: fc.string() });
    fc.assert(
      fc.property(
        fc.string(),
        fc.array(fc.string()),
        fc.uniqueArray(pair, { selector: (one) => one.name }),
        (command, args, env) => {
          const text = writeField(
            writeField(writeField(written, 'command', command), 'args', args),
            'env',
            env,
          );
          expect(readDraft(text)).toMatchObject({ command, args, env });
          expect(readEntry(text)?.unknown).toEqual({ kept: true });
        },
      ),
    );
  });

  it('finds the range of a path, or of its nearest existing parent', () => {
    const at = (path: string) => {
      const { from, to } = pathRange(written, path);
      return written.slice(from, to);
    };
    expect(at('env.TOKEN')).toBe('"TOKEN": "secret"');
    expect(at('args[1]')).toBe('"server"');
    expect(at('args.0')).toBe('"-y"');
    expect(at('url')).toBe('{');
    const dotted = '{ "env": { "a.b": "1" } }';
    expect(dotted.slice(pathRange(dotted, 'env.a.b').from)).toMatch(/^"a\.b"/);
  });

  it('hides values that may be secret and shows references to variables', () => {
    expect(secretRanges(written).map(({ from, to }) => written.slice(from, to))).toEqual(['secret']);
    expect(isReference('Bearer ${TOKEN}')).toBe(true);
    expect(isReference('$TOKEN')).toBe(true);
    expect(isReference('sk-${X}-live')).toBe(false);
  });
});
