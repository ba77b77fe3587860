import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../base/clock.ts';
import { createCoalescer } from '../base/coalescer.ts';
import type { Disposable } from '../base/emitter.ts';
import { watchFile } from '../config/store/watch-file.ts';
import { requireRow } from './client-registry.ts';
import { entryIn } from './edit/entry-edit.ts';
import { withoutByteOrderMark } from './edit/plan-edit.ts';
import { readClientFile } from './file/client-file.ts';
import { formatOf } from './format/format-of.ts';
import { mergedEntry } from './format/merged-entry.ts';
import type { Connection } from './journal/connections.ts';
import type { Journal } from './journal/journal.ts';

/**
 * Records a change to our entry in a file that we wrote. Reading the file is fine, since the user connected
 * the client. Writes nothing but the journal: a removed entry is only restored on the user's request.
 */
export async function recordStatus(connection: Connection, journal: Journal): Promise<void> {
  const { id, file, settled, writes } = connection;
  const status = await currentStatus(connection);
  if (!settled) {
    const { write } = writes[writes.length - 1] ?? writes[0];
    await journal.append({ id, file, action: 'settled', write, ok: status === 'connected' });
  } else if (status !== connection.status) {
    await journal.append({ id, file, action: status === 'connected' ? 'found-again' : status });
  }
}

/**
 * Returns whether there is a change to record; takes no lock, since clients may write their files every
 * second.
 */
export async function hasChanged(connection: Connection): Promise<boolean> {
  return !connection.settled || (await currentStatus(connection)) !== connection.status;
}

async function currentStatus({ id, file, writes, status }: Connection): Promise<Connection['status']> {
  const { within, root, key, entry } = writes[writes.length - 1] ?? writes[0];
  const format = await formatOf(requireRow(id).format);
  try {
    const text = await readClientFile(file);
    if (
      status === 'connected' &&
      text !== undefined &&
      text.length > maxParsedLength &&
      containsTexts(text, [key, entry])
    )
      return status;
    const found =
      text === undefined ? undefined : entryIn(format, withoutByteOrderMark(text), { within, root, key });
    if (found === undefined) return 'wiped';
    // Members that the client or the user added, such as approved tools, are theirs.
    const isWritten = isDeepStrictEqual(mergedEntry(asJson(found), asJson(entry)), asJson(found));
    return isWritten ? 'connected' : 'changed';
  } catch {
    // The file can no longer be read, or is not in its format.
    return 'changed';
  }
}

/**
 * Characters. Some clients store all their state in their config and write it constantly, so large files are
 * not parsed each time.
 */
const maxParsedLength = 256 * 1024;

/** Returns whether all texts of our entry occur somewhere in the file. */
function containsTexts(text: string, value: unknown): boolean {
  if (typeof value === 'string') return text.includes(JSON.stringify(value).slice(1, -1));
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every((member) => containsTexts(text, member));
}

/** Parsers return different number types, so values are compared as JSON. */
function asJson(value: unknown): unknown {
  const text = JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? Number(member) : member));
  return JSON.parse(text);
}

/** Calls `check` once per burst of changes to one of the files; `follow` sets the files to watch. */
export interface FileWatch extends Disposable {
  follow(files: readonly string[]): Promise<void>;
}

/** Milliseconds. Clients write their files in several steps, and our entry may be missing in between. */
const debounceMs = 400;

export function createFileWatch(clock: Clock, check: () => void): FileWatch {
  const watched = new Map<string, Disposable>();
  const coalescer = createCoalescer(clock, debounceMs, check);
  let isDisposed = false;
  return {
    async follow(files) {
      for (const [file, watcher] of watched) {
        if (files.includes(file)) continue;
        watcher.dispose();
        watched.delete(file);
      }
      for (const file of files) {
        if (watched.has(file) || isDisposed) continue;
        // Reserves the file before the wait, so that a concurrent call does not watch it twice.
        watched.set(file, { dispose: () => {} });
        const watcher = await watchFile(file, coalescer.mark);
        if (isDisposed) watcher.dispose();
        else watched.set(file, watcher);
      }
    },
    dispose() {
      isDisposed = true;
      coalescer.dispose();
      for (const watcher of watched.values()) watcher.dispose();
      watched.clear();
    },
  };
}
