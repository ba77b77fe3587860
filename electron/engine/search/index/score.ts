import { type QueryWord, rarity, type TermVariant } from './expand.ts';
import type { Postings } from './segment.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A query word with the points of a document that contains it. */
export interface WeightedWord {
  readonly parts: QueryWord['parts'];
  readonly weight: number;
  /** True if the word is too frequent to make a match on its own. */
  readonly isCommon: boolean;
  readonly variants: readonly { readonly term: string; readonly points: number }[];
}

/** Computes points per term for each word, shared by all segments; the heaviest word comes first. */
export function weighWords(
  words: readonly QueryWord[],
  vocabulary: Vocabulary,
  documents: number,
): readonly WeightedWord[] {
  const heaviest = Math.max(0, ...words.map(({ weight }) => weight));
  const pointsOf = ({ term, factor }: TermVariant, weight: number) =>
    // A rare synonym must not count more than the word itself.
    factor * Math.min(rarity(vocabulary.count(term), documents), weight * 1.2);
  return words
    .map(({ variants, weight, parts }) => ({
      weight,
      parts,
      isCommon: weight < heaviest * commonShare,
      variants: variants.map((one) => ({ term: one.term, points: pointsOf(one, weight) })),
    }))
    .sort((one, other) => other.weight - one.weight);
}

const commonShare = 0.3;

/**
 * Returns the points of each of so many documents, by their place; 0 for those that do not match. A query that
 * asks for several things wants tools for one of them as much as tools with a word of each, so the best part counts
 * half.
 */
export function scoreDocuments(
  postings: Postings,
  documents: number,
  words: readonly WeightedWord[],
): readonly number[] {
  const totals = zeros(documents);
  /** Weight of the words that each document has. */
  const covered = zeros(documents);
  const byPart: number[][] = [];
  for (const { weight, isCommon, parts, variants } of words)
    bestPoints(postings, documents, variants)?.forEach((points, place) => {
      if (points === 0 || (isCommon && covered[place] === 0)) return;
      add(totals, place, points);
      add(covered, place, Math.max(weight, smallest));
      for (const part of parts) {
        byPart[part] ??= zeros(documents);
        add(byPart[part], place, points);
      }
    });
  const asked = words.reduce((sum, { weight }) => sum + weight, 0);
  const coverage = (place: number) => (asked === 0 ? 1 : Math.min(1, (covered[place] ?? 0) / asked));
  const wholes = totals.map((total, place) => total * (0.6 + 0.4 * coverage(place)));
  if (!words.some(({ parts }) => parts.some((part) => part > 0))) return wholes;
  const best = (place: number) => byPart.reduce((most, points) => Math.max(most, points[place] ?? 0), 0);
  return wholes.map((whole, place) => (whole === 0 ? 0 : (whole + best(place)) / 2));
}

const smallest = 1e-9;

/** Returns the points of a word in each document, those of its best term; undefined if none has the word. */
function bestPoints(
  postings: Postings,
  documents: number,
  variants: WeightedWord['variants'],
): readonly number[] | undefined {
  let best: number[] | undefined;
  for (const { term, points } of variants) {
    const found = postings.get(term);
    if (found === undefined) continue;
    best ??= zeros(documents);
    for (const { place, weight } of found) best[place] = Math.max(best[place] ?? 0, points * weight);
  }
  return best;
}

function zeros(length: number): number[] {
  return new Array<number>(length).fill(0);
}

function add(numbers: number[], place: number, points: number): void {
  numbers[place] = (numbers[place] ?? 0) + points;
}
