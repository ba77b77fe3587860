import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  entriesIn,
  entryIn,
  equalExceptAt,
  withEntry,
  withoutEntry,
} from '../../../../electron/engine/clients/edit/entry-edit.ts';
import { spliceBetween, unsplice } from '../../../../electron/engine/clients/edit/splice.ts';
import { type ConfigFormat, FormatError } from '../../../../electron/engine/clients/format/contract.ts';
import { json } from '../../../../electron/engine/clients/format/format-of.ts';
import { toml } from '../../../../electron/engine/clients/format/toml.ts';
import { yaml } from '../../../../electron/engine/clients/format/yaml.ts';

const entry = { command: '/home/ada/.patchbay/bin/patchbay-bridge', args: ['--client', 'x'] };
const place = { root: 'servers', key: 'patchbay' };

/** Adds and removes the entry and checks the invariants; returns the text with the entry. */
function roundTrip(format: ConfigFormat, text: string): string {
  const after = withEntry(format, text, place, entry);
  expect(entryIn(format, after, place)).toEqual(entry);
  expect(equalExceptAt(format, text, after, [place])).toBe(true);
  expect(unsplice(after, spliceBetween(text, after))).toBe(text);
  const removed = withoutEntry(format, after, place, true);
  expect(entriesIn(format, removed, place)).toEqual(entriesIn(format, text, place));
  expect(equalExceptAt(format, text, removed, [place])).toBe(true);
  return after;
}

describe('an entry in JSON', () => {
  const texts: Readonly<Record<string, string>> = {
    empty: '',
    'an empty object': '{}',
    'an object of one line': '{"servers":{"a":{"command":"x"}},"theme":"dark"}',
    'no root yet': '{\n  "theme": "dark" // mine\n}\n',
    comments:
      '// top\n{\n\t"servers": {\n\t\t// about a\n\t\t"a": { "command": "x" }, // after a\n\t},\n\t"z": 1,\n}\n',
    'an empty root': '{\n    "servers": {}\n}',
    'line ends of Windows': '{\r\n  "servers": {\r\n    "a": {}\r\n  }\r\n}\r\n',
    'null as its root': '{"servers": null, "theme": "dark"}',
    'an empty list as its root': '{\n  "servers": [], // none\n}\n',
  };
  it.each(Object.entries(texts))('[PB-CLIENT-1] leaves all else to the byte: %s', (_, text) => {
    const after = roundTrip(json, text);
    const { removed, added } = spliceBetween(text, after);
    expect(removed.trim()).toMatch(/^(\{\}|\/\/ mine|null|\[\])?$/);
    expect(added).toContain('patchbay');
  });

  it.each([
    ['{"servers":', 'unfinished'],
    ['{"servers":{},"servers":{}}', 'the root twice'],
    ['[]', 'a list'],
    ['{"servers":[1]}', 'a list as its root'],
  ])('[PB-CLIENT-1] refuses %s (%s)', (text) => {
    expect(() => withEntry(json, text, place, entry)).toThrow(FormatError);
  });
});

describe('an entry in TOML', () => {
  const texts: Readonly<Record<string, string>> = {
    empty: '',
    comments:
      '# top\nmodel = "o3"  # why\n\n[servers.a]\ncommand = "x" # c\nargs = [ "a",\n  "b" ]\n\n[profiles.p]\nz=1\n',
    'no line end': '[x]\ny = 0xff',
    'dotted keys': 'servers.a.command = "x"\n',
    'line ends of Windows': 'a = """\r\n[servers.patchbay]\r\n"""\r\n[x]\r\n',
    dates: '[[projects]]\np = 1979-05-27T07:32:00Z\nn = 123456789012345678901\n',
  };
  it.each(Object.entries(texts))('[PB-CLIENT-1] leaves all else to the byte: %s', (_, text) => {
    const after = roundTrip(toml, text);
    expect(after.startsWith(text)).toBe(true);
    expect(withoutEntry(toml, after, place, true).trim()).toBe(text.trim());
  });

  it('[PB-CLIENT-1] is removed from the middle with its comments, and nothing else', () => {
    const after =
      '[servers.patchbay]\ncommand = "x"\n\n[servers.patchbay.env]\nA = "b"\n\n# about b\n[servers.b]\ncommand = "y"\n';
    expect(withoutEntry(toml, after, place, true)).toBe('\n# about b\n[servers.b]\ncommand = "y"\n');
  });

  it.each([['servers = { a = { command = "x" } }\n'], ['servers = 1\n'], ['[servers\n']])(
    '[PB-CLIENT-1] refuses a text that a separate table would break: %s',
    (text) => {
      expect(() => withEntry(toml, text, place, entry)).toThrow(FormatError);
    },
  );

  it('[PB-CLIENT-1] says that entries on one line are why it is refused', () => {
    const text = 'servers = { a = { command = "x" } }\n';
    expect(() => withEntry(toml, text, place, entry)).toThrow('its entries are on one line');
  });
});

