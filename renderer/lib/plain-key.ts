/**
 * A key that every client takes as it is: `My Files` as `my-files`. The same where it is one already; empty where nothing
 * of it can be kept.
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

/** The start of the names that clients see, for a key that is not plain with what they put in the place of other signs. */
export function toolPrefix(key: string): string {
  return `${key.replace(/[^A-Za-z0-9_-]/g, '_')}__`;
}

function isPlain(key: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_-]*$/.test(key);
}
