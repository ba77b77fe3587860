import { editDistance } from '../text/edit-distance.ts';
import { wordsOf } from '../text/words.ts';
import type { Segment } from './segment.ts';

/** Words that may stand between a tool and its server in a query. */
const connectors: ReadonlySet<string> = new Set([
  'in',
  'on',
  'of',
  'from',
  'at',
  'with',
  'using',
  'via',
  'tool',
]);

/** A query parsed as a literal name. */
export interface NamedQuery {
  readonly words: readonly string[];
  readonly spoken: string;
}

export function namedQuery(query: string): NamedQuery {
  const words = wordsOf(query.slice(0, maxNameLength)).map(({ text }) => text);
  return { words, spoken: words.join(' ') };
}

/** Characters; longer queries are not names. */
const maxNameLength = 200;

/**
 * Removes the words of the server's key from a query and returns the rest in spoken form; undefined if the
 * query does not name the server.
 */
export function withoutServer({ words }: NamedQuery, { keyWords }: Segment): string | undefined {
  if (keyWords.length === 0 || words.length <= keyWords.length) return undefined;
  if (standAt(words, keyWords, 0)) return trimJoints(words.slice(keyWords.length)).join(' ');
  if (standAt(words, keyWords, words.length - keyWords.length))
    return trimJoints(words.slice(0, -keyWords.length)).join(' ');
  return undefined;
}

function standAt(words: readonly string[], some: readonly string[], from: number): boolean {
  for (let index = 0; index < some.length; index += 1) if (words[from + index] !== some[index]) return false;
  return true;
}

function trimJoints(words: readonly string[]): readonly string[] {
  const last = words.at(-1);
  return last !== undefined && connectors.has(last) && words.length > 1 ? words.slice(0, -1) : words;
}

/**
 * Returns the confidence from the name alone: 1 for server and name, less for the name alone, still less for
 * a prefix, otherwise 0.
 */
export function nameConfidence(query: NamedQuery, segment: Segment, name: string): number {
  const rest = withoutServer(query, segment);
  if (rest !== undefined && isNamed(segment, rest, name)) return 1;
  if (name === query.spoken) return 0.98;
  if (isNamed(segment, query.spoken, name)) return 0.97;
  const isBeginning = query.words.length > 1 || query.spoken.length >= 4;
  if (isBeginning && name.startsWith(query.spoken)) return 0.9 + (0.06 * query.spoken.length) / name.length;
  if (rest !== undefined && rest.length >= 3 && endsNamed(segment, rest, name)) return 0.9;
  return isNearly(query.spoken, name) || (rest !== undefined && isNearly(rest, name))
    ? misspeltConfidence
    : 0;
}

/** Confidence of a name with a typo or two: above every keyword score. */
const misspeltConfidence = 0.895;

function isNearly(said: string, name: string): boolean {
  const limit = said.length < 12 ? 1 : 2;
  if (said.length < minMisspeltLength || Math.abs(said.length - name.length) > limit) return false;
  return editDistance(said, name, limit) <= limit;
}

/** Characters; many shorter names differ by only one letter. */
const minMisspeltLength = 6;

function isNamed({ keyWords }: Segment, said: string, name: string): boolean {
  return name === said || name === `${keyWords.join(' ')} ${said}`;
}

function endsNamed({ keyWords }: Segment, said: string, name: string): boolean {
  return name.startsWith(said) || name.startsWith(`${keyWords.join(' ')} ${said}`);
}
