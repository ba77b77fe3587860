import { editDistance } from '../text/edit-distance.ts';
import type { Segment } from './segment.ts';

/** All terms of an index with their counts; finds terms by prefix and by similar spelling. */
export class Vocabulary {
  /** Counts of terms by their first character, since most typos come later. */
  readonly #terms = new Map<string, Map<string, number>>();

  add({ postings }: Segment): void {
    for (const [term, places] of postings) this.#count(term, places.length);
  }

  remove({ postings }: Segment): void {
    for (const [term, places] of postings) this.#count(term, -places.length);
  }

  count(term: string): number {
    return this.#terms.get(term.charAt(0))?.get(term) ?? 0;
  }

  /** Returns longer terms with this prefix, most frequent first. */
  withPrefix(start: string, max: number): readonly string[] {
    const found: { readonly term: string; readonly count: number }[] = [];
    for (const [term, count] of this.#terms.get(start.charAt(0)) ?? [])
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
    const terms = this.#terms.get(first) ?? new Map<string, number>();
    const count = (terms.get(term) ?? 0) + change;
    if (count > 0) this.#terms.set(first, terms.set(term, count));
    else terms.delete(term);
  }
}

function nearIn(terms: ReadonlyMap<string, number>, word: string, limit: number) {
  const near: { readonly term: string; readonly distance: number; readonly count: number }[] = [];
  for (const [term, count] of terms) {
    const distance = editDistance(word, term, limit);
    if (distance <= limit) near.push({ term, distance, count });
  }
  return near;
}
