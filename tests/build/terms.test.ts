import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';
import { expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '../..');

/** Folders whose texts people or models read. */
const folders = ['renderer', 'electron', 'shared'];

/** Word lists of the search, the stored name of Patchbay as an actor, and words to find a page by. */
const exceptions = [/^electron\/engine\/search\//, /^the hub$/, /^vault password/];

/** The second column of the table in docs/terms.md. In documentation, the hub is a part of Patchbay. */
function unwanted(isAllowed = (_word: string) => false): RegExp {
  const rows = readFileSync(path.join(root, 'docs/terms.md'), 'utf8').match(/^\|.*\|$/gm) ?? [];
  const words = rows.flatMap((row) =>
    [...(row.split('|')[2] ?? '').matchAll(/`([^`]+)`/g)].map(([, word = '']) => word),
  );
  return new RegExp(`\\b(?:${words.filter((word) => !isAllowed(word)).join('|')})\\b`, 'i');
}

/** Every text of a file that holds more than one word, or stands between tags. */
function texts(file: string): readonly string[] {
  const found: string[] = [];
  visit(parseSync(file, readFileSync(path.join(root, file), 'utf8')).program, ({ type, value }) => {
    const text = typeof value === 'string' ? value : type === 'TemplateElement' ? value?.cooked : undefined;
    if (text === undefined) return;
    const line = text.replace(/\s+/g, ' ').trim();
    if (type === 'JSXText' || line.includes(' ')) found.push(line);
  });
  return found;
}

interface Node {
  readonly type: string;
  readonly value?: string | { readonly cooked?: string };
}

function visit(value: unknown, see: (node: Node) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value) see(value as Node);
  for (const child of Object.values(value)) visit(child, see);
}

it('every text uses the terms of docs/terms.md', () => {
  const words = unwanted();
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  );
  const isExcepted = (text: string) => exceptions.some((exception) => exception.test(text));
  const wrong = files
    .filter((file) => !isExcepted(file))
    .flatMap((file) =>
      texts(file)
        .filter((text) => words.test(text) && !isExcepted(text))
        .map((text) => `${file}: ${text}`),
    );
  expect(wrong).toEqual([]);
});

it('every line of the documentation uses the terms of docs/terms.md', () => {
  const words = unwanted((word) => word === 'hub' || word === 'vault');
  const pages = readdirSync(path.join(root, 'docs')).filter(
    (name) => /\.md$/.test(name) && name !== 'terms.md',
  );
  const wrong = ['README.md', ...pages.map((name) => `docs/${name}`)].flatMap((page) =>
    readFileSync(path.join(root, page), 'utf8')
      .split('\n')
      .filter((line) => words.test(line))
      .map((line) => `${page}: ${line}`),
  );
  expect(wrong).toEqual([]);
});
