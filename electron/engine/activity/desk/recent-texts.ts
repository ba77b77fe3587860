/**
 * What was made of texts that came a moment ago: the same questions are asked, and answered alike, again and again. Bounded by
 * forgetting all of it.
 */
export class RecentTexts<T> {
  readonly #made = new Map<string, T>();
  #size = 0;

  get(text: string): T | undefined {
    return text.length <= longest ? this.#made.get(text) : undefined;
  }

  set(text: string, made: T): void {
    if (text.length > longest) return;
    if (this.#size + text.length > most) this.forget();
    this.#size += text.length;
    this.#made.set(text, made);
  }

  forget(): void {
    this.#made.clear();
    this.#size = 0;
  }
}

/** Characters. */
const longest = 4 * 1024;
const most = 64 * 1024;
