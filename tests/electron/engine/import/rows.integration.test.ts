// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ImportBench, importBench } from '../../../helper/importer.ts';
import { inputRows, textOfRow } from './rows.ts';

const paths = (issues: readonly { severity: string; path: string }[], severity: string) =>
  issues.filter((issue) => issue.severity === severity).map(({ path }) => path);

describe('an input met in the wild', () => {
  it.each(inputRows.map((row) => [row.row, row.what, row] as const))(
    '[PB-CLIENT-2] %i: %s',
    async (_number, _what, row) => {
      await using bench = await importBench();
      const preview = await bench.importer.parse(textOfRow(row));
      const found = preview.entries.find(({ writtenKey }) => writtenKey !== 'good');
      expect(paths(found?.issues ?? [], 'error')).toEqual(row.errors ?? []);
      expect(paths(found?.issues ?? [], 'warning')).toEqual(row.warnings ?? []);
      expect(found?.inputs).toEqual(row.inputs ?? []);
      const inputs = preview.inputs.map(({ id, secretName }) => ({ id, value: 'typed-once', secretName }));
      const result = await bench.addSuggested(preview, { inputs });
      expect(result.failed).toEqual([]);
      const key = row.key ?? 'x';
      expect(await bench.entry(key)).toEqual(row.entry);
      if (row.text === undefined) expect(await bench.entry('good')).toEqual({ command: 'good' });
      if (row.inputs !== undefined) expect(bench.vault.get('TOKEN')).toBe('typed-once');
    },
  );
});

describe('whatever becomes of such an input', () => {
  let bench: ImportBench;
  beforeAll(async () => {
    bench = await importBench();
  });
  afterAll(async () => {
    await bench[Symbol.asyncDispose]();
  });

  const servers = inputRows.flatMap(({ server }) => (server === undefined ? [] : [server]));
  /** A value put somewhere into an entry, over the existing one. */
  const mutation = fc.record({
    field: fc.constantFrom(
      'command',
      'args',
      'env',
      'url',
      'headers',
      'type',
      'transport',
      'timeout',
      'disabled',
      'name',
      'patchbay',
      'envFile',
      'env_keys',
      'http_headers',
      'uri',
    ),
    value: fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom<unknown>(
        '${input:a}',
        '${workspaceFolder}/x',
        '$${A}',
        '%PATH%',
        '${{ secrets.B }}',
        ['${file:/x}'],
        { A: '${command:b}' },
        [['a', '${input:b}']],
        { __proto__: 'x' },
      ),
    ),
  });

  it('[PB-CLIENT-2] nothing crashes and no other entry is lost', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...servers),
        fc.array(mutation, { minLength: 1, maxLength: 4 }),
        async (server, changes) => {
          const changed = {
            ...server,
            ...Object.fromEntries(changes.map(({ field, value }) => [field, value])),
          };
          const text = JSON.stringify({
            mcpServers: { before: { command: 'b' }, x: changed, good: { command: 'good' } },
          });
          const preview = await bench.importer.parse(text);
          const keys = preview.entries.map(({ writtenKey }) => writtenKey);
          expect(keys).toEqual(['before', 'x', 'good']);
          const good = preview.entries[2];
          expect(good).toMatchObject({ key: 'good', issues: [], suggested: true });
        },
      ),
      { numRuns: 300 },
    );
  });

  it('[PB-CLIENT-2] a text that was cut, doubled or garbled is reported, and never crashes', async () => {
    const texts = inputRows.map(textOfRow);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...texts),
        fc.nat(),
        fc.nat(),
        fc.constantFrom(
          '',
          '"',
          '}',
          '{',
          ',',
          '\\',
          '\n',
          '```\n',
          '\uFEFF',
          '[mcp_servers.x]\n',
          'extensions:\n  y:\n',
        ),
        async (text, at, length, put) => {
          const from = at % text.length;
          const changed = text.slice(0, from) + put + text.slice(from + (length % 8));
          const preview = await bench.importer.parse(changed);
          expect(preview.entries.length + preview.issues.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('[PB-CLIENT-2] what is added is what was previewed: a good entry is never refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...servers), mutation, async (server, { field, value }) => {
        const text = JSON.stringify({ mcpServers: { x: { ...server, [field]: value } } });
        const preview = await bench.importer.parse(text);
        const inputs = preview.inputs.map(({ id }) => ({ id, value: 'v' }));
        const result = await bench.addSuggested(preview, { inputs });
        expect(result.failed).toEqual([]);
        if (result.undoId !== undefined) await bench.importer.undo(result.undoId);
        expect(bench.config.state.servers).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});
