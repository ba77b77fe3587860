import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { citedIds, judge } from './citations.ts';
import { requirements } from './requirements.ts';

/** `npm run contract:update` writes down what is cited now; only then may a citation go. */
const updating = process.env.CONTRACT_UPDATE === '1';

it('every cited id is promised, and no promise that was proven has lost its proof', async () => {
  const cited = (await Promise.all((await testFiles()).map(idsIn))).flat();
  const verdict = judge(cited, Object.keys(requirements), updating ? [] : await citedBefore());
  const share = `${Object.keys(requirements).length - verdict.uncited.length} of ${Object.keys(requirements).length}`;
  console.log(`Promises cited by tests: ${share}. Not yet: ${verdict.uncited.join(', ') || 'none'}.`);
  expect(verdict.unknown, 'cited ids that no requirement has').toEqual([]);
  expect(verdict.lost, 'ids that a test cited before').toEqual([]);
  if (updating) await writeFile(record, `${JSON.stringify([...new Set(cited)].sort(), null, 2)}\n`);
});

const tests = join(import.meta.dirname, '..');
const record = join(import.meta.dirname, 'cited.json');

async function testFiles(): Promise<readonly string[]> {
  const entries = await readdir(tests, { recursive: true });
  return entries.filter((entry) => /\.test\.tsx?$/.test(entry)).map((entry) => join(tests, entry));
}

async function idsIn(file: string): Promise<readonly string[]> {
  return citedIds(await readFile(file, 'utf8'));
}

async function citedBefore(): Promise<readonly string[]> {
  return JSON.parse(await readFile(record, 'utf8'));
}
