import { readFile } from 'node:fs/promises';

/** Ids of entries that no desk has taken into the log yet; see `activity/audit-journal.ts`. */
export async function waitingEntries(journal: string): Promise<readonly string[]> {
  const files = [journal, `${journal}.pending`, `${journal}.taken`];
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  return [...new Set(texts.flatMap((text) => text.split('\n').flatMap(idsIn)))];
}

/** Ids in the line of an entry or of a batch; none in a line cut off when the hub was killed. */
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
