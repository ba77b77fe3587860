/**
 * Returns the canonical ids that match no known tool: misspelt, or of a server that has not connected yet.
 */
export function unknownTools(ids: readonly string[], known: readonly string[]): readonly string[] {
  if (ids.length === 0) return [];
  const all = new Set(known);
  return ids.filter((id) => !all.has(id));
}
