import type { RawItem } from '../contract.ts';

/**
 * Maps the members of an object and removes those mapped to undefined; returns the same object if none
 * differs.
 */
export function mapMembers(members: RawItem, map: (name: string, value: unknown) => unknown): RawItem {
  let changed: Map<string, unknown> | undefined;
  for (const name of Object.keys(members)) {
    const value = map(name, members[name]);
    if (value === members[name]) continue;
    changed ??= new Map(Object.entries(members));
    if (value === undefined) changed.delete(name);
    else changed.set(name, value);
  }
  return changed === undefined ? members : Object.fromEntries(changed);
}

/** Maps a list in the same way. */
export function mapItems(
  items: readonly unknown[],
  map: (item: unknown, index: number) => unknown,
): readonly unknown[] {
  const mapped = items.map((item, index) => map(item, index));
  if (mapped.every((item, index) => item === items[index])) return items;
  return mapped.filter((item) => item !== undefined);
}
