import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../../../shared/json.ts';
import { type ConfigFormat, type Entry, type EntryLocation, FormatError } from '../format/contract.ts';
import { mergedEntry } from '../format/merged-entry.ts';

type Values = Readonly<Record<string, unknown>>;

/** Returns the entry at its place as plain values; undefined if there is none. Throws {@link FormatFault}. */
export function entryIn(format: ConfigFormat, text: string, place: EntryLocation): unknown {
  return entriesIn(format, text, place)[place.key];
}

/** Returns all entries under a root. Throws {@link FormatFault}. */
export function entriesIn(format: ConfigFormat, text: string, place: Omit<EntryLocation, 'key'>): Values {
  return asEntries(rootsOf(format, text), place);
}

/**
 * Returns the text with the members of the entry in its place; other members that it has there stay. Throws
 * {@link FormatFault} if that would change anything else.
 */
export function withEntry(format: ConfigFormat, text: string, place: EntryLocation, entry: Entry): string {
  const present = entryIn(format, text, place);
  const wanted = mergedEntry(present, parsedEntry(format, entry));
  if (isDeepStrictEqual(present, wanted)) return text;
  return checkedEdit(format, text, place, wanted, () => format.put(text, place, entry));
}

/** Returns the text without the entry. Throws {@link FormatFault} like {@link withEntry}. */
export function withoutEntry(
  format: ConfigFormat,
  text: string,
  place: EntryLocation,
  withRoot: boolean,
): string {
  if (entryIn(format, text, place) === undefined) return text;
  return checkedEdit(format, text, place, undefined, () => format.remove(text, place, withRoot));
}

/** Accepts an edit only if the entry is as wanted, and nothing else has changed. */
function checkedEdit(
  format: ConfigFormat,
  text: string,
  place: EntryLocation,
  entry: unknown,
  edit: () => string,
): string {
  const wanted = withChange(rootsOf(format, text), place, entry);
  const next = edit();
  if (isDeepStrictEqual(withoutEmptyRoot(editedRoots(format, next), place), withoutEmptyRoot(wanted, place)))
    return next;
  throw new FormatError('the Patchbay entry cannot be edited without changing something else');
}

/** The text as it was could be parsed, so only the form of its entries can be why the edited one cannot. */
function editedRoots(format: ConfigFormat, next: string): Values {
  try {
    return rootsOf(format, next);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw new FormatError('its entries are on one line, where Patchbay cannot add its own');
  }
}

/** Returns whether two texts are equal except for the entries at `places`. */
export function equalExceptAt(
  format: ConfigFormat,
  a: string,
  b: string,
  places: readonly EntryLocation[],
): boolean {
  const rest = (text: string) =>
    places.reduce<Values>(
      (roots, place) => withoutEmptyRoot(withChange(roots, place, undefined), place),
      rootsOf(format, text),
    );
  return isDeepStrictEqual(rest(a), rest(b));
}

function withChange(roots: Values, place: EntryLocation, entry: unknown): Values {
  const [step, ...within] = place.within ?? [];
  if (step !== undefined) {
    const inner = isRecord(roots[step]) ? roots[step] : {};
    return withMember(roots, step, withChange(inner, { ...place, within }, entry));
  }
  const others = Object.entries(asEntries(roots, place)).filter(([name]) => name !== place.key);
  const entries = entry === undefined ? others : [...others, [place.key, entry] as const];
  return withMember(roots, place.root, Object.fromEntries(entries));
}

/** Treats an empty root as a missing one. */
function withoutEmptyRoot(roots: Values, place: EntryLocation): Values {
  const [step, ...within] = place.within ?? [];
  if (step !== undefined) {
    const inner = isRecord(roots[step]) ? roots[step] : {};
    return withMember(roots, step, withoutEmptyRoot(inner, { ...place, within }));
  }
  const isEmpty = Object.keys(asEntries(roots, place)).length === 0;
  return isEmpty ? Object.fromEntries(Object.entries(roots).filter(([name]) => name !== place.root)) : roots;
}

function withMember(roots: Values, root: string, value: unknown): Values {
  return Object.fromEntries([...Object.entries(roots).filter(([name]) => name !== root), [root, value]]);
}

function rootsOf(format: ConfigFormat, text: string): Values {
  const value = format.parse(text);
  if (!isRecord(value)) throw new FormatError('it has no settings at the top level');
  return value;
}

function asEntries(roots: Values, { within = [], root }: Omit<EntryLocation, 'key'>): Values {
  const holder = within.reduce<unknown>((found, step) => (isRecord(found) ? found[step] : undefined), roots);
  const value = isRecord(holder) ? (holder[root] ?? undefined) : undefined;
  // Programs write null, and in some languages an empty list, for an empty object.
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return {};
  if (!isRecord(value)) throw new FormatError(`"${root}" does not hold entries`);
  return value;
}

/** Converts an entry to the values that the format's parser would return, so that numbers compare. */
function parsedEntry(format: ConfigFormat, entry: Entry): unknown {
  const place = { root: 'root', key: 'entry' };
  return asEntries(rootsOf(format, format.render(place, entry)), place).entry;
}
