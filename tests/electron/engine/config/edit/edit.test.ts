// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { describe, expect, it } from 'vitest';
import {
  addServer,
  duplicateServer,
  enabledToolsOf,
  removeServer,
  renameServer,
  restoreServer,
  serverText,
  setServerEnabled,
  setServerText,
  setServerToolsEnabled,
  updateServer,
} from '../../../../../electron/engine/config/edit/edit.ts';

const commented = `// my servers
{
  // for work
  "mcpServers": {
    "db": {
      "command": "npx", // launcher
      "args": ["-y", "db-server"], // pinned later
      /* secret */
      "env": { "TOKEN": "\${TOKEN}" } // from the shell
      // "cwd": "/tmp"
    }, // production
    // the next one is slow
    "files": { "command": "node", "args": ["files.js"] },
    "last": {
      "command": "uvx",
      "custom": [1, 2]
    }
  },
  "other": { "kept": true, },
}
`;

/** Returns the lines of `after` that `before` does not have, and vice versa. */
function difference(before: string, after: string) {
  const [old, next] = [before.split('\n'), after.split('\n')];
  return {
    gone: old.filter((line) => !next.includes(line)),
    come: next.filter((line) => !old.includes(line)),
  };
}

describe('setServerEnabled', () => {
  it.each(['"enabled": false', '"isActive": "no"', '"Disabled": true'])(
    'turns on what another program turned off: %s',
    (member) => {
      const text = `{"mcpServers":{"a":{"command":"x", ${member}}}}`;
      expect(JSON.parse(setServerEnabled(text, 'a', true))).toEqual({ mcpServers: { a: { command: 'x' } } });
      expect(setServerEnabled(text, 'a', false)).toBe(text);
    },
  );

  it('[PB-CFG-1] turns off with one new line, after comments of the previous line', () => {
    const off = setServerEnabled(commented, 'db', false);
    expect(difference(commented, off)).toEqual({
      gone: ['      "env": { "TOKEN": "${TOKEN}" } // from the shell'],
      come: ['      "env": { "TOKEN": "${TOKEN}" }, // from the shell', '      "disabled": true'],
    });
    expect(setServerEnabled(off, 'db', true)).toBe(commented);
  });

  it.each(['db', 'files', 'last'])('[PB-CFG-1] off and on again leaves every byte of %s', (key) => {
    const off = setServerEnabled(commented, key, false);
    expect(off).not.toBe(commented);
    expect(setServerEnabled(off, key, true)).toBe(commented);
    const windows = commented.replaceAll('\n', '\r\n');
    const offWindows = setServerEnabled(windows, key, false);
    expect(offWindows).toBe(off.replaceAll('\n', '\r\n'));
    expect(setServerEnabled(offWindows, key, true)).toBe(windows);
  });

  it('keeps an inline entry inline', () => {
    expect(setServerEnabled(commented, 'files', false)).toContain(
      '"files": { "command": "node", "args": ["files.js"], "disabled": true },',
    );
  });

  it('changes a written "disabled": false in place and leaves it alone when it already says so', () => {
    const text = '{"mcpServers":{"a":{"disabled":false,"command":"x"}}}';
    expect(setServerEnabled(text, 'a', false)).toBe('{"mcpServers":{"a":{"disabled":true,"command":"x"}}}');
    expect(setServerEnabled(text, 'a', true)).toBe(text);
  });

  it('keeps a style with trailing commas', () => {
    const text = '{\n\t"mcpServers": {\n\t\t"a": {\n\t\t\t"command": "x",\n\t\t},\n\t},\n}';
    const off = setServerEnabled(text, 'a', false);
    expect(off).toBe(text.replace('"x",', '"x",\n\t\t\t"disabled": true,'));
    expect(setServerEnabled(off, 'a', true)).toBe(text);
  });
});

