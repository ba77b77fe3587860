import type { QueryWord } from './expand.ts';
import { rarity } from './expand.ts';
import { PartScores } from './part-points.ts';
import type { Segment } from './segment.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface Candidate {
  readonly segment: Segment;
  readonly place: number;
  readonly points: number;
}

interface ScoredWord {
  /** Bit mask of the query parts that contain it. */
  readonly parts: number;
  readonly weight: number;
  /** So frequent that it does not make a match on its own. */
  readonly isCommon: boolean;
  readonly readings: readonly { readonly term: string; readonly points: number }[];
}

/** Computes points per term for each word, shared by all segments. */
export function weighVariants(
  words: readonly QueryWord[],
  vocabulary: Vocabulary,
  documents: number,
): readonly ScoredWord[] {
  const heaviest = words.reduce((most, { weight }) => Math.max(most, weight), 0);
  const scored = words.map(({ readings, weight, parts }) => ({
    weight,
    parts,
    isCommon: weight < heaviest * commonShare,
    readings: readings.map(({ term, factor }) => ({
      term,
      // A rare synonym must not count more than the word itself.
      points: factor * Math.min(rarity(vocabulary.count(term), documents), weight * 1.2),
    })),
  }));
  return scored.sort((one, other) => other.weight - one.weight);
}

const commonShare = 0.3;

/** Returns a factor for a document's score; 0 excludes it. */
export type ScoreFactor = (place: number) => number;

/**
 * Accumulates scores word by word. This is the hot loop over thousands of documents: buffers are reused
 * across searches, and only the best documents become objects.
 */
export class ScoreAccumulator {
  #total = new Float64Array(1_024);
  #word = new Float64Array(1_024);
  #covered = new Float64Array(1_024);
  #touched = new Uint32Array(1_024);
  #ofWord = new Uint32Array(1_024);
  readonly #parts = new PartScores();
  readonly #found = new Found();

  begin(): void {
    this.#found.clear();
  }

  /** Number of matching documents. */
  get size(): number {
    return this.#found.size;
  }

  /** Adds all documents of a segment that match a word. */
  add(segment: Segment, words: readonly ScoredWord[], factorOf: ScoreFactor): void {
    this.#grow(segment.documents.length);
    let asked = 0;
    let touched = 0;
    this.#parts.begin(words, segment.documents.length);
    for (const word of words) {
      asked += word.weight;
      touched = this.#addWord(this.#wordPlaces(segment, word.readings), word, touched);
    }
    for (let index = 0; index < touched; index += 1) {
      const place = this.#touched[index] ?? 0;
      const coverage = asked === 0 ? 1 : Math.min(1, (this.#covered[place] ?? 0) / asked);
      const whole = (this.#total[place] ?? 0) * (0.6 + 0.4 * coverage);
      const points = this.#parts.mixed(place, whole) * factorOf(place);
      if (points > 0) this.#found.push(segment, place, points);
      this.#total[place] = 0;
      this.#covered[place] = 0;
    }
  }

  /** Returns the best candidates, unsorted. */
  best(max: number): readonly Candidate[] {
    return this.#found.best(max);
  }

  #addWord(places: number, { weight, isCommon, parts: inParts }: ScoredWord, before: number): number {
    let touched = before;
    for (let index = 0; index < places; index += 1) {
      const place = this.#ofWord[index] ?? 0;
      const covered = this.#covered[place] ?? 0;
      if (covered === 0 && isCommon) {
        this.#word[place] = 0;
        continue;
      }
      if (covered === 0) {
        this.#touched[touched] = place;
        touched += 1;
      }
      this.#total[place] = (this.#total[place] ?? 0) + (this.#word[place] ?? 0);
      this.#covered[place] = covered + Math.max(weight, smallest);
      this.#parts.add(place, inParts, this.#word[place] ?? 0);
      this.#word[place] = 0;
    }
    return touched;
  }

  /** Collects the documents of a word with the best score of its terms, not their sum. */
  #wordPlaces({ postings }: Segment, readings: ScoredWord['readings']): number {
    let count = 0;
    for (const { term, points } of readings) {
      const posting = postings.get(term);
      if (posting === undefined) continue;
      const { documents, weights } = posting;
      for (let index = 0; index < documents.length; index += 1) {
        const place = documents[index] ?? 0;
        const value = points * (weights[index] ?? 0);
        const known = this.#word[place] ?? 0;
        if (known === 0) {
          this.#ofWord[count] = place;
          count += 1;
        }
        if (value > known) this.#word[place] = value;
      }
    }
    return count;
  }

  #grow(size: number): void {
    if (this.#total.length >= size) return;
    this.#total = new Float64Array(size);
    this.#word = new Float64Array(size);
    this.#covered = new Float64Array(size);
    this.#touched = new Uint32Array(size);
    this.#ofWord = new Uint32Array(size);
  }
}

const smallest = 1e-9;

/** Matches so far, in columns. */
class Found {
  readonly #segments: Segment[] = [];
  #places = new Uint32Array(1_024);
  #points = new Float64Array(1_024);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  clear(): void {
    this.#size = 0;
    this.#segments.length = 0;
  }

  push(segment: Segment, place: number, points: number): void {
    const at = this.#size;
    if (at === this.#places.length) {
      this.#places = grown(this.#places, new Uint32Array(2 * at));
      this.#points = grown(this.#points, new Float64Array(2 * at));
    }
    this.#segments[at] = segment;
    this.#places[at] = place;
    this.#points[at] = points;
    this.#size = at + 1;
  }

  best(max: number): readonly Candidate[] {
    const threshold = this.#thresholdFor(max);
    const found: Candidate[] = [];
    for (let index = 0; index < this.#size; index += 1) {
      const points = this.#points[index] ?? 0;
      const segment = this.#segments[index];
      if (points >= threshold && segment !== undefined)
        found.push({ segment, place: this.#places[index] ?? 0, points });
    }
    return found.length <= 2 * max
      ? found
      : found.sort((one, other) => other.points - one.points).slice(0, max);
  }

  /**
   * Returns the score that about `most` matches reach, from a histogram: sorting thousands would take longer
   * than finding them.
   */
  #thresholdFor(max: number): number {
    if (this.#size <= max) return 0;
    let highest = 0;
    for (let index = 0; index < this.#size; index += 1) highest = Math.max(highest, this.#points[index] ?? 0);
    const counts = new Uint32Array(steps + 1);
    for (let index = 0; index < this.#size; index += 1)
      addOne(counts, Math.floor((steps * (this.#points[index] ?? 0)) / highest));
    let above = 0;
    let step = steps;
    while (step > 0 && above < max) {
      above += counts[step] ?? 0;
      step -= 1;
    }
    return (step * highest) / steps;
  }
}

const steps = 1_024;

function addOne(counts: Uint32Array, step: number): void {
  counts[step] = (counts[step] ?? 0) + 1;
}

function grown<T extends Uint32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
