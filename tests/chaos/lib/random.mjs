/**
 * A stream of chance that a seed and a name decide, so that who draws does not move what others draw: the same seed
 * plans the same run, as far as the machine plays along.
 */
export function createRandom(seed, name) {
  let state = hash(`${seed} ${name}`);

  /** 0 to 1; mulberry32. */
  function next() {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  return {
    chance: (share) => next() < share,
    /** A whole number, both ends included. */
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick: (list) => list[Math.floor(next() * list.length)],
    /** The key of one entry, as often as its number says. */
    weighted(weights) {
      const entries = Object.entries(weights);
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of entries) {
        left -= weight;
        if (left < 0) return name;
      }
      return entries.at(-1)[0];
    },
  };
}

/** FNV-1a. */
function hash(text) {
  let value = 0x811c9dc5;
  for (const char of text) value = Math.imul(value ^ char.codePointAt(0), 0x01000193);
  return value;
}
