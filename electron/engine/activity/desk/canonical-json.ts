/**
 * The one text of all JSON that says the same: members in the order of their names, no white space between them, numbers as
 * they are written. Text that is no JSON is left as it is.
 */
export function canonicalJson(json: string): string {
  try {
    return written(JSON.parse(withNumbersAsText(json)));
  } catch {
    return json;
  }
}

/** Every string is marked as one, names of members too, and every number becomes a string that is not. */
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
