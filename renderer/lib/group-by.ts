/** Groups the items by key, in order. */
export function groupBy<T>(items: readonly T[], key: (item: T) => string): Record<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return Object.fromEntries(groups);
}
