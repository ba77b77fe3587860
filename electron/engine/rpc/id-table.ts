/**
 * A hash table for entries with ascending integer ids. A Map under a constant flood of insertions and
 * deletions leaves a chain of outgrown tables behind, through which the garbage collector keeps copying
 * deleted entries.
 */
export class IdTable<Entry extends { readonly id: number }> {
  /** Open addressing: each entry is in the slot of its id or, if that is taken, in the next free one. */
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

  /** Removes the entry and returns it. */
  take(id: number): Entry | undefined {
    const slot = this.#find(id);
    const entry = this.#slots[slot];
    if (entry !== undefined) this.#clear(slot);
    return entry;
  }

  /** Returns all entries, ordered by id. */
  all(): readonly Entry[] {
    const entries = this.#slots.filter((entry) => entry !== undefined);
    return entries.sort((one, other) => one.id - other.id);
  }

  clear(): void {
    this.#slots = emptySlots(16);
    this.#size = 0;
  }

  /** Returns the slot that holds the entry, or the one where it would be inserted. */
  #find(id: number): number {
    let slot = this.#firstSlotOf(id);
    for (let entry = this.#slots[slot]; entry !== undefined; entry = this.#slots[slot]) {
      if (entry.id === id) return slot;
      slot = this.#slotAfter(slot);
    }
    return slot;
  }

  #put(entry: Entry): void {
    this.#slots[this.#find(entry.id)] = entry;
  }

  /** Moves up the entries that follow, so that no lookup stops at the new gap. */
  #clear(slot: number): void {
    this.#slots[slot] = undefined;
    this.#size -= 1;
    let next = this.#slotAfter(slot);
    for (let entry = this.#slots[next]; entry !== undefined; entry = this.#slots[next]) {
      this.#slots[next] = undefined;
      this.#put(entry);
      next = this.#slotAfter(next);
    }
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = emptySlots(before.length * 2);
    for (const entry of before) if (entry !== undefined) this.#put(entry);
  }

  /** Masking works because the length is a power of two. */
  #firstSlotOf(id: number): number {
    return id & (this.#slots.length - 1);
  }

  #slotAfter(slot: number): number {
    return (slot + 1) & (this.#slots.length - 1);
  }
}

function emptySlots<Entry>(length: number): (Entry | undefined)[] {
  return Array.from({ length });
}
