/**
 * Makes queries that name tools of a set: `node tests/eval/named-queries.mjs FOLDER > FOLDER/named.txt`. To the letter, by
 * their beginning, misspelt, and with their server; what is drawn goes by digests, so that it is the same each time.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder = '.'] = process.argv.slice(2);
/** Number of queries of each type per half. */
const each = 60;
const tools = readTools();

function queriesOf(type, half) {
  return tools
    .filter((tool) => (number(`${type} ${tool.id}`) % 2 === 0 ? 'dev' : 'held') === half)
    .sort((one, other) => number(`${type} ${one.id}`) - number(`${type} ${other.id}`))
    .flatMap((tool) => {
      const query = make[type](tool);
      return query === undefined ? [] : [[query, wantedBy(type, query, tool)]];
    });
}

const make = {
  exact: ({ name }) => name,
  /** All of a name but what follows the first letters of its last word; nothing that begins many names. */
  prefix: ({ said, id }) => {
    const start = said.slice(0, said.lastIndexOf(' ') + 1 + 3);
    const alike = tools.filter((tool) => tool.said.startsWith(start)).length;
    return said.includes(' ') && start.length < said.length && alike <= 3 ? lessSpaced(start, id) : undefined;
  },
  /** One letter of a long word is another one, missing, doubled or swapped with the next; not its first. */
  typo: ({ said, id }) => {
    const words = said.split(' ');
    const long = words.filter((word) => word.length >= 5);
    if (words.length < 2 || long.length === 0) return undefined;
    const word = long[number(id) % long.length];
    return words.map((one) => (one === word ? misspelt(word, number(`${id} typo`)) : one)).join(' ');
  },
  'server-qualified': ({ server, name, said, id }) =>
    [
      `${server}:${name}`,
      `${server}.${name}`,
      `${server}__${name}`,
      `${server} ${said}`,
      `${said} ${server}`,
      `${said} in ${server}`,
    ][number(id) % 6],
};

function wantedBy(type, query, tool) {
  if (type === 'server-qualified') return [tool];
  if (type === 'prefix') return tools.filter(({ said }) => said.startsWith(spoken(query)));
  return tools.filter(({ said }) => said === tool.said);
}

function misspelt(word, seed) {
  const at = 1 + (seed % (word.length - 2));
  const kind = Math.floor(seed / 64) % 4;
  const letter = 'etaoinshrdlu'[Math.floor(seed / 512) % 12];
  if (kind === 0) return word.slice(0, at) + letter + word.slice(at + 1);
  if (kind === 1) return word.slice(0, at) + word.slice(at + 1);
  if (kind === 2) return word.slice(0, at) + word[at] + word.slice(at);
  return word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2);
}

/** Some type names as they are written, most with spaces. */
function lessSpaced(start, id) {
  return number(id) % 4 === 0 ? start.replaceAll(' ', '_') : start;
}

function readTools() {
  let server = '';
  return readFileSync(join(folder, 'tools.txt'), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const heading = /^\[(.+)\] (dev|held)$/.exec(line);
      if (heading !== null) server = heading[1];
      const [name = ''] = line.split(' | ');
      if (heading !== null || line.startsWith('#') || !line.includes(' | ')) return [];
      return [{ id: `${server}:${name}`, server, name, said: spoken(name) }];
    });
}

/** As a person would say it. */
function spoken(name) {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}

function number(text) {
  return Number.parseInt(createHash('sha256').update(text).digest('hex').slice(0, 8), 16);
}

console.log('# Made by tests/eval/named-queries.mjs');
for (const type of ['exact', 'prefix', 'typo', 'server-qualified'])
  for (const half of ['dev', 'held'])
    for (const [query, wanted] of queriesOf(type, half).slice(0, each))
      console.log(`${half} | ${type} | ${query} | ${wanted.map(({ id }) => `${id}=3`).join(' ')}`);
