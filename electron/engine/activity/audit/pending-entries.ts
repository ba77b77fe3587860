import { readFile } from 'node:fs/promises';
import { readLine } from '../audit-journal.ts';
import type { EntryKey } from './audit.ts';

/** Returns the entries that no worker has added to the log yet; see `activity/audit-journal.ts`. */
export async function pendingEntries(journal: string): Promise<readonly EntryKey[]> {
  const files = [journal, `${journal}.pending`, `${journal}.taken`];
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  const entries = texts.flatMap((text) => text.split('\n').flatMap(entriesIn));
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()];
}

/** Returns the entry in a line, or those of its batch; none for a line that was cut off by a crash. */
function entriesIn(line: string): readonly EntryKey[] {
  const read = readLine(line);
  if (read === undefined) return [];
  if ('id' in read) return [read];
  return read.records.flatMap(({ audit, at }) => (audit ? { id: audit.id, at, kind: 'invocation' } : []));
}
