import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkSync } from 'recheck';
import { parseSync } from 'vite';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Slow on long texts, and only given short ones. */
const bounded: readonly { readonly file: string; readonly start: string; readonly why: string }[] = [
  { file: 'electron/engine/import/review/suggest-key.ts', start: '(?<=', why: '300 characters of a word' },
  {
    file: 'electron/engine/import/review/suggest-key.ts',
    start: '^(.*?)[',
    why: '300 characters of a word',
  },
  {
    file: 'electron/engine/import/text/language/find-json.ts',
    start: '(?:"',
    why: '300 characters before a bracket',
  },
  {
    file: 'electron/engine/servers/process/table/process-row.ts',
    start: '^\\s*',
    why: 'one line of ps, whose parts cannot be read in two ways',
  },
  {
    file: 'shared/model/import/entry-variable.ts',
    start: '^(?:|<',
    why: 'nothing longer than 200 characters',
  },
];

/**
 * Hashes of the expressions that passed before: the checker needs two minutes for all of them, so only those that are
 * not listed are checked. EXPRESSIONS_UPDATE=1 checks all and writes the file again.
 */
const checkedFile = join(import.meta.dirname, 'checked-expressions.txt');
const isUpdate = process.env.EXPRESSIONS_UPDATE === '1';

interface Literal {
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

/** Every regular expression that is written in the source. */
function literals(): readonly Literal[] {
  const files = ['electron', 'shared', 'renderer'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  );
  return files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const found: Literal[] = [];
    visit(parseSync(file, text).program, (node) => {
      if (node.regex === undefined) return;
      const line = text.slice(0, node.start).split('\n').length;
      found.push({ place: `${file}:${line}`, source: node.regex.pattern, flags: node.regex.flags });
    });
    return found;
  });
}

interface Node {
  readonly start: number;
  readonly regex?: { readonly pattern: string; readonly flags: string };
}

function visit(value: unknown, see: (node: Node) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if ('regex' in value) see(value as Node);
  for (const child of Object.values(value)) visit(child, see);
}

it('[NFR-R3] every regular expression of the source takes time that grows with the text alone', () => {
  const all = new Map<string, Literal[]>();
  for (const literal of literals()) {
    const known = all.get(`/${literal.source}/${literal.flags}`);
    if (known === undefined) all.set(`/${literal.source}/${literal.flags}`, [literal]);
    else known.push(literal);
  }
  expect(all.size).toBeGreaterThan(300);
  const checked = new Set(isUpdate ? [] : readFileSync(checkedFile, 'utf8').split('\n'));
  const slow: string[] = [];
  for (const [written, [first, ...others]] of all) {
    if (first === undefined || isBounded(first) || checked.has(nameOf(written))) continue;
    if (isQuickEnough(first)) {
      checked.add(nameOf(written));
      continue;
    }
    const places = [first, ...others].map(({ place }) => place).join(', ');
    slow.push(`${places} ${written}`);
  }
  expect(slow).toEqual([]);
  if (isUpdate) writeFileSync(checkedFile, [...checked].sort().join('\n'));
}, 900_000);

function nameOf(written: string): string {
  return createHash('sha256').update(written).digest('base64url').slice(0, 16);
}

function isQuickEnough({ source, flags }: Literal): boolean {
  const verdict = checkSync(source, flags, limits);
  if (verdict.status === 'safe') return true;
  const attacks = verdict.status === 'vulnerable' ? [verdict.attack] : usual;
  const isMeasurable = verdict.status === 'unknown' || verdict.complexity.type !== 'exponential';
  const pattern = new RegExp(source, flags);
  return isMeasurable && attacks.every((attack) => isQuick(pattern, attack));
}

function isBounded({ place, source }: Literal): boolean {
  return bounded.some(({ file, start }) => place.startsWith(`${file}:`) && source.startsWith(start));
}

/** Less than the checker takes by itself: what it suspects for want of time is measured. */
const limits = {
  timeout: 1_000,
  incubationLimit: 3_000,
  maxIteration: 3,
  maxInitialGenerationSize: 100,
  maxGenerationSize: 30,
  seedingLimit: 300,
  attackTimeout: 500,
  recallLimit: 300_000,
  maxRecallStringSize: 30_000,
};

/** For what the checker could not decide in its time. */
const usual: readonly Attack[] = [
  'x',
  '0',
  ' ',
  '\n',
  '-',
  '_',
  '/',
  '\\',
  '"',
  ':',
  '=',
  '{',
  'a b ',
  'a_',
  'x.',
].map((pump) => ({ pumps: [{ prefix: '', pump }], suffix: '\n!' }));

interface Attack {
  readonly pumps: readonly { readonly prefix: string; readonly pump: string }[];
  readonly suffix: string;
}

/** The checker takes bounds for growth: what it found is tried, up to a length at which a square takes many seconds. */
function isQuick(pattern: RegExp, { pumps, suffix }: Attack): boolean {
  for (let length = 1_000; length <= 128_000; length *= 2) {
    const parts = pumps.map(({ prefix, pump }) => prefix + pump.repeat(length / pump.length / pumps.length));
    const text = parts.join('') + suffix;
    const start = process.cpuUsage();
    text.replace(pattern, '');
    // CPU time counts, since other work may have the processor for a while.
    const { user, system } = process.cpuUsage(start);
    if ((user + system) / 1_000 > 1_500) return false;
  }
  return true;
}
