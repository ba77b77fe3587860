import { isRecord } from './json.ts';

/**
 * Reads the names and values of an entry's `env` or `headers`, which some programs write as a list or as
 * lines. Undefined for other formats and if any part has no name.
 */
export function parseNameValuePairs(
  written: unknown,
  field: 'env' | 'headers',
): Readonly<Record<string, string>> | undefined {
  const items =
    typeof written === 'string' ? written.split(/\r?\n/).filter((line) => line.trim() !== '') : written;
  if (!Array.isArray(items)) return undefined;
  const pairs = items.map((item) => (typeof item === 'string' ? splitPair(item, field) : pairOf(item)));
  return pairs.every((pair) => pair !== undefined) ? Object.fromEntries(pairs) : undefined;
}

function splitPair(text: string, field: 'env' | 'headers'): readonly [string, string] | undefined {
  const at = text.search(field === 'env' ? /=/ : /[:=]/);
  const name = text.slice(0, Math.max(0, at)).trim();
  if (!/^[^\s=:"']+$/.test(name)) return undefined;
  const value = text.slice(at + 1);
  return [name, field === 'env' ? value : value.trim()];
}

/** Reads `{name, value}`, `{key, value}` and `{NAME: value}`. */
function pairOf(item: unknown): readonly [string, string] | undefined {
  if (!isRecord(item)) return undefined;
  const name = item.name ?? item.key;
  const members = Object.entries(item);
  const [[found, value] = [], ...others] = name === undefined ? members : [[name, item.value] as const];
  const isPlain = ['string', 'number', 'boolean'].includes(typeof value);
  return typeof found === 'string' && found !== '' && isPlain && others.length === 0
    ? [found, String(value)]
    : undefined;
}
