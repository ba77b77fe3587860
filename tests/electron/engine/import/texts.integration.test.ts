import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
