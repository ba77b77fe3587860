import { isRecord } from '../../../../shared/json.ts';
import type { ValuePlace } from '../../../../shared/model/server/missing-value.ts';
import { parseNameValuePairs } from '../../../../shared/name-value-pairs.ts';
import type { Path } from '../jsonc/tree.ts';
import { type Entry, placesOf } from './aliases.ts';
import { variableForms } from './expand.ts';
import { placeholdersIn } from './placeholders.ts';
import { headerWords, secretNameOf } from './plain-secrets.ts';

/**
 * Returns a name for the secret that is entered at a location; undefined if the entry has no such location.
 */
export function nameForSecret(entry: Entry, key: string, place: ValuePlace): string | undefined {
  switch (place.kind) {
    case 'header':
      return isRemote(entry) ? secretNameOf(`${key} ${headerWords(place.header)}`) : undefined;
    case 'env':
      return isRemote(entry) ? undefined : secretNameOf(place.name);
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
  const headers = membersOf(fieldOf(entry, 'headers')[1], 'headers');
  const value = headers[headerName(headers, place.header)];
  return typeof value === 'string' ? /\$\{secret:([^{}]+)\}$/.exec(value)?.[1] : undefined;
}

/** Returns the entry with a reference to the secret at the location. */
export function withSecretAt(entry: Entry, key: string, place: ValuePlace, name: string): Entry {
  const reference = `\${secret:${name}}`;
  switch (place.kind) {
    case 'header':
      return withField(entry, 'headers', (headers) => withHeader(headers, place, reference));
    case 'env':
      return withField(entry, 'env', (env) => ({ ...membersOf(env, 'env'), [place.name]: reference }));
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

function isRemote(entry: Entry): boolean {
  return placesOf(entry, 'url').some(([, url]) => typeof url === 'string');
}

/** Returns where the entry holds a field, under any program's name, with its value. */
function fieldOf(entry: Entry, field: 'env' | 'headers'): readonly [Path, unknown] {
  return placesOf(entry, field)[0] ?? [[field], undefined];
}

function withField(entry: Entry, field: 'env' | 'headers', change: (value: unknown) => Entry): Entry {
  const [path] = fieldOf(entry, field);
  const edited = (value: unknown, [step, ...rest]: Path): unknown =>
    step === undefined ? change(value) : withMember(value, String(step), (one) => edited(one, rest));
  return { ...entry, ...(edited(entry, path) as Entry) };
}

function withMember(value: unknown, name: string, change: (value: unknown) => unknown): Entry {
  const record = isRecord(value) ? value : {};
  return { ...record, [name]: change(record[name]) };
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

function replaceVariable(text: string, name: string, reference: string): string {
  return text.replace(
    variableForms(name),
    (_, ...[scheme = '', before = '']: string[]) => scheme + before + reference,
  );
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
