import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const folder = fileURLToPath(new URL('../../dist/bin/', import.meta.url));

it('programs hold no character that would have the engine keep their text with two bytes for each', async () => {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.mjs'));
  expect(files).toContain('activity-worker.mjs');
  const beyond = [];
  for (const name of files) {
    const bytes = await readFile(`${folder}${name}`);
    if (bytes.some((byte) => byte > 0x7f)) beyond.push(name);
  }
  expect(beyond).toEqual([]);
});
