/** Those of some canonical ids that name no tool known now: mistyped, or of a server that is yet to connect. */
export function unknownTools(ids: readonly string[], known: readonly string[]): readonly string[] {
  if (ids.length === 0) return [];
  const all = new Set(known);
  return ids.filter((id) => !all.has(id));
}
