import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { commented, keys, open } from './store-bench.ts';

const refusal = (outcome: Promise<unknown>) =>
  outcome.then(
    () => undefined,
    (error: { problem?: unknown }) => error.problem,
  );

describe('saving an entry after a long edit', () => {
  it('[PB-CFG-2] keeps what was changed by hand meanwhile, to the byte and with its comments', async () => {
    await using bench = await open(commented);
    const { text: base } = await bench.store.entry('a');
    const byHand = commented
      .replace('"server"]', '"server",   "by-hand"]')
      .replace('"npx", // launcher', '"npx", // launcher\n      /* off for now */ "disabled": true,');
    await writeFile(bench.file, byHand);
    const text = base.replace('"kept": true', '"kept": false');
    const saved = await bench.store.saveText({ key: 'a', text, base });
    expect(await bench.text()).toBe(byHand.replace('"kept": true', '"kept": false'));
    expect(saved).toEqual({ text: (await bench.store.entry('a')).text });
    expect(bench.store.state.servers[0]?.enabled).toBe(false);
  });

  it('[PB-CFG-2] keeps a switch that was changed in the window meanwhile', async () => {
    await using bench = await open(commented);
    const { text: base } = await bench.store.entry('b');
    await bench.store.setEnabled(['b'], false);
    await bench.store.saveText({ key: 'b', text: base.replace('x.dev', 'y.dev'), base });
    expect((await bench.store.entry('b')).entry).toMatchObject({
      url: 'https://y.dev/mcp',
      disabled: true,
    });
  });

  it('[PB-CFG-2] refuses a field changed on both sides by name, without its value, until it is decided', async () => {
    await using bench = await open(commented);
    const { text: base } = await bench.store.entry('b');
    await writeFile(bench.file, commented.replace('x.dev', 'hand.dev').replace('Bearer', 'Basic'));
    const text = base.replace('x.dev', 'mine.dev');
    const problem = await refusal(bench.store.saveText({ key: 'b', text, base }));
    expect(problem).toMatchObject({
      code: 'config.changed_meanwhile',
      evidence: [{ label: 'url', value: 'changed on both sides' }],
    });
    expect(JSON.stringify(problem)).not.toContain('dev');
    expect(await bench.text()).toContain('hand.dev');
    const { text: seen } = await bench.store.entry('b');
    await bench.store.saveText({ key: 'b', text, base, resolve: { keep: 'mine', seen } });
    expect(await bench.text()).toBe(commented.replace('x.dev', 'mine.dev').replace('Bearer', 'Basic'));
  });

  it('renames and saves in one step, or does neither', async () => {
    await using bench = await open(commented);
    const { text: base } = await bench.store.entry('a');
    const text = base.replace('npx', 'bunx');
    expect(await refusal(bench.store.saveText({ key: 'a', newKey: 'b', text, base }))).toMatchObject({
      code: 'config.duplicate_key',
    });
    expect(await bench.text()).toBe(commented);
    await bench.store.saveText({ key: 'a', newKey: 'first', text, base });
    expect(await bench.text()).toBe(commented.replace('"a":', '"first":').replace('npx', 'bunx'));
  });

  it('refuses an entry that was removed meanwhile, and adds it again with its comments when asked to', async () => {
    await using bench = await open(commented);
    const { text } = await bench.store.entry('a');
    await bench.store.remove('a');
    expect(await refusal(bench.store.saveText({ key: 'a', text, base: text }))).toMatchObject({
      code: 'config.unknown_server',
    });
    expect(await bench.store.saveText({ key: 'a', text })).toEqual({ text });
    expect(keys(bench.store.state)).toEqual(['b', 'a']);
    expect(await bench.text()).toContain('"npx", // launcher');
    expect(await refusal(bench.store.saveText({ key: 'a', text }))).toMatchObject({
      code: 'config.duplicate_key',
    });
  });
});
