import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const tests = join(import.meta.dirname, '..');
const page = join(tests, '..', 'docs', 'compatibility.md');

it('each row of docs/compatibility.md names tests that exist, by their room and their file', async () => {
  const rows = namedTests(await readFile(page, 'utf8'));
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.filter(({ names }) => names.length === 0)).toEqual([]);
  const paths = (await readdir(tests, { recursive: true })).flatMap(testPath);
  const missing = rows.flatMap(({ line, names }) =>
    names
      .filter((name) => !paths.some((path) => isNamed(path, name)))
      .map((name) => `line ${line}: no test ${name}`),
  );
  expect(missing).toEqual([]);
});

/** The tests that a row of a table names in its last column; lines count from 1. */
interface NamedTests {
  readonly line: number;
  readonly names: readonly string[];
}

/** Reads the rows of all tables whose last column is called `test`. */
function namedTests(markdown: string): readonly NamedTests[] {
  const rows: NamedTests[] = [];
  let isNaming = false;
  for (const [index, line] of markdown.split('\n').entries()) {
    const last = /^\|.*(?<!\\)\|([^|]*)\|$/.exec(line)?.[1]?.trim();
    if (last === undefined) isNaming = false;
    else if (last === 'test') isNaming = true;
    else if (isNaming && !/^-+$/.test(last))
      rows.push({ line: index + 1, names: [...last.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name) });
  }
  return rows;
}

/** Returns the path of a test without its ending; nothing for other files. */
function testPath(file: string): readonly string[] {
  const path = /^(.*?)(?:\.integration)?\.test\.tsx?$/.exec(file.replaceAll('\\', '/'))?.[1];
  return path === undefined ? [] : [path];
}

/** True if the test has the name's file, in a folder of the name's room: `transport/cookies`. */
function isNamed(path: string, name: string): boolean {
  const [file, ...folders] = path.split('/').reverse();
  const [namedFile, ...rooms] = name.split('/').reverse();
  return file === namedFile && rooms.every((room) => folders.includes(room));
}
