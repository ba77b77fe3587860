import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../../../shared/json.ts';
import { readClientFile, requireWritable, unusable } from '../file/client-file.ts';
import type { ConfigFormat, Entry, EntryPlace } from '../format/contract.ts';
import { FormatFault } from '../format/contract.ts';
import { entriesIn, entryIn, withEntry, withoutEntry } from './entry-edit.ts';

/** What would be written to one file. */
export interface PlannedEdit {
  readonly file: string;
  readonly place: EntryPlace;
  readonly entry: Entry;
  /** Entries of others that go, since Patchbay runs them. */
  readonly taken: readonly EntryPlace[];
  /** As it is now, byte order mark included; undefined where there is none. */
  readonly before: string | undefined;
  readonly after: string;
  /** An entry of ours is there already. */
  readonly hadEntry: boolean;
}

export interface EditWish {
  readonly file: string;
  readonly format: ConfigFormat;
  readonly root: string;
  /** Holds the entries inside the root where a file has it: newer versions of a client keep them a level deeper. */
  readonly innerRoot: string | undefined;
  readonly entry: Entry;
  /** Whether an entry found in a file is one of ours. */
  readonly isOurs: (entry: Entry) => boolean;
  /** Entries of others that are to go, as far as they are there. */
  readonly take: readonly EntryPlace[];
}

/** Reads a file and works out the edit; writes nothing. Rejects with `client.config_unusable`. */
export async function planEdit({
  file,
  format,
  entry,
  isOurs,
  take,
  ...roots
}: EditWish): Promise<PlannedEdit> {
  const before = await readClientFile(file);
  await requireWritable(file);
  const text = withoutMark(before ?? '');
  return understood(file, () => {
    const place = placeIn(format, text, { ...roots, isOurs });
    const entries = entriesIn(format, text, place);
    const { key } = place;
    const taken = take.filter((one) => entryIn(format, text, one) !== undefined);
    const after = withEdit(format, text, { place, entry, taken });
    const hadEntry = entries[key] !== undefined;
    const isSame =
      before !== undefined &&
      taken.length === 0 &&
      (after === text || isDeepStrictEqual(entries[key], entry));
    // A mark at the start is no reason to write a file in which nothing else changes.
    return { file, place, entry, taken, before, after: isSame ? before : after, hadEntry };
  });
}

/** Where our entry stands in a text, or would. Throws FormatFault. */
export function placeIn(
  format: ConfigFormat,
  text: string,
  { isOurs, ...roots }: Pick<EditWish, 'root' | 'innerRoot' | 'isOurs'>,
): EntryPlace {
  const holder = holderIn(format, text, roots);
  return { ...holder, key: freeKey(entriesIn(format, text, holder), isOurs) };
}

function holderIn(
  format: ConfigFormat,
  text: string,
  { root, innerRoot }: Pick<EditWish, 'root' | 'innerRoot'>,
): Omit<EntryPlace, 'key'> {
  const inner = innerRoot === undefined ? undefined : entriesIn(format, text, { root })[innerRoot];
  // A server may have that very name; it says what kind it is.
  const isServer = isRecord(inner) && typeof inner.type === 'string';
  return innerRoot === undefined || !isRecord(inner) || isServer
    ? { root }
    : { within: [root], root: innerRoot };
}

/** The text with our entry in it and without those that it stands for. Throws FormatFault. */
export function withEdit(
  format: ConfigFormat,
  text: string,
  { place, entry, taken }: Pick<PlannedEdit, 'place' | 'entry' | 'taken'>,
): string {
  return taken.reduce(
    (kept, one) => withoutEntry(format, kept, one, false),
    withEntry(format, text, place, entry),
  );
}

/** Runs what reads a text; what it makes of a text it does not understand is a problem of the file. */
export function understood<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FormatFault)) throw error;
    const fix = 'Correct the file, then try again; it is opened with any text editor.';
    throw unusable(file, `cannot be edited: ${error.message}`, fix, { line: error.line });
  }
}

/** Clients are told their files are UTF-8 anyway, and some stumble over the mark. */
export function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** `patchbay`, unless something that is not ours has that name. */
function freeKey(entries: Readonly<Record<string, unknown>>, isOurs: (entry: Entry) => boolean): string {
  for (let number = 1; ; number += 1) {
    const key = number === 1 ? 'patchbay' : `patchbay${number}`;
    const found = entries[key];
    if (found === undefined) return key;
    if (typeof found === 'object' && found !== null && isOurs(found as Entry)) return key;
  }
}