describe('entries of other programs', () => {
  const fileOf = (entry: object) => JSON.stringify({ mcpServers: { a: entry } });
  const entryIn = (body: string) => JSON.parse(body).mcpServers.a;

  it('[PB-CFG-1] are turned on although they were turned off elsewhere', () => {
    const options = { disabled: true, other: 1 };
    expect(entryIn(setServerEnabled(fileOf({ command: 'x', options }), 'a', true))).toEqual({
      command: 'x',
      options,
      disabled: false,
    });
    expect(entryIn(setServerEnabled(fileOf({ command: 'x', isDisabled: true }), 'a', true))).toEqual({
      command: 'x',
    });
  });

  it('[PB-CFG-1] get their lists of tools under patchbay when one is switched', () => {
    const body = fileOf({ command: 'x', includeTools: ['a', 'b'], exclude_tools: ['c'] });
    expect(entryIn(setServerToolsEnabled(body, 'a', ['b'], false))).toEqual({
      command: 'x',
      patchbay: { enabledTools: ['a'], disabledTools: ['c'] },
    });
    expect(setServerToolsEnabled(body, 'a', ['a'], true)).toBe(body);
    expect(['a', 'c', 'd'].map(enabledToolsOf(body, 'a'))).toEqual([true, false, false]);
  });
});

describe('updateServer', () => {
  it('[PB-CFG-1] changes only the text of the changed field', () => {
    const entry = { command: 'npx', args: ['-y', 'db-server@2'], env: { TOKEN: '${TOKEN}' } };
    expect(updateServer(commented, 'db', entry)).toBe(commented.replace('"db-server"', '"db-server@2"'));
  });

  it('does not care about the order of keys', () => {
    const entry = { env: { TOKEN: '${TOKEN}' }, args: ['-y', 'db-server'], command: 'npx' };
    expect(updateServer(commented, 'db', entry)).toBe(commented);
  });

  it('removes, inserts and appends items of lists without touching the others', () => {
    const text = '{"mcpServers": {"a": {"command": "x", "args": ["one", /* 2 */ "two", "three"]}}}';
    const args = (...list: string[]) => updateServer(text, 'a', { command: 'x', args: list });
    expect(args('two', 'three')).toContain('[/* 2 */ "two", "three"]');
    expect(args('one', 'two')).toContain('["one", /* 2 */ "two"]');
    expect(args('one', 'two', 'three', 'four')).toContain('["one", /* 2 */ "two", "three", "four"]');
    expect(args('zero', 'one', 'two', 'three')).toContain('["zero", "one", /* 2 */ "two", "three"]');
    expect(args()).toContain('"args": []');
  });

  it('keeps unknown keys only as the new entry has them', () => {
    const after = updateServer(commented, 'last', { command: 'uvx', custom: [1, 2], extra: { deep: {} } });
    expect(difference(commented, after).come).toEqual([
      '      "custom": [1, 2],',
      '      "extra": {',
      '        "deep": {}',
      '      }',
    ]);
  });
});

describe('addServer', () => {
  it('[PB-CFG-1] appends in the style of the file', () => {
    const after = addServer(commented, 'new', { command: 'npx', args: ['-y', 'x'] });
    expect(difference(commented, after).come).toEqual([
      '    },',
      '    "new": {',
      '      "command": "npx",',
      '      "args": ["-y", "x"]',
    ]);
    expect(removeServer(after, 'new')?.after).toBe(commented);
  });

  it.each([
    ['{\n  "mcpServers": {}\n}\n', '{\n  "mcpServers": {\n    "a": {\n      "command": "x"\n    }\n  }\n}\n'],
    ['{}', '{\n  "mcpServers": {\n    "a": {\n      "command": "x"\n    }\n  }\n}'],
    [
      '{\n  "mcpServers": {\n    // none yet\n  }\n}',
      '{\n  "mcpServers": {\n    // none yet\n    "a": {\n      "command": "x"\n    }\n  }\n}',
    ],
    ['{"mcpServers":{"z":{"command":"y"}}}', '{"mcpServers":{"z":{"command":"y"}, "a": { "command": "x" }}}'],
  ])('adds to %j', (text, after) => {
    expect(addServer(text, 'a', { command: 'x' })).toBe(after);
  });
});

