/**
 * Returns a key that every client accepts: `my-files` for `My Files`. Unchanged if it already is one; empty
 * if nothing usable remains.
 */
export function plainKey(key: string): string {
  if (isPlain(key)) return key;
  return key
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^[^a-z]+|(?<!-)-+$/g, '');
}

/** Returns the prefix of the tool names that clients see, with characters replaced as clients do. */
export function toolPrefix(key: string): string {
  return `${key.replace(/[^A-Za-z0-9_-]/g, '_')}__`;
}

function isPlain(key: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_-]*$/.test(key);
}
