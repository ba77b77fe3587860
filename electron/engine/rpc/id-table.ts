/**
 * Entries by integer ids that count up. A Map does the same, but one whose entries come and go by the thousand leaves
 * a chain of outgrown tables behind, through which what was deleted long ago keeps being copied by the collector.
 */
export class IdTable<Entry extends { readonly id: number }> {
  /** Each entry stands at its id's place or, where that is taken, at the next free one. */
  #slots: (Entry | undefined)[] = emptySlots(16);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  set(entry: Entry): void {
    if (this.#size * 2 >= this.#slots.length) this.#grow();
    this.#put(entry);
    this.#size += 1;
  }

  get(id: number): Entry | undefined {
    return this.#slots[this.#find(id)];
  }

  /** The entry, which is no longer there after that. */
  take(id: number): Entry | undefined {
    const place = this.#find(id);
    const entry = this.#slots[place];
    if (entry !== undefined) this.#clear(place);
    return entry;
  }

  /** In the order of their ids. */
  all(): readonly Entry[] {
    const entries = this.#slots.filter((entry) => entry !== undefined);
    return entries.sort((one, other) => one.id - other.id);
  }

  clear(): void {
    this.#slots = emptySlots(16);
    this.#size = 0;
  }

  /** Where the entry is, or would be. */
  #find(id: number): number {
    let place = this.#home(id);
    for (let entry = this.#slots[place]; entry !== undefined; entry = this.#slots[place]) {
      if (entry.id === id) return place;
      place = this.#after(place);
    }
    return place;
  }

  #put(entry: Entry): void {
    this.#slots[this.#find(entry.id)] = entry;
  }

  /** Entries that stand behind a place because it was taken move up, so that no search ends too early. */
  #clear(place: number): void {
    this.#slots[place] = undefined;
    this.#size -= 1;
    let next = this.#after(place);
    for (let entry = this.#slots[next]; entry !== undefined; entry = this.#slots[next]) {
      this.#slots[next] = undefined;
      this.#put(entry);
      next = this.#after(next);
    }
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = emptySlots(before.length * 2);
    for (const entry of before) if (entry !== undefined) this.#put(entry);
  }

  /** The length is a power of two. */
  #home(id: number): number {
    return id & (this.#slots.length - 1);
  }

  #after(place: number): number {
    return (place + 1) & (this.#slots.length - 1);
  }
}

function emptySlots<Entry>(length: number): (Entry | undefined)[] {
  return Array.from({ length });
}
