/** Splits words that are made of two known ones. */
export class Compounds {
  readonly #known: ReadonlySet<string>;

  /** `known`: words that may be parts, in lower case. */
  constructor(known: Iterable<string>) {
    const words = [...known].filter((word) => word.length >= shortestPart);
    this.#known = new Set(words.flatMap((word) => [word, `${word}s`]));
  }

  /** Returns the parts of `timezone` or `searchusers`; nothing for other words. */
  partsOf(word: string): readonly string[] {
    if (word.length < 2 * shortestPart || this.#known.has(word)) return none;
    // Tries a long first part first: it is more likely to be a word.
    for (let at = word.length - shortestPart; at >= shortestPart; at -= 1)
      if (this.#known.has(word.slice(0, at)) && this.#known.has(word.slice(at)))
        return [word.slice(0, at), word.slice(at)];
    return none;
  }
}

const none: readonly string[] = [];

const shortestPart = 3;
