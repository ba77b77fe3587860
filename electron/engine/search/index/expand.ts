import { partEnds } from '../text/parts.ts';
import type { Stems, Term } from '../text/terms.ts';
import { termsOf } from '../text/terms.ts';
import { weakWords } from '../text/weak-words.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A term of the index that a word of the query stands for, and how well. */
export interface Reading {
  readonly term: string;
  readonly factor: number;
}

/** One word of a query, with everything it may mean. */
export interface QueryWord {
  readonly word: Term;
  readonly readings: readonly Reading[];
  /** A bit for each part of the query that it stands in. */
  readonly parts: number;
  /** How telling it is. */
  readonly weight: number;
}

/** Words of a query that count; what is longer is an essay, whose beginning says what it is about. */
const mostWords = 48;

/** Characters of a query that are looked at. */
const longest = 1_000;

export interface ExpandOptions {
  readonly vocabulary: Vocabulary;
  readonly documents: number;
  readonly stems: Stems;
  readonly thesaurus: ReadonlyMap<string, ReadonlySet<string>>;
}

/** What is asked for, word by word. The last word may be still being typed. */
export function expandQuery(query: string, options: ExpandOptions): readonly QueryWord[] {
  const text = query.slice(0, longest);
  const terms = termsOf(text, options.stems);
  const parts = partsOf(text, terms);
  const asked = [...new Map(terms.map((term) => [term.stem, term])).values()].slice(0, mostWords);
  return asked.map((word, index) => {
    const isLast = index === asked.length - 1 && word.end === text.trimEnd().length;
    const readings = readingsOf(word, isLast && !/\s$/.test(text), asked, options);
    return { word, readings, weight: telling(word, readings, options), parts: parts.get(word.stem) ?? 1 };
  });
}

/** By stem, a bit for each part that it stands in. */
function partsOf(text: string, terms: readonly Term[]): ReadonlyMap<string, number> {
  const ends = partEnds(text);
  const parts = new Map<string, number>();
  for (const { stem, end } of terms) {
    const part = ends.findIndex((last) => end <= last);
    parts.set(stem, (parts.get(stem) ?? 0) | (1 << Math.max(0, part)));
  }
  return parts;
}

function readingsOf(
  { text, stem }: Term,
  isUnfinished: boolean,
  asked: readonly Term[],
  { vocabulary, documents, stems, thesaurus }: ExpandOptions,
): readonly Reading[] {
  const readings = new Map<string, number>();
  const note = (term: string, factor: number) => {
    if (vocabulary.count(term) > 0 && factor > (readings.get(term) ?? 0)) readings.set(term, factor);
  };
  // A frequent word in place of another one tells nothing, and costs the most.
  const isTelling = (term: string) => rarity(vocabulary.count(term), documents) > leastTelling;
  note(stem, 1);
  const isKnown = readings.size > 0;
  // What is asked for by name already needs no other words for it.
  for (const other of thesaurus.get(stem) ?? [])
    if (!asked.some((one) => one.stem === other) && isTelling(other)) note(other, otherWord);
  if (isUnfinished || !isKnown) {
    const begin = text.length >= shortestBeginning ? vocabulary.beginningWith(text, mostEndings) : [];
    for (const term of begin)
      note(term, isKnown ? weakBeginning : beginning * Math.sqrt(text.length / term.length));
  }
  if (!isKnown && ![...readings.values()].some((factor) => factor > goodBeginning)) {
    // A mistake near the end may look like an ending: "calender" would be a form of "calend".
    for (const form of new Set([stem, text]))
      for (const { term, distance } of vocabulary.spelledLike(form, mistakesIn(form), mostSpellings))
        note(term, misspelt - 0.15 * (distance - 1));
    correct(text, stems, thesaurus, vocabulary, note);
  }
  return [...readings].map(([term, factor]) => ({ term, factor }));
}

/** What the word was meant to be may not be in the index itself, but other words for it. */
function correct(
  text: string,
  stems: Stems,
  thesaurus: ExpandOptions['thesaurus'],
  vocabulary: Vocabulary,
  note: (term: string, factor: number) => void,
): void {
  for (const { term } of vocabulary.spelledLike(stems.of(text), mistakesIn(stems.of(text)), 1))
    for (const other of thesaurus.get(term) ?? []) note(other, otherWord * misspelt);
}

/** How much a reading counts beside the word itself. */
const otherWord = 0.5;
const beginning = 0.95;
const weakBeginning = 0.35;
const goodBeginning = 0.75;
const misspelt = 0.4;

/** How much a letter by itself, or a word of whoever asks, counts beside others. */
const weakWord = 0.5;

const leastTelling = 1.6;

const shortestBeginning = 2;
const mostEndings = 12;
const mostSpellings = 4;

function mistakesIn(word: string): number {
  if (word.length < 4) return 0;
  return word.length < 8 ? 1 : 2;
}

/** Rare words tell more; one that nothing has tells nothing. */
function telling(
  { text }: Term,
  readings: readonly Reading[],
  { vocabulary, documents }: ExpandOptions,
): number {
  if (readings.length === 0) return 0;
  const best = readings.reduce((one, other) => (other.factor > one.factor ? other : one));
  const factor = text.length === 1 || weakWords.has(text) ? weakWord : 1;
  return rarity(vocabulary.count(best.term), documents) * factor;
}

export function rarity(count: number, documents: number): number {
  return Math.log(1 + (documents - Math.min(count, documents) + 0.5) / (Math.min(count, documents) + 0.5));
}
