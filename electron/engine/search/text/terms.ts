import { stemmer } from 'stemmer';
import { irregularStems } from './irregular-stems.ts';
import { stopWords } from './stop-words.ts';
import { type Word, wordsOf } from './words.ts';

/** Stems words and caches the result, since a catalogue has few distinct words. */
export class Stems {
  readonly #known = new Map<string, string>();

  of(word: string): string {
    const known = this.#known.get(word);
    if (known !== undefined) return known;
    if (this.#known.size >= maxCached) this.#known.clear();
    const stem = irregularStems.get(word) ?? (/^[a-z]{3,}$/.test(word) ? stemmer(word) : word);
    this.#known.set(word, stem);
    return stem;
  }
}

const maxCached = 20_000;

export interface Term extends Word {
  readonly stem: string;
}

/** Returns the meaningful words of a text, or all words if there are none. */
export function termsOf(text: string, stems: Stems): readonly Term[] {
  const words = wordsOf(text);
  const telling: Term[] = [];
  for (const { text: word, start, end } of words)
    if (!stopWords.has(word)) telling.push({ text: word, start, end, stem: stems.of(word) });
  return telling.length > 0 ? telling : words.map((word) => ({ ...word, stem: stems.of(word.text) }));
}
