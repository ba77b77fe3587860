import { isRecord } from '../../../../shared/json.ts';
import { readClientFile, requireWritable, unusableFile } from '../file/client-file.ts';
import type { ConfigFormat, Entry, EntryLocation } from '../format/contract.ts';
import { FormatError } from '../format/contract.ts';
import { entriesIn, entryIn, withEntry, withoutEntry } from './entry-edit.ts';

/** An edit of one file that has not been written yet. */
export interface PlannedEdit {
  readonly file: string;
  readonly place: EntryLocation;
  readonly entry: Entry;
  /** Entries of other servers that are removed, since Patchbay runs them. */
  readonly taken: readonly EntryLocation[];
  /** The current text, including a byte order mark; undefined if the file does not exist. */
  readonly before: string | undefined;
  readonly after: string;
  /** True if the file already has an entry of ours. */
  readonly hadEntry: boolean;
}

export interface EditRequest {
  readonly file: string;
  readonly format: ConfigFormat;
  readonly root: string;
  /** The key inside the root that holds the entries in newer versions of the client, if the file has it. */
  readonly innerRoot: string | undefined;
  readonly entry: Entry;
  /** Returns whether an entry found in a file is ours. */
  readonly isOurs: (entry: Entry) => boolean;
  /** Entries of other servers to remove, as far as they exist. */
  readonly removals: readonly EntryLocation[];
}

/** Reads a file and plans the edit; writes nothing. Rejects with `client.config_unusable`. */
export async function planEdit({
  file,
  format,
  entry,
  isOurs,
  removals,
  ...roots
}: EditRequest): Promise<PlannedEdit> {
  const before = await readClientFile(file);
  await requireWritable(file);
  const text = withoutByteOrderMark(before ?? '');
  return withFormatProblems(file, () => {
    const place = locateEntry(format, text, { ...roots, isOurs });
    const entries = entriesIn(format, text, place);
    const { key } = place;
    const taken = removals.filter((one) => entryIn(format, text, one) !== undefined);
    const after = withEdit(format, text, { place, entry, taken });
    const hadEntry = entries[key] !== undefined;
    const isSame = before !== undefined && after === text;
    // A byte order mark alone is no reason to rewrite a file.
    return { file, place, entry, taken, before, after: isSame ? before : after, hadEntry };
  });
}

/** Returns where our entry is in a text, or would be. Throws {@link FormatFault}. */
export function locateEntry(
  format: ConfigFormat,
  text: string,
  { isOurs, ...roots }: Pick<EditRequest, 'root' | 'innerRoot' | 'isOurs'>,
): EntryLocation {
  const holder = locateHolder(format, text, roots);
  return { ...holder, key: unusedKey(entriesIn(format, text, holder), isOurs) };
}

function locateHolder(
  format: ConfigFormat,
  text: string,
  { root, innerRoot }: Pick<EditRequest, 'root' | 'innerRoot'>,
): Omit<EntryLocation, 'key'> {
  const inner = innerRoot === undefined ? undefined : entriesIn(format, text, { root })[innerRoot];
  // A server may have that very name; servers have a `type`.
  const isServer = isRecord(inner) && typeof inner.type === 'string';
  return innerRoot === undefined || !isRecord(inner) || isServer
    ? { root }
    : { within: [root], root: innerRoot };
}

/** Returns the text with our entry and without the entries it replaces. Throws {@link FormatFault}. */
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

/** Runs `read` and turns a {@link FormatFault} into a problem of the file. */
export function withFormatProblems<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    const fix = 'Fix the file in a text editor, then try again.';
    throw unusableFile(file, `cannot be edited: ${error.message}`, fix, { line: error.line });
  }
}

/** Removes a byte order mark: clients expect UTF-8 anyway, and some fail on the mark. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Returns `patchbay`, unless another entry has that name. */
function unusedKey(entries: Readonly<Record<string, unknown>>, isOurs: (entry: Entry) => boolean): string {
  for (let number = 1; ; number += 1) {
    const key = number === 1 ? 'patchbay' : `patchbay${number}`;
    const found = entries[key];
    if (found === undefined) return key;
    if (typeof found === 'object' && found !== null && isOurs(found as Entry)) return key;
  }
}
