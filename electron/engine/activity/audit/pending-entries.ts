import { readFile } from 'node:fs/promises';
import { readLine } from '../audit-journal.ts';

/** Returns ids of entries that no worker has added to the log yet; see `activity/audit-journal.ts`. */
export async function pendingEntries(journal: string): Promise<readonly string[]> {
  const files = [journal, `${journal}.pending`, `${journal}.taken`];
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  return [...new Set(texts.flatMap((text) => text.split('\n').flatMap(idsIn)))];
}

/** Returns the ids in the line of an entry or a batch; none for a line that was cut off by a crash. */
function idsIn(line: string): readonly string[] {
  const read = readLine(line);
  if (read === undefined) return [];
  return 'id' in read ? [read.id] : read.records.flatMap(({ audit }) => audit?.id ?? []);
}
