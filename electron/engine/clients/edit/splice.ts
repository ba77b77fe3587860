/** One stretch of a text that was replaced. */
export interface Splice {
  readonly offset: number;
  readonly removed: string;
  readonly added: string;
}

/** Returns the smallest stretch in which two texts differ. */
export function spliceBetween(before: string, after: string): Splice {
  const commonLength = Math.min(before.length, after.length);
  let head = 0;
  while (head < commonLength && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < commonLength - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return {
    offset: head,
    removed: before.slice(head, before.length - tail),
    added: after.slice(head, after.length - tail),
  };
}

/**
 * Undoes a splice in a text that has changed elsewhere; undefined unless the added text occurs exactly once.
 */
export function unsplice(text: string, { added, removed }: Splice): string | undefined {
  if (added === '') return undefined;
  const at = text.indexOf(added);
  if (at === -1 || text.indexOf(added, at + 1) !== -1) return undefined;
  return text.slice(0, at) + removed + text.slice(at + added.length);
}