describe('removeServer and restoreServer', () => {
  it.each(['db', 'files', 'last'])('[PB-CFG-1] undo of removing %s restores every byte', (key) => {
    const removed = removeServer(commented, key);
    expect(removed?.after).not.toContain(`"${key}"`);
    expect(removed && restoreServer(removed.after, removed)).toBe(commented);
  });

  it.each(['db', 'files', 'last'])('restores %s at its old place after other edits', (key) => {
    const removed = removeServer(commented, key);
    if (removed === undefined) throw new Error('nothing removed');
    const added = addServer(removed.after, 'new', { command: 'x' });
    const restored = restoreServer(added, removed);
    if (key !== 'last') expect(removeServer(restored, 'new')?.after).toBe(commented);
    expect(restored).toContain(removed.source);
  });

  it('takes the comment of its own line along and leaves those of others', () => {
    const after = removeServer(commented, 'db')?.after;
    expect(after).not.toContain('production');
    expect(after).toContain('// for work');
    expect(after).toContain('// the next one is slow');
  });

  it('restores to the end when no neighbour is left, and into a file that lost all servers', () => {
    const removed = removeServer(commented, 'files');
    if (removed === undefined) throw new Error('nothing removed');
    expect(restoreServer('{"mcpServers": {"z": {"command": "y"}}}', removed)).toContain('"y"}, "files"');
    expect(restoreServer('{}', removed)).toContain('"files"');
  });
});

describe('other edits', () => {
  it('renames in place', () => {
    expect(renameServer(commented, 'files', 'a "quoted" name')).toBe(
      commented.replace('"files"', '"a \\"quoted\\" name"'),
    );
  });

  it('duplicates right after the original, comments included', () => {
    const after = duplicateServer(commented, 'db', 'db-copy');
    expect(after.match(/pinned later/g)).toHaveLength(2);
    expect(after.indexOf('"db-copy"')).toBeLessThan(after.indexOf('"files"'));
    expect(removeServer(after, 'db-copy')?.after).toBe(commented);
  });

  it('shows an entry without the indentation of the file and puts it back to the byte', () => {
    const windows = commented.replaceAll('\n', '\r\n');
    const text = serverText(windows, 'db');
    expect(text.split('\n')[1]).toBe('  "command": "npx", // launcher');
    expect(setServerText(windows, 'db', text)).toBe(windows);
    expect(setServerText(windows, 'db', text.replace('npx', 'bunx'))).toBe(windows.replace('npx', 'bunx'));
  });

  it('switches tools off and on; the list leaves with its last name', () => {
    const off = setServerToolsEnabled(commented, 'db', ['drop', 'erase'], false);
    expect(off).toContain('"disabledTools": ["drop", "erase"]');
    const half = setServerToolsEnabled(off, 'db', ['drop'], true);
    expect(half).toContain('"disabledTools": ["erase"]');
    expect(setServerToolsEnabled(half, 'db', ['erase'], true)).toBe(commented);
  });

  it('edits the list of the only tools there are where an entry has one, and keeps it', () => {
    const text = (options: string) => `{"mcpServers":{"a":{"command":"x","patchbay":{${options}}}}}`;
    const one = text('"enabledTools":["t"]');
    const two = setServerToolsEnabled(one, 'a', ['u'], true);
    expect(JSON.parse(two).mcpServers.a.patchbay).toEqual({ enabledTools: ['t', 'u'] });
    expect(JSON.parse(setServerToolsEnabled(two, 'a', ['u'], false))).toEqual(JSON.parse(one));
    const none = setServerToolsEnabled(one, 'a', ['t'], false);
    expect(JSON.parse(none).mcpServers.a.patchbay).toEqual({ enabledTools: [] });
    const both = setServerToolsEnabled(text('"enabledTools":["t"],"disabledTools":["t"]'), 'a', ['t'], true);
    expect(JSON.parse(both).mcpServers.a.patchbay).toEqual({ enabledTools: ['t'] });
  });

  it('[PB-CFG-1] edits what is written in the way of another language', () => {
    for (const nothing of ['null', '[]']) {
      const added = addServer(`{"mcpServers": ${nothing}}`, 'a', { command: 'x' });
      expect(JSON.parse(added)).toEqual({ mcpServers: { a: { command: 'x' } } });
    }
    const off = '{"mcpServers":{"a":{"command":"x","disabled":"true"}}}';
    expect(setServerEnabled(off, 'a', false)).toBe(off);
    expect(JSON.parse(setServerEnabled(off, 'a', true))).toEqual({ mcpServers: { a: { command: 'x' } } });
  });

  it('keeps the other options of a server whose tools are all on', () => {
    const text = '{"mcpServers":{"a":{"command":"x","patchbay":{"restart":"never","disabledTools":["t"]}}}}';
    expect(setServerToolsEnabled(text, 'a', ['t'], true)).toBe(
      '{"mcpServers":{"a":{"command":"x","patchbay":{"restart":"never"}}}}',
    );
  });
});
