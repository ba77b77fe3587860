/**
 * Returns the same text for all JSON that says the same: members sorted by name, no white space, numbers as
 * written. Returns text that is not JSON unchanged.
 */
export function canonicalJson(json: string): string {
  try {
    return written(JSON.parse(withNumbersAsText(json)));
  } catch {
    return json;
  }
}

/** Marks every string as one, member names included, and turns every number into an unmarked string. */
function withNumbersAsText(json: string): string {
  return json.replace(/"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"') ? `"s${token.slice(1)}` : `"${token}"`,
  );
}

function written(value: unknown): string {
  if (typeof value === 'string') return value.startsWith('s') ? JSON.stringify(value.slice(1)) : value;
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const members = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(members).sort();
  return `{${names.map((name) => `${JSON.stringify(name.slice(1))}:${written(members[name])}`).join(',')}}`;
}
