/**
 * Holds entries that come and go by the thousand. V8 links each outgrown table of a Map to the next one: once one of
 * them is in the old generation, all later ones survive with it, and with their entries, until the next full
 * collection. Starting a new Map from time to time breaks that chain.
 */
export class TransientMap<Key, Value> {
  #map = new Map<Key, Value>();
  #deletions = 0;

  get size(): number {
    return this.#map.size;
  }

  get(key: Key): Value | undefined {
    return this.#map.get(key);
  }

  has(key: Key): boolean {
    return this.#map.has(key);
  }

  set(key: Key, value: Value): void {
    this.#map.set(key, value);
  }

  /** Returns false if there is no such entry. */
  delete(key: Key): boolean {
    if (!this.#map.delete(key)) return false;
    this.#deletions += 1;
    if (this.#deletions > minDeletions && this.#deletions > this.#map.size) this.#restart(this.#map);
    return true;
  }

  clear(): void {
    this.#restart([]);
  }

  /** In the order in which they were set, as they were when it was called. */
  keys(): readonly Key[] {
    return [...this.#map.keys()];
  }

  /** In the order in which they were set, as they were when it was called. */
  values(): readonly Value[] {
    return [...this.#map.values()];
  }

  #restart(entries: Iterable<readonly [Key, Value]>): void {
    this.#map = new Map(entries);
    this.#deletions = 0;
  }
}

/** A set of such entries. */
export class TransientSet<Value> {
  readonly #map = new TransientMap<Value, true>();

  get size(): number {
    return this.#map.size;
  }

  add(value: Value): void {
    this.#map.set(value, true);
  }

  delete(value: Value): boolean {
    return this.#map.delete(value);
  }

  /** In the order in which they were added, as they were when it was called. */
  values(): readonly Value[] {
    return this.#map.keys();
  }
}

const minDeletions = 256;
