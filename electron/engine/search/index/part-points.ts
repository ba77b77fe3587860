/**
 * Scores each part of a query separately for the documents of a segment. A query that asks for several things
 * wants tools for one of them as much as tools with a word of each.
 */
export class PartScores {
  #points = new Float64Array(0);
  #documents = 0;
  #parts = 1;

  begin(words: readonly { readonly parts: number }[], documents: number): void {
    this.#documents = documents;
    this.#parts = 32 - Math.clz32(words.reduce((all, { parts }) => all | parts, 1));
    const size = this.#parts * documents;
    if (this.#parts > 1 && this.#points.length < size) this.#points = new Float64Array(size);
  }

  /** Adds points of a word that occurs in these parts. */
  add(place: number, inParts: number, points: number): void {
    if (this.#parts === 1) return;
    for (let part = 0; part < this.#parts; part += 1) {
      if ((inParts & (1 << part)) === 0) continue;
      const at = part * this.#documents + place;
      this.#points[at] = (this.#points[at] ?? 0) + points;
    }
  }

  /** Mixes the total score with that of the best part, and resets the parts. */
  mixed(place: number, whole: number): number {
    if (this.#parts === 1) return whole;
    let best = 0;
    for (let part = 0; part < this.#parts; part += 1) {
      const at = part * this.#documents + place;
      best = Math.max(best, this.#points[at] ?? 0);
      this.#points[at] = 0;
    }
    return (whole + best) / 2;
  }
}
