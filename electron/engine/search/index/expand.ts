import { partEnds } from '../text/parts.ts';
import { type Phrases, phrasesIn } from '../text/phrases.ts';
import { stopWords } from '../text/stop-words.ts';
import type { Stems, Term } from '../text/terms.ts';
import { termsOf } from '../text/terms.ts';
import { weakWords } from '../text/weak-words.ts';
import { wordsOf } from '../text/words.ts';
import type { Vocabulary } from './vocabulary.ts';

/** An index term that a query word may stand for, with its weight. */
export interface TermVariant {
  readonly term: string;
  readonly factor: number;
}

/** A query word with its possible terms. */
export interface QueryWord {
  readonly word: Term;
  readonly variants: readonly TermVariant[];
  /** Numbers of the query parts that contain it. */
  readonly parts: readonly number[];
  /** Weight by rarity. */
  readonly weight: number;
}

/** Words of a query that count; the start of a longer text says what it is about. */
const maxWords = 48;

/** Characters of a query that are used. */
const maxQueryLength = 1_000;

export interface ExpandOptions {
  readonly vocabulary: Vocabulary;
  readonly documents: number;
  readonly stems: Stems;
  readonly thesaurus: ReadonlyMap<string, ReadonlySet<string>>;
  readonly phrases: Phrases;
}

/** Expands each word of a query. The last word may be incomplete. */
export function expandQuery(query: string, options: ExpandOptions): readonly QueryWord[] {
  const text = query.slice(0, maxQueryLength);
  const terms = termsOf(text, options.stems);
  const parts = partsOf(text, terms);
  const meant = meantBy(text, options);
  const asked = distinct([...terms, ...meant.keys()]).slice(0, maxWords);
  return asked.map((word, index) => {
    const isLast = index === asked.length - 1 && word.end === text.trimEnd().length;
    const own = variantsOf(word, isLast && !/\s$/.test(text), asked, options);
    const means = [...meant].flatMap(([{ stem }, stems]) => (stem === word.stem ? stems : []));
    const variants = means.length === 0 ? own : withMeaning(word, own, means, options);
    return {
      word,
      variants,
      weight: weightOf(word, variants, options),
      parts: [...(parts.get(word.stem) ?? [0])],
    };
  });
}

/** Keeps the last of the terms with the same stem, in the order of the text. */
function distinct(terms: readonly Term[]): readonly Term[] {
  const byStem = new Map(terms.map((term) => [term.stem, term]));
  return [...byStem.values()].sort((one, other) => one.start - other.start);
}

/** Returns the phrases of a query: the first word of each, and the stems of what it means. */
function meantBy(text: string, { stems, phrases }: ExpandOptions): ReadonlyMap<Term, readonly string[]> {
  const words = wordsOf(text);
  return new Map(
    phrasesIn(words, stems, phrases).map(({ word, means }) => [
      { ...word, stem: stems.of(word.text) },
      means,
    ]),
  );
}

/** Adds what a phrase means to the variants of its first word, whose own meaning counts less then. */
function withMeaning(
  { text }: Term,
  own: readonly TermVariant[],
  means: readonly string[],
  { vocabulary, documents }: ExpandOptions,
): readonly TermVariant[] {
  const variants = new Map<string, number>();
  if (!stopWords.has(text)) for (const { term, factor } of own) variants.set(term, factor * literal);
  for (const term of means)
    if (isTelling(term, vocabulary, documents)) variants.set(term, Math.max(phrase, variants.get(term) ?? 0));
  return [...variants].map(([term, factor]) => ({ term, factor }));
}

/** Returns the query parts that contain each stem. */
function partsOf(text: string, terms: readonly Term[]): ReadonlyMap<string, ReadonlySet<number>> {
  const ends = partEnds(text);
  const parts = new Map<string, Set<number>>();
  for (const { stem, end } of terms) {
    const part = ends.findIndex((last) => end <= last);
    parts.set(stem, (parts.get(stem) ?? new Set()).add(Math.max(0, part)));
  }
  return parts;
}

