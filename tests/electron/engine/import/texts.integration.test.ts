import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseJson } from '../../../../shared/json.ts';
import { type ImportBench, importBench } from '../../../helper/importer.ts';
import { commandRows } from './texts/commands.ts';
import { configRows } from './texts/configs.ts';
import { fileRows } from './texts/files.ts';
import { linkRows } from './texts/links.ts';
import { programRows } from './texts/programs.ts';
import { readmeRows } from './texts/readmes.ts';
import type { TextRow } from './texts/row.ts';
import { shellRows } from './texts/shells.ts';
import { valueRows } from './texts/values.ts';

let bench: ImportBench;
beforeAll(async () => {
  bench = await importBench();
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
});

const rows = (list: readonly TextRow[]) => list.map((one) => [one.what, one] as const);

async function check({ text, servers = {}, asks = [], none, says, waits }: TextRow) {
  const preview = await bench.importer.parse(text);
  const inputs = preview.inputs.map(({ id, kind, secretName }) => ({
    id,
    value: kind === 'number' ? '8080' : 'typed',
    secretName,
  }));
  const result = await bench.addSuggested(preview, { inputs });
  const added = await Promise.all(result.added.map(async (key) => [key, await bench.entry(key)]));
  const remarks = [...preview.issues, ...preview.entries.flatMap(({ issues }) => issues)];
  if (result.undoId !== undefined) await bench.importer.undo(result.undoId);
  preview.inputs.map(({ secretName }) => secretName !== undefined && bench.vault.delete(secretName));
  expect(Object.fromEntries(added)).toEqual(servers);
  expect(result.failed).toEqual([]);
  expect(preview.inputs.map(({ title }) => title)).toEqual(asks);
  if (none !== undefined) expect(preview.issues[0]?.message).toContain(none);
  const missing = remarks.flatMap(
    ({ message }) => /^Missing environment variable: (.*)/.exec(message)?.[1] ?? [],
  );
  if (waits !== undefined) expect(missing).toEqual(waits);
  if (says !== undefined) expect(remarks.map(({ message }) => message).join('\n')).toContain(says);
}

describe('a link', () => {
  it.each(rows(linkRows))('[PB-CLIENT-2] is read: %s', (_, one) => check(one));
});

describe('what is typed', () => {
  it.each(rows(commandRows))('[PB-CLIENT-2] is read: %s', (_, one) => check(one));
});

describe('a config', () => {
  it.each(rows(configRows))('[PB-CLIENT-2] is read: %s', (_, one) => check(one));
});

describe('a file of a program, or its code', () => {
  it.each(rows(programRows))('[PB-CLIENT-2] is read: %s', (_, one) => check(one));
});

describe('a file of a program', () => {
  it.each(rows(fileRows))('[PB-CLIENT-2] is read: %s', (_, one) => check(one));
});

describe('instructions', () => {
  it.each(rows(readmeRows))('[PB-CLIENT-2] are read: %s', (_, one) => check(one));
});

describe('a value', () => {
  it.each(rows(valueRows))('[PB-CLIENT-2] is read: %s', (_, one) => check(one));
});

describe('a line of a shell', () => {
  it.each(rows(shellRows))('[PB-CLIENT-2] is read: %s', (_, one) => check(one));
});

/** Converting it to a text fails. */
const odd = { toString: 0, valueOf: 0 };

/** Yields a value once per member, with that member replaced. */
function* withOddMembers(value: unknown): Generator<{ readonly name: string; readonly value: unknown }> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const replaced = (by: unknown) =>
      Array.isArray(value) ? value.with(Number(name), by) : { ...value, [name]: by };
    for (const by of [odd, [odd]]) yield { name, value: replaced(by) };
    for (const inner of withOddMembers(member)) yield { name: inner.name, value: replaced(inner.value) };
  }
}

describe('a value without a text', () => {
  it('[PB-CLIENT-2] is read under any member', async () => {
    const known = new Map<string, number>();
    const isNew = (name: string) => {
      const count = known.get(name) ?? 0;
      known.set(name, count + 1);
      return count < 4;
    };
    const texts = [configRows, fileRows, programRows, valueRows]
      .flat()
      .flatMap(({ text }) => [...withOddMembers(parseJson(text))])
      .filter(({ name }) => isNew(name));
    for (const { value } of texts) await bench.importer.parse(JSON.stringify(value));
  });
});
