import { isRecord } from '../../../shared/json.ts';
import type { ValuePlace } from '../../../shared/model/missing-value.ts';
import { parseNameValuePairs } from '../../../shared/named-texts.ts';
import { placeholdersIn } from './placeholders.ts';
import { headerWords, secretNameOf } from './plain-secrets.ts';
import type { Path } from './tree.ts';

type Entry = Readonly<Record<string, unknown>>;

/**
 * Returns a name for the secret that is entered at a location; undefined if the entry has no such location.
 */
export function nameForSecret(entry: Entry, key: string, place: ValuePlace): string | undefined {
  switch (place.kind) {
    case 'header':
      return typeof entry.url === 'string' ? secretNameOf(`${key} ${headerWords(place.header)}`) : undefined;
    case 'env':
      return typeof entry.url === 'string' ? undefined : secretNameOf(place.name);
    case 'secret':
      return place.name;
    case 'variable':
      return secretNameOf(place.name.replace(/^input:/, ''));
    case 'placeholder':
      return placeholderAt(entry, key, place.field)?.name;
  }
}

/** Returns the secret that the entry refers to at a location. */
export function secretAt(entry: Entry, place: ValuePlace): string | undefined {
  if (place.kind === 'secret') return place.name;
  if (place.kind !== 'header') return undefined;
  const headers = membersOf(entry.headers, 'headers');
  const value = headers[headerName(headers, place.header)];
  return typeof value === 'string' ? /\$\{secret:([^{}]+)\}$/.exec(value)?.[1] : undefined;
}

/** Returns the entry with a reference to the secret at the location. */
export function withSecretAt(entry: Entry, key: string, place: ValuePlace, name: string): Entry {
  const reference = `\${secret:${name}}`;
  switch (place.kind) {
    case 'header':
      return { ...entry, headers: withHeader(entry.headers, place, reference) };
    case 'env':
      return { ...entry, env: { ...membersOf(entry.env, 'env'), [place.name]: reference } };
    case 'secret':
      return entry;
    case 'variable':
      return mapTexts(entry, (text) => replaceVariable(text, place.name, reference));
    case 'placeholder': {
      const found = placeholderAt(entry, key, place.field);
      return found === undefined
        ? entry
        : mapTexts(entry, (text, path) =>
            path.join('.') === place.field
              ? `${text.slice(0, found.from)}${reference}${text.slice(found.to)}`
              : text,
          );
    }
  }
}

function placeholderAt(entry: Entry, key: string, field: string) {
  return placeholdersIn(entry, key).find(({ path }) => path.join('.') === field);
}

function membersOf(value: unknown, field: 'env' | 'headers'): Entry {
  return isRecord(value) ? value : (parseNameValuePairs(value, field) ?? {});
}

function withHeader(
  headers: unknown,
  { header, scheme, replaces }: Extract<ValuePlace, { kind: 'header' }>,
  reference: string,
): Entry {
  const known = membersOf(headers, 'headers');
  const name = headerName(known, header);
  const old = replaces === undefined ? name : headerName(known, replaces);
  const { [old]: _, ...others } = known;
  const kept = old === name ? known : others;
  return { ...kept, [name]: scheme === '' ? reference : `${scheme} ${reference}` };
}

/** Returns a header's name as written in the entry, if it exists. */
function headerName(headers: Entry, header: string): string {
  return Object.keys(headers).find((name) => name.toLowerCase() === header.toLowerCase()) ?? header;
}

/** `$$NAME` is an escaped dollar sign, see `expandText`. */
function replaceVariable(text: string, name: string, reference: string): string {
  const plain = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(`(?<!\\$)\\$(?:\\{(?:env:)?${plain}\\}|${plain}(?![A-Za-z0-9_:]))`, 'g');
  return text.replace(pattern, () => reference);
}

function mapTexts(entry: Entry, change: (text: string, path: Path) => string): Entry {
  const mapped = (value: unknown, path: Path): unknown => {
    if (typeof value === 'string') return change(value, path);
    if (Array.isArray(value)) return value.map((item, index) => mapped(item, [...path, index]));
    if (!isRecord(value)) return value;
    return mappedRecord(value, path);
  };
  const mappedRecord = (record: Entry, path: Path): Entry =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, mapped(value, [...path, name])]));
  return mappedRecord(entry, []);
}
