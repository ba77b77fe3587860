import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  idleStopOf,
  type OptionsDraft,
  optionDefaults,
  readOptions,
  writeOption,
} from '../../../../renderer/lib/entry/entry-options.ts';
import { readEntry } from '../../../../renderer/lib/entry/entry-text.ts';
import { unknownTools } from '../../../../renderer/lib/entry/fallback-tools.ts';
import { serverEntrySchema } from '../../../../shared/schema/server-entry.ts';

const plain = '{\n  "command": "x"\n}';

const written = `{
  "command": "x",
  "patchbay": {
    // rests at night
    "start": "on-demand",
    "disabledTools": ["rm"],
    "fallback": { "search": ["brave:search"] }
  }
}`;

describe('the options of an entry', () => {
  it('[PB-DEMAND-1] [PB-ISO-1] reads the options present, and defaults for the others', () => {
    expect(readOptions(plain)).toEqual({
      restart: 'always',
      start: 'auto',
      isolation: 'shared',
      protocol: 'auto',
      maxInstances: undefined,
      idleStop: undefined,
      healthCheckUrl: '',
      healthInterval: undefined,
      healthTimeout: undefined,
      concurrency: undefined,
      fallback: [],
      guard: 'changes',
      title: '',
    });
    expect(readOptions(written)).toMatchObject({
      start: 'on-demand',
      fallback: [{ tool: 'search', others: ['brave:search'] }],
    });
    expect(
      readOptions('{ "patchbay": { "idleStop": false, "isolation": "odd", "concurrency": "3" } }'),
    ).toMatchObject({ idleStop: false, isolation: 'shared', concurrency: undefined });
  });

  it('[PB-CFG-1] changes one and keeps the comments and options of others', () => {
    const changed = writeOption(written, 'isolation', 'per-client');
    expect(changed).toContain('// rests at night');
    expect(readEntry(changed)?.patchbay).toEqual({
      start: 'on-demand',
      disabledTools: ['rm'],
      fallback: { search: ['brave:search'] },
      isolation: 'per-client',
    });
  });

  it('does not write default values', () => {
    const changed = writeOption(plain, 'start', 'on-demand');
    expect(readEntry(changed)).toEqual({ command: 'x', patchbay: { start: 'on-demand' } });
    expect(readEntry(writeOption(changed, 'start', 'auto'))).toEqual({ command: 'x' });
    expect(writeOption(plain, 'healthInterval', undefined)).toBe(plain);
  });

  it('replaces a malformed value in place of the options', () => {
    expect(readEntry(writeOption('{ "patchbay": 3 }', 'concurrency', 2))).toEqual({
      patchbay: { concurrency: 2 },
    });
  });

  it('[PB-DEMAND-1] computes when a server goes to sleep', () => {
    const idle = (part: Partial<OptionsDraft>) => idleStopOf({ ...readOptions(plain), ...part });
    expect(idle({})).toBeUndefined();
    expect(idle({ start: 'on-demand' })).toBe(optionDefaults.idleStop);
    expect(idle({ start: 'on-demand', idleStop: false })).toBeUndefined();
    expect(idle({ idleStop: 60_000 })).toBe(60_000);
  });

  it('writes only what the schema accepts, and reads it back', () => {
    const options = fc.record({
      start: fc.constantFrom('auto' as const, 'on-demand' as const),
      isolation: fc.constantFrom('shared' as const, 'per-client' as const),
      protocol: fc.constantFrom('auto' as const, 'legacy' as const, 'modern' as const),
      idleStop: fc.constantFrom(false as const, undefined, 1, 600_000),
      maxInstances: fc.constantFrom(undefined, 3),
      concurrency: fc.constantFrom(undefined, 1, 40),
      fallback: fc.constantFrom([], [{ tool: 'a', others: ['b:c', 'd:e'] }]),
    });
    fc.assert(
      fc.property(options, (wanted) => {
        const text = (Object.keys(wanted) as (keyof typeof wanted)[]).reduce(
          (current, name) => writeOption(current, name, wanted[name]),
          plain,
        );
        expect(readOptions(text)).toMatchObject(wanted);
        expect(serverEntrySchema.safeParse(readEntry(text)).success).toBe(true);
      }),
    );
  });
});

it('finds canonical ids that match no tool', () => {
  expect(unknownTools(['a:x', 'b:y', 'search'], ['a:x', 'a:z'])).toEqual(['b:y', 'search']);
});
