import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withEntry } from '../../../../electron/engine/clients/edit/entry-edit.ts';
import { hunksBetween, maskLine } from '../../../../electron/engine/clients/edit/hunks.ts';
import { json } from '../../../../electron/engine/clients/format/format-of.ts';
import { toml } from '../../../../electron/engine/clients/format/toml.ts';
import { yaml } from '../../../../electron/engine/clients/format/yaml.ts';

const place = { root: 'servers', key: 'patchbay' };
const entry = { command: '/data/bin/patchbay-bridge', args: ['--client', 'x'] };
const linesOf = (before: string, after: string, ours: string) =>
  hunksBetween(before, after, ours).flatMap(({ lines }) => lines.map(({ kind, text }) => `${kind} ${text}`));

describe('a difference as it is shown', () => {
  it('[PB-CLIENT-1] shows the names around the entry, and no values', () => {
    const before =
      '{\n  "servers": {\n    "other": {\n      "command": "x",\n      "env": { "A": "plain words" }\n    }\n  }\n}\n';
    const after = withEntry(json, before, place, entry);
    expect(linesOf(before, after, json.render(place, entry))).toEqual([
      'context     "other": {',
      'context       "command": •••,',
      'context       "env": •••',
      'add     },',
      'add     "patchbay": {',
      'add       "command": "/data/bin/patchbay-bridge",',
      'add       "args": ["--client", "x"]',
      'context     }',
      'context   }',
      'context }',
    ]);
  });

  it('[PB-CLIENT-1] of a file in one line shows our part of it', () => {
    const before = '{"servers":{"other":{"env":{"KEY":"sk-canary-1"}}}}';
    const after = withEntry(json, before, place, entry);
    const shown = JSON.stringify(hunksBetween(before, after, json.render(place, entry)));
    expect(shown).not.toContain('canary');
    expect(shown).toContain('patchbay-bridge');
  });

  it('[PB-CLIENT-1] of a file in one line that is empty yet shows where our part goes', () => {
    const before = '{"servers":{}}\n';
    const after = withEntry(json, before, place, entry);
    const shown = linesOf(before, after, json.render(place, entry));
    expect(shown[0]).toBe('remove {"servers":{}}');
    expect(shown.join('\n')).toContain('patchbay-bridge');
  });

  it.each([
    ['  "url": "https://x.example/?key=1",', '  "url": •••,'],
    ['    // "TOKEN": "abc"', '    •••'],
    ['key = """', 'key = •••'],
    ['half of a text of many lines', '•••'],
    ['[mcp_servers.other]', '[mcp_servers.other]'],
    ['  - item', '  •••'],
    ['"sk-3f9a8b7c6dABCDEF12": {', '•••'],
    ['    other:', '    other:'],
    ['  },', '  },'],
    ['{"mcpServers":{}}', '{"mcpServers":{}}'],
    [
      '{ "servers": {"other":{"env":{"KEY":"a \\"b\\": c"},"n":[1, true, "x"]}} }',
      '{ "servers": {"other":{"env":{"KEY":•••},"n":[•••, •••, •••]}} }',
    ],
    ['{"sk-3f9a8b7c6dABCDEF12":{"a":"b"}}', '{"•••":{"a":•••}}'],
    ['{"no":"end"', '•••'],
  ])('[PB-CLIENT-1] a line of another program: %s', (line, masked) => {
    expect(maskLine(line)).toBe(masked);
  });

  const secret = 'canary';
  const text = fc.stringMatching(/^[ -~]{0,10}$/).map((pad) => `${pad}${secret}${pad}`);
  const others = fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), text, { minKeys: 1, maxKeys: 5 });

  it.each([
    ['JSON', json],
    ['TOML', toml],
    ['YAML', yaml],
  ] as const)('[PB-CLIENT-1] never shows a value of others, in any %s', (_, format) => {
    fc.assert(
      fc.property(others, fc.boolean(), fc.boolean(), (env, isInside, hasOld) => {
        const theirs = { command: secret, args: [secret], env };
        const alone = isInside
          ? format.render({ root: 'servers', key: 'other' }, theirs)
          : format.render({ root: 'more', key: 'other' }, theirs);
        // An older entry of ours, to which somebody has added something.
        const old = {
          command: '/old/patchbay-bridge',
          env,
          note: secret,
          alwaysAllow: [secret],
          more: [{ ...env }],
        };
        const before = hasOld ? withEntry(format, alone, place, old) : alone;
        const after = withEntry(format, before, place, { ...entry, env: { OURS: '1' } });
        if (hasOld) expect(after).toContain(secret);
        const shown = JSON.stringify(hunksBetween(before, after, format.render(place, entry)));
        expect(shown).not.toContain(secret);
        expect(shown).toContain('patchbay-bridge');
      }),
      { numRuns: 60 },
    );
  });
});
