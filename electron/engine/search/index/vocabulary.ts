import { countBits, editDistance, letterMask } from '../text/edit-distance.ts';
import type { Segment } from './segment.ts';

interface KnownTerm {
  count: number;
  readonly letters: number;
}

/** All terms of an index with their counts; finds terms by prefix and by similar spelling. */
export class Vocabulary {
  /** By first character, since most typos come later. */
  readonly #terms = new Map<string, Map<string, KnownTerm>>();

  add({ postings }: Segment): void {
    for (const [term, { documents }] of postings) this.#count(term, documents.length);
  }

  remove({ postings }: Segment): void {
    for (const [term, { documents }] of postings) this.#count(term, -documents.length);
  }

  count(term: string): number {
    return this.#terms.get(term.charAt(0))?.get(term)?.count ?? 0;
  }

  /** Returns longer terms with this prefix, most frequent first. */
  withPrefix(start: string, max: number): readonly string[] {
    const found: { readonly term: string; readonly count: number }[] = [];
    for (const [term, { count }] of this.#terms.get(start.charAt(0)) ?? [])
      if (term.length > start.length && term.startsWith(start)) found.push({ term, count });
    return found
      .sort((one, other) => other.count - one.count)
      .slice(0, max)
      .map(({ term }) => term);
  }

  /** Returns terms within an edit distance, nearest first. */
  spelledLike(
    word: string,
    limit: number,
    max: number,
  ): readonly { readonly term: string; readonly distance: number }[] {
    const first = this.#terms.get(word.charAt(0));
    const near = first === undefined ? [] : nearIn(first, word, limit);
    const found =
      near.length > 0 ? near : [...this.#terms.values()].flatMap((terms) => nearIn(terms, word, limit));
    return found.sort((one, other) => one.distance - other.distance || other.count - one.count).slice(0, max);
  }

  #count(term: string, change: number): void {
    const first = term.charAt(0);
    const terms = this.#terms.get(first) ?? new Map<string, KnownTerm>();
    const known = terms.get(term);
    if (known === undefined) {
      this.#terms.set(first, terms.set(term, { count: change, letters: letterMask(term) }));
      return;
    }
    known.count += change;
    if (known.count <= 0) terms.delete(term);
  }
}

function nearIn(terms: ReadonlyMap<string, KnownTerm>, word: string, limit: number) {
  const letters = letterMask(word);
  const near: { term: string; distance: number; count: number }[] = [];
  for (const [term, known] of terms) {
    if (Math.abs(term.length - word.length) > limit) continue;
    if (countBits(letters ^ known.letters) > 2 * limit) continue;
    const distance = editDistance(word, term, limit);
    if (distance <= limit) near.push({ term, distance, count: known.count });
  }
  return near;
}