describe('an entry in YAML', () => {
  const texts: Readonly<Record<string, string>> = {
    empty: '',
    'only a comment': '# mine\n',
    entries:
      'A: b\nservers:\n    # about a\n    a:\n        cmd: x # c\n    z: |+\n        text\n\n\nB: "c"\n',
    'no root yet': 'A: b\nlist:\n- 1',
    'an empty root': 'servers: # none\nB: 1\n',
    'an empty mapping': 'servers: {} # none\nB: 1\n',
    'an empty list': 'servers: [] # none\nB: 1\n',
    'a tilde': 'servers: ~\nB: 1\n',
    null: 'servers: null # none\nB: 1\n',
    'line ends of Windows': 'servers:\r\n  a:\r\n    cmd: x\r\n',
    'an end of its own': 'A: 1\n...\n',
  };
  it.each(Object.entries(texts))('[PB-CLIENT-1] leaves all else to the byte: %s', (_, text) => {
    roundTrip(yaml, text);
  });

  it.each([['servers: [1]\n'], ['servers: { a: 1 }\n'], ['a: b: c\n'], ['a: 1\n---\nb: 2\n'], ['- 1\n']])(
    '[PB-CLIENT-1] refuses a text that it would have to rewrite: %s',
    (text) => {
      expect(() => withEntry(yaml, text, place, entry)).toThrow(FormatError);
    },
  );
});

describe('our entry with members of others', () => {
  const old = { command: '/old/patchbay-bridge', args: ['--old'], env: { OURS: 'old' } };
  const next = { ...entry, env: { OURS: 'new' } };
  const theirs = { alwaysAllow: ['search', 'read'], disabled: true, timeout: 90, tools: { search: 'auto' } };
  const merged = { ...theirs, ...next, env: { OURS: 'new', THEIRS: 'kept' } };

  it.each([
    ['JSON', json],
    ['TOML', toml],
    ['YAML', yaml],
  ] as const)('[PB-CLIENT-1] keeps them when it is written again, in %s', (_, format) => {
    const others = format.render({ ...place, key: 'other' }, { command: 'x' });
    const before = withEntry(format, others, place, {
      ...theirs,
      ...old,
      env: { OURS: 'old', THEIRS: 'kept' },
    });
    const after = withEntry(format, before, place, next);
    const [found, wanted] = [
      entryIn(format, after, place),
      entryIn(format, format.render(place, merged), place),
    ];
    expect(found).toEqual(wanted);
    expect(equalExceptAt(format, before, after, [place])).toBe(true);
    expect(withEntry(format, after, place, next)).toBe(after);
  });

  it('[PB-CLIENT-1] changes nothing of them but what is ours, in JSON with comments', () => {
    const before =
      '{ "servers": {\n  "patchbay": {\n    "command": "/old", // ours\n    "args": ["--client", "x"],\n    "alwaysAllow": [ "a" ], // mine\n    "n": 12345678901234567890,\n  },\n} }\n';
    const after = withEntry(json, before, place, entry);
    expect(after).toBe(before.replace('"/old"', JSON.stringify(entry.command)));
  });

  it('[PB-CLIENT-1] leaves their dates and kinds of numbers, in TOML', () => {
    const members = ['since = 1979-05-27', 'limit = 10.0', 'big = 9007199254740993', 'whole = 10'];
    const before = `[servers.patchbay]\ncommand = "/old"\n${members.join('\n')}\n`;
    const after = withEntry(toml, before, place, entry);
    for (const member of members) expect(after).toMatch(new RegExp(`^${member}`, 'm'));
  });

  it('[PB-CLIENT-1] leaves their comments, tags and long texts, in YAML', () => {
    const members = ['key: !env NAME', 'note: | # why', '  first', '  second', 'list: [ a, b ] # mine'];
    const lines = members.map((member) => `    ${member}\n`).join('');
    const before = `servers:\n  patchbay:\n    command: /old\n${lines}`;
    const after = withEntry(yaml, before, place, entry);
    expect(after).toContain(lines);
  });

  it('[PB-CLIENT-1] is refused where they refer to another place, in YAML', () => {
    const before = 'shared: &a { X: y }\nservers:\n  patchbay:\n    command: /old\n    env: *a\n';
    expect(() => withEntry(yaml, before, place, entry)).toThrow(FormatError);
  });
});

