import { readFile } from 'node:fs/promises';

/** Returns ids of entries that no worker has added to the log yet; see `activity/audit-journal.ts`. */
export async function pendingEntries(journal: string): Promise<readonly string[]> {
  const files = [journal, `${journal}.pending`, `${journal}.taken`];
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  return [...new Set(texts.flatMap((text) => text.split('\n').flatMap(idsIn)))];
}

/** Returns the ids in the line of an entry or a batch; none for a line that was cut off by a crash. */
function idsIn(line: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null) return [];
    const ids = 'ids' in value && Array.isArray(value.ids) ? value.ids : 'id' in value ? [value.id] : [];
    return ids.filter((id) => typeof id === 'string');
  } catch {
    return [];
  }
}
