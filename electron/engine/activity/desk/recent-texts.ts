/**
 * Caches what was made of recent texts, since the same calls and answers come again and again. Clears itself
 * when full.
 */
export class RecentTexts<T> {
  readonly #made = new Map<string, T>();
  #size = 0;

  get(text: string): T | undefined {
    return text.length <= maxLength ? this.#made.get(text) : undefined;
  }

  set(text: string, made: T): void {
    if (text.length > maxLength) return;
    if (this.#size + text.length > maxTotal) this.forget();
    this.#size += text.length;
    this.#made.set(text, made);
  }

  forget(): void {
    this.#made.clear();
    this.#size = 0;
  }
}

/** Characters. */
const maxLength = 4 * 1024;
const maxTotal = 64 * 1024;