function variantsOf(
  { text, stem }: Term,
  isUnfinished: boolean,
  asked: readonly Term[],
  { vocabulary, documents, stems, thesaurus }: ExpandOptions,
): readonly TermVariant[] {
  const variants = new Map<string, number>();
  const note = (term: string, factor: number) => {
    if (vocabulary.count(term) > 0 && factor > (variants.get(term) ?? 0)) variants.set(term, factor);
  };
  note(stem, 1);
  const isKnown = variants.size > 0;
  // Skips synonyms that the query already contains.
  for (const other of thesaurus.get(stem) ?? [])
    if (!asked.some((one) => one.stem === other) && isTelling(other, vocabulary, documents))
      note(other, synonymFactor);
  if (isUnfinished || !isKnown) {
    const shortest = isUnfinished ? shortestTyped : minPrefixLength;
    for (const term of text.length < shortest ? [] : vocabulary.withPrefix(text, maxCompletions))
      note(term, isKnown ? weakPrefixFactor : prefixFactor * Math.sqrt(text.length / term.length));
  }
  const isEnglish = isKnown || thesaurus.has(stem);
  if (!isEnglish && ![...variants.values()].some((factor) => factor > goodPrefixFactor)) {
    // Tries the unstemmed word too: a typo near the end may look like a suffix, as in "calender", stemmed to
    // "calend".
    for (const form of new Set([stem, text]))
      for (const { term, distance } of vocabulary.spelledLike(form, maxTypos(form), maxSpellings))
        note(term, misspeltFactor - 0.15 * (distance - 1));
    correct(text, stems, thesaurus, vocabulary, note);
  }
  return [...variants].map(([term, factor]) => ({ term, factor }));
}

/** Tells whether a synonym is in the index and rare: frequent ones add no information and cost the most. */
function isTelling(term: string, vocabulary: Vocabulary, documents: number): boolean {
  const count = vocabulary.count(term);
  return count > 0 && rarity(count, documents) > minRarity;
}

/** Finds synonyms of the intended word, which itself may not be in the index. */
function correct(
  text: string,
  stems: Stems,
  thesaurus: ExpandOptions['thesaurus'],
  vocabulary: Vocabulary,
  note: (term: string, factor: number) => void,
): void {
  for (const { term } of vocabulary.spelledLike(stems.of(text), maxTypos(stems.of(text)), 1))
    for (const other of thesaurus.get(term) ?? []) note(other, synonymFactor * misspeltFactor);
}

/** Weights of other terms relative to the word itself. */
const synonymFactor = 0.5;
const phrase = 0.6;
const prefixFactor = 0.95;
const weakPrefixFactor = 0.35;
const goodPrefixFactor = 0.75;
const misspeltFactor = 0.4;

/** Weight of a word in a phrase that means something else. */
const literal = 0.5;

/** Weight of a single letter or of a filler word. */
const fillerFactor = 0.5;

const minRarity = 1.6;

/** Characters of a word that is being typed, and of another one that is no known word. */
const shortestTyped = 2;
const minPrefixLength = 3;
const maxCompletions = 12;
const maxSpellings = 4;

function maxTypos(word: string): number {
  if (word.length < 4) return 0;
  return word.length < 8 ? 1 : 2;
}

/** Weighs a word by its rarity; a word without terms has no weight. */
function weightOf(
  { text }: Term,
  variants: readonly TermVariant[],
  { vocabulary, documents }: ExpandOptions,
): number {
  if (variants.length === 0) return 0;
  const best = variants.reduce((one, other) => (other.factor > one.factor ? other : one));
  const factor = text.length === 1 || weakWords.has(text) ? fillerFactor : 1;
  return rarity(vocabulary.count(best.term), documents) * factor;
}

export function rarity(count: number, documents: number): number {
  return Math.log(1 + (documents - Math.min(count, documents) + 0.5) / (Math.min(count, documents) + 0.5));
}
