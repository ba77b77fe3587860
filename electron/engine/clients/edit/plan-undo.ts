import { isDeepStrictEqual } from 'node:util';
import { digestOfText } from '../../base/digest.ts';
import { readTextIfExists } from '../../store/atomic-file.ts';
import { readClientFile, requireWritable } from '../file/client-file.ts';
import type { ConfigFormat, Entry, EntryLocation } from '../format/contract.ts';
import type { Connection } from '../journal/connections.ts';
import type { ConnectLine } from '../journal/journal-line.ts';
import { entryIn, equalExceptAt, withEntry, withoutEntry } from './entry-edit.ts';
import { withEdit, withFormatProblems, withoutByteOrderMark } from './plan-edit.ts';
import { spliceBetween, unsplice } from './splice.ts';

/** How our entry is removed from a file. */
export type PlannedUndo =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'deleted'; readonly before: string }
  | { readonly kind: 'restored' | 'entry-removed'; readonly before: string; readonly after: string };

/**
 * Restores the original bytes if the file is as we left it. Otherwise removes our entry and returns the
 * entries it replaced: by undoing the exact edit if its characters are still together, or entry by entry.
 * Rejects with `client.config_unusable`.
 */
export async function planUndo(connection: Connection, format: ConfigFormat): Promise<PlannedUndo> {
  const { file, writes } = connection;
  const before = await readClientFile(file);
  if (before === undefined) return { kind: 'nothing' };
  await requireWritable(file);
  const last = writes[writes.length - 1] ?? writes[0];
  const place = locationOf(last);
  const at = writes.findLastIndex(({ hadEntry }) => !hadEntry);
  const first = writes[at];
  const original = first === undefined ? undefined : await backupBefore(first);
  if (first !== undefined && digestOfText(before) === last.after && isUnbroken(writes.slice(at))) {
    if (first.before === undefined) return { kind: 'deleted', before };
    if (original !== undefined) return { kind: 'restored', before, after: original };
  }
  const since = at === -1 ? writes : writes.slice(at);
  const removed = await removedEntries(since, format);
  return withFormatProblems(file, () => {
    const text = withoutByteOrderMark(before);
    const isThere = entryIn(format, text, place) !== undefined;
    if (!isThere && removed.length === 0) return { kind: 'nothing' };
    const exact =
      original === undefined || first === undefined || since.slice(1).some(hasRemovals)
        ? undefined
        : withExactUndo(format, text, original, first);
    const after =
      exact ??
      withRestoredEntries(
        format,
        withoutEntry(format, text, place, createdRoot(format, original, last)),
        removed,
      );
    return { kind: 'entry-removed', before, after };
  });
}

/** Returns the entries that one write removed, and keeps our entry; see {@link planUndo}. */
export async function planRestoreEntries(
  { file }: Connection,
  write: ConnectLine,
  format: ConfigFormat,
): Promise<PlannedUndo> {
  const before = await readClientFile(file);
  if (before === undefined) return { kind: 'nothing' };
  await requireWritable(file);
  const original = await backupBefore(write);
  if (digestOfText(before) === write.after && original !== undefined)
    return { kind: 'restored', before, after: original };
  const removed = await removedEntries([write], format);
  return withFormatProblems(file, () => {
    const after = withRestoredEntries(format, withoutByteOrderMark(before), removed);
    return { kind: 'entry-removed', before, after };
  });
}

/** Returns whether each write found the file as the previous one left it. */
function isUnbroken(writes: readonly ConnectLine[]): boolean {
  return writes.every((write, index) => index === 0 || write.before === writes[index - 1]?.after);
}

interface RemovedEntry {
  readonly place: EntryLocation;
  readonly entry: Entry;
}

function hasRemovals({ taken = [] }: ConnectLine): boolean {
  return taken.length > 0;
}

/** Returns entries that writes removed, from the backups of the file. */
async function removedEntries(
  writes: readonly ConnectLine[],
  format: ConfigFormat,
): Promise<readonly RemovedEntry[]> {
  const found = await Promise.all(
    writes.map(async (write) => {
      const { taken = [] } = write;
      const text = taken.length === 0 ? undefined : await backupBefore(write);
      if (text === undefined) return [];
      return taken.map((place) => ({
        place,
        entry: entryIn(format, withoutByteOrderMark(text), place) as Entry,
      }));
    }),
  );
  return found.flat();
}

/** Adds the entries that are missing; existing ones stay. */
function withRestoredEntries(format: ConfigFormat, text: string, removed: readonly RemovedEntry[]): string {
  return removed.reduce(
    (kept, { place, entry }) =>
      entryIn(format, kept, place) === undefined ? withEntry(format, kept, place, entry) : kept,
    text,
  );
}

/** Returns the text with the exact edit undone; undefined if its characters are no longer together. */
function withExactUndo(
  format: ConfigFormat,
  text: string,
  original: string,
  line: ConnectLine,
): string | undefined {
  const { entry, taken = [] } = line;
  const place = locationOf(line);
  const source = withoutByteOrderMark(original);
  const spliced = unsplice(text, spliceBetween(source, withEdit(format, source, { place, entry, taken })));
  if (spliced === undefined) return undefined;
  try {
    const isBack =
      entryIn(format, spliced, place) === undefined &&
      taken.every((one) => isDeepStrictEqual(entryIn(format, spliced, one), entryIn(format, source, one))) &&
      equalExceptAt(format, text, spliced, [place, ...taken]);
    return isBack ? spliced : undefined;
  } catch {
    return undefined;
  }
}

function locationOf({ within, root, key }: ConnectLine): EntryLocation {
  return { within, root, key };
}

function createdRoot(
  format: ConfigFormat,
  original: string | undefined,
  { within, root }: ConnectLine,
): boolean {
  // A root inside another is never created, only used.
  if (within !== undefined) return false;
  return (
    original === undefined || !Object.hasOwn(format.parse(withoutByteOrderMark(original)) as object, root)
  );
}

/** Returns the backup from before a write, if it is intact. */
async function backupBefore({ backup, before }: ConnectLine): Promise<string | undefined> {
  if (backup === undefined) return before === undefined ? '' : undefined;
  const text = await readTextIfExists(backup).catch(() => undefined);
  return text !== undefined && digestOfText(text) === before ? text : undefined;
}
