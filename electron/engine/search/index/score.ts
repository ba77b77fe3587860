import { type QueryWord, rarity, type TermVariant } from './expand.ts';
import type { Postings } from './segment.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A query word with the points of a document that contains it. */
export interface WeightedWord {
  readonly parts: QueryWord['parts'];
  readonly weight: number;
  /** So frequent that it does not make a match on its own. */
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

interface DocumentScore {
  total: number;
  /** Weight of the words that it has. */
  covered: number;
  /** Points by part of the query. */
  readonly byPart: number[];
}

/**
 * Returns the points of each document of a segment that matches. A query that asks for several things wants
 * tools for one of them as much as tools with a word of each, so the best part counts half.
 */
export function scoreDocuments(
  postings: Postings,
  words: readonly WeightedWord[],
): ReadonlyMap<number, number> {
  const scores = new Map<number, DocumentScore>();
  for (const { weight, isCommon, parts, variants } of words)
    for (const [place, points] of bestPoints(postings, variants)) {
      const score = scores.get(place) ?? { total: 0, covered: 0, byPart: [] };
      if (score.covered === 0 && isCommon) continue;
      score.total += points;
      score.covered += Math.max(weight, smallest);
      for (const part of parts) score.byPart[part] = (score.byPart[part] ?? 0) + points;
      scores.set(place, score);
    }
  const asked = words.reduce((sum, { weight }) => sum + weight, 0);
  const hasParts = words.some(({ parts }) => parts.some((part) => part > 0));
  return new Map(
    [...scores].map(([place, { total, covered, byPart }]) => {
      const whole = total * (0.6 + 0.4 * (asked === 0 ? 1 : Math.min(1, covered / asked)));
      const best = byPart.reduce((most, points) => Math.max(most, points), 0);
      return [place, hasParts ? (whole + best) / 2 : whole];
    }),
  );
}

const smallest = 1e-9;

/** Returns the documents of a word with the points of its best term, not their sum. */
function bestPoints(postings: Postings, variants: WeightedWord['variants']): ReadonlyMap<number, number> {
  const best = new Map<number, number>();
  for (const { term, points } of variants)
    for (const { place, weight } of postings.get(term) ?? [])
      if (points * weight > (best.get(place) ?? 0)) best.set(place, points * weight);
  return best;
}
