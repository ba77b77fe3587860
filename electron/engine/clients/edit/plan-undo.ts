import { isDeepStrictEqual } from 'node:util';
import { digestOfText } from '../../base/digest.ts';
import { readTextIfExists } from '../../store/atomic-file.ts';
import { readClientFile, requireWritable } from '../file/client-file.ts';
import type { ConfigFormat, Entry, EntryPlace } from '../format/contract.ts';
import type { Connection } from '../journal/connections.ts';
import type { ConnectLine } from '../journal/journal-line.ts';
import { entryIn, saysTheSame, withEntry, withoutEntry } from './entry-edit.ts';
import { understood, withEdit, withoutMark } from './plan-edit.ts';
import { spliceBetween, unsplice } from './splice.ts';

/** How our entry leaves a file. */
export type PlannedUndo =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'deleted'; readonly before: string }
  | { readonly kind: 'restored' | 'entry-removed'; readonly before: string; readonly after: string };

/**
 * To the byte what was there before, if the file is as we left it; else without our entry and with those that it stood
 * for, by taking back the very characters that were changed where they still stand together, or entry by entry. Rejects
 * with `client.config_unusable`.
 */
export async function planUndo(connection: Connection, format: ConfigFormat): Promise<PlannedUndo> {
  const { file, writes } = connection;
  const before = await readClientFile(file);
  if (before === undefined) return { kind: 'nothing' };
  await requireWritable(file);
  const last = writes[writes.length - 1] ?? writes[0];
  const place = placeOf(last);
  const at = writes.findLastIndex(({ hadEntry }) => !hadEntry);
  const first = writes[at];
  const original = first === undefined ? undefined : await backedUp(first);
  if (first !== undefined && digestOfText(before) === last.after && isUnbroken(writes.slice(at))) {
    if (first.before === undefined) return { kind: 'deleted', before };
    if (original !== undefined) return { kind: 'restored', before, after: original };
  }
  const since = at === -1 ? writes : writes.slice(at);
  const taken = await takenEntries(since, format);
  return understood(file, () => {
    const text = withoutMark(before);
    const isThere = entryIn(format, text, place) !== undefined;
    if (!isThere && taken.length === 0) return { kind: 'nothing' };
    const exact =
      original === undefined || first === undefined || since.slice(1).some(takes)
        ? undefined
        : takenBack(format, text, original, first);
    const after =
      exact ?? givenBack(format, withoutEntry(format, text, place, madeRoot(format, original, last)), taken);
    return { kind: 'entry-removed', before, after };
  });
}

/** How the entries that one write took come back while our entry stays; see {@link planUndo}. */
export async function planGiveBack(
  { file }: Connection,
  write: ConnectLine,
  format: ConfigFormat,
): Promise<PlannedUndo> {
  const before = await readClientFile(file);
  if (before === undefined) return { kind: 'nothing' };
  await requireWritable(file);
  const original = await backedUp(write);
  if (digestOfText(before) === write.after && original !== undefined)
    return { kind: 'restored', before, after: original };
  const taken = await takenEntries([write], format);
  return understood(file, () => {
    const after = givenBack(format, withoutMark(before), taken);
    return { kind: 'entry-removed', before, after };
  });
}

/** Whether each write found what the one before had left. */
function isUnbroken(writes: readonly ConnectLine[]): boolean {
  return writes.every((write, index) => index === 0 || write.before === writes[index - 1]?.after);
}

interface TakenEntry {
  readonly place: EntryPlace;
  readonly entry: Entry;
}

function takes({ taken = [] }: ConnectLine): boolean {
  return taken.length > 0;
}

/** Entries that writes took out, as the copies of the file hold them. */
async function takenEntries(
  writes: readonly ConnectLine[],
  format: ConfigFormat,
): Promise<readonly TakenEntry[]> {
  const found = await Promise.all(
    writes.map(async (write) => {
      const { taken = [] } = write;
      const text = taken.length === 0 ? undefined : await backedUp(write);
      if (text === undefined) return [];
      return taken.map((place) => ({ place, entry: entryIn(format, withoutMark(text), place) as Entry }));
    }),
  );
  return found.flat();
}

/** Keeps what is there by now. */
function givenBack(format: ConfigFormat, text: string, taken: readonly TakenEntry[]): string {
  return taken.reduce(
    (kept, { place, entry }) =>
      entryIn(format, kept, place) === undefined ? withEntry(format, kept, place, entry) : kept,
    text,
  );
}

/** The text with the very characters of a write taken back; undefined where they do not stand together any more. */
function takenBack(
  format: ConfigFormat,
  text: string,
  original: string,
  line: ConnectLine,
): string | undefined {
  const { entry, taken = [] } = line;
  const place = placeOf(line);
  const source = withoutMark(original);
  const spliced = unsplice(text, spliceBetween(source, withEdit(format, source, { place, entry, taken })));
  if (spliced === undefined) return undefined;
  try {
    const isBack =
      entryIn(format, spliced, place) === undefined &&
      taken.every((one) => isDeepStrictEqual(entryIn(format, spliced, one), entryIn(format, source, one))) &&
      saysTheSame(format, text, spliced, [place, ...taken]);
    return isBack ? spliced : undefined;
  } catch {
    return undefined;
  }
}

function placeOf({ within, root, key }: ConnectLine): EntryPlace {
  return { within, root, key };
}

function madeRoot(
  format: ConfigFormat,
  original: string | undefined,
  { within, root }: ConnectLine,
): boolean {
  // One inside another is only used where it is there.
  if (within !== undefined) return false;
  return original === undefined || !Object.hasOwn(format.parse(withoutMark(original)) as object, root);
}

/** The copy of the file from before a write, if it still is that. */
async function backedUp({ backup, before }: ConnectLine): Promise<string | undefined> {
  if (backup === undefined) return before === undefined ? '' : undefined;
  const text = await readTextIfExists(backup).catch(() => undefined);
  return text !== undefined && digestOfText(text) === before ? text : undefined;
}
