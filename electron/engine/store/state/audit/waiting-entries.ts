import { readFile } from 'node:fs/promises';

/** Ids of entries that no desk has taken into the log yet; see `activity/audit-journal.ts`. */
export async function waitingEntries(journal: string): Promise<readonly string[]> {
  const files = [journal, `${journal}.pending`, `${journal}.taken`];
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  return [...new Set(texts.flatMap((text) => text.split('\n').flatMap(idIn)))];
}

/** A line that was being written when the hub was killed is none. */
function idIn(line: string): readonly string[] {
  try {
    const entry: unknown = JSON.parse(line);
    const isEntry = typeof entry === 'object' && entry !== null && 'id' in entry;
    return isEntry && typeof entry.id === 'string' ? [entry.id] : [];
  } catch {
    return [];
  }
}