describe('an edit that goes wrong', () => {
  const text = '{"servers":{"other":{"command":"x"}},"theme":"dark"}';
  it.each<[string, Partial<ConfigFormat>]>([
    ['loses another entry', { put: () => '{"servers":{"patchbay":{"command":"y"}},"theme":"dark"}' }],
    ['loses a setting', { put: (before, at, added) => json.put(before, at, added).replace('"dark"', '""') }],
    ['writes another entry than ours', { put: (before, at) => json.put(before, at, { command: 'z' }) }],
    ['leaves no JSON', { put: () => '{' }],
  ])('[PB-CLIENT-1] is not used: it %s', (_, wrong) => {
    expect(() => withEntry({ ...json, ...wrong }, text, place, entry)).toThrow(FormatError);
  });

  it('[PB-CLIENT-1] is not used: it removes more than the entry', () => {
    const wrong = { ...json, remove: () => '{"theme":"dark"}' };
    const connected = withEntry(json, text, place, entry);
    expect(() => withoutEntry(wrong, connected, place, true)).toThrow(FormatError);
  });
});

/** Documents with entries, other settings and comments, in each language. */
const name = fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/).filter((key) => key !== 'patchbay');
const word = fc.stringMatching(/^[ -~éß“]{0,12}$/);
const value = fc.record({ command: word, args: fc.array(word, { maxLength: 3 }), n: fc.integer() });
const model = fc.record({
  entries: fc.dictionary(name, value, { maxKeys: 4 }),
  others: fc.dictionary(
    name.filter((key) => key !== 'servers'),
    word,
    { maxKeys: 3 },
  ),
  hasRoot: fc.boolean(),
  comment: fc.stringMatching(/^[a-z{}[\]:="' ]{0,10}$/),
  eol: fc.constantFrom('\n', '\r\n'),
  indent: fc.constantFrom('  ', '    '),
});
type Model = typeof model extends fc.Arbitrary<infer T> ? T : never;

const writers: Readonly<Record<string, readonly [ConfigFormat, (model: Model) => string]>> = {
  json: [json, jsonText],
  toml: [toml, tomlText],
  yaml: [yaml, yamlText],
};

function jsonText({ entries, others, hasRoot, comment, indent }: Model): string {
  const roots = { ...others, ...(hasRoot ? { servers: entries } : {}) };
  const lines = JSON.stringify(roots, undefined, indent).split('\n');
  return lines.map((line, index) => (index % 3 === 1 ? `${line} // ${comment}` : line)).join('\n');
}

function tomlText({ entries, others, hasRoot, comment }: Model): string {
  const top = Object.entries(others).map(([key, text]) => `"${key}" = ${JSON.stringify(text)} # ${comment}`);
  const tables = Object.entries(hasRoot ? entries : {}).map(
    ([key, { command, args, n }]) =>
      `\n# ${comment}\n[servers.${key}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\nn = ${n}\n`,
  );
  return `${top.join('\n')}\n${tables.join('')}`;
}

function yamlText({ entries, others, hasRoot, comment, indent }: Model): string {
  const top = Object.entries(others).map(([key, text]) => `"${key}": ${JSON.stringify(text)} # ${comment}\n`);
  const own = Object.entries(entries).map(
    ([key, { command, n }]) =>
      `${indent}"${key}":\n${indent}${indent}command: ${JSON.stringify(command)}\n${indent}# ${comment}\n${indent}${indent}n: ${n}\n`,
  );
  return `${top.join('')}${hasRoot ? `servers: # ${comment}\n${own.join('')}` : ''}# ${comment}\n`;
}

describe.each(Object.entries(writers))('any document in %s', (_, [format, write]) => {
  it('[PB-CLIENT-1] is unchanged after adding and removing the entry, and no sibling is ever lost', () => {
    fc.assert(
      fc.property(model, (document) => {
        const text = write(document).replaceAll('\n', document.eol);
        roundTrip(format, text);
      }),
      { numRuns: 150 },
    );
  });

  it('[PB-CLIENT-1] keeps what another program changed meanwhile', () => {
    fc.assert(
      fc.property(model, (document) => {
        const text = write({ ...document, hasRoot: true });
        const after = withEntry(format, text, place, entry);
        const theirs = withEntry(format, after, { root: 'servers', key: 'theirs-2' }, { command: 'new' });
        const left = withoutEntry(format, theirs, place, false);
        expect(entriesIn(format, left, place)).toEqual({
          ...entriesIn(format, text, place),
          'theirs-2': { command: 'new' },
        });
      }),
      { numRuns: 60 },
    );
  });
});
