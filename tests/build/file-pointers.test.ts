import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '../..');
const listed = (folder: string) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
    path.posix.join(folder, file.split(path.sep).join('/')),
  );
const files = ['electron', 'shared', 'renderer', 'build', 'tests'].flatMap(listed);
const rooms = new Set([
  'electron',
  'shared',
  'renderer',
  'build',
  'tests',
  ...readdirSync(path.join(root, 'electron/engine')),
]);

/** A page may name tests by their subject. */
const testEnding = /\.(?:integration\.test|windows-test|test)\.tsx?$/;

/** Every end of every path, with and without the ending of the file. */
const ends = new Set(
  files.flatMap((file) =>
    [file, file.replace(/\.(?:mjs|tsx?)$/, ''), file.replace(testEnding, '')].flatMap((form) => {
      const parts = form.split('/');
      return parts.map((_part, index) => parts.slice(index).join('/'));
    }),
  ),
);

/** All but the page whose rows name tests, which a test of its own reads. */
const pages = ['README.md', ...listed('docs')].filter(
  (page) => page.endsWith('.md') && page !== 'docs/compatibility.md',
);

/** Code in a text that reads like a file or a folder of ours. */
function pointers(text: string): readonly string[] {
  const found = Array.from(
    text.matchAll(/`([a-z][\w.-]*(?:\/[\w.-]+)*)\/?`/g),
    ([, pointer = '']) => pointer,
  );
  return found.filter(isPointer);
}

/** A name without a folder may be a module; those of bundles end in `.mjs`. */
function isPointer(text: string): boolean {
  if (!text.includes('/')) return /\.tsx?$/.test(text);
  return /\.(?:ts|tsx|mjs)$/.test(text) || rooms.has(text.split('/')[0] ?? '');
}

it.each(pages)('%s names only files that exist', (page) => {
  const text = readFileSync(path.join(root, page), 'utf8');
  // A decision that no longer stands is kept as it was.
  if (text.includes('**Superseded')) return;
  expect(pointers(text).filter((pointer) => !ends.has(pointer))).toEqual([]);
});
