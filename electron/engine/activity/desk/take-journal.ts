import { readFile, rm } from 'node:fs/promises';
import type { AuditEntry } from '../../store/state/audit/audit.ts';
import type { AuditStore } from '../../store/state/audit/audit-store.ts';
import { maskNotes } from './mask-notes.ts';
import type { Masking } from './masking.ts';

/** Appends to the log what is in a journal and not yet in the log; the journal goes when all of it is written. */
export async function takeJournal(
  journal: string,
  audit: Pick<AuditStore, 'append' | 'known' | 'flush'>,
  masking: Masking,
): Promise<void> {
  const text = await readFile(journal, 'utf8').catch(() => undefined);
  if (text === undefined) return;
  const entries = text.split('\n').flatMap(readLine);
  for (let start = 0; start < entries.length; start += portion) {
    const some = entries.slice(start, start + portion);
    const known = await audit.known(some.map(({ id }) => id));
    await audit.append(
      maskNotes(
        some.filter(({ id }) => !known.has(id)),
        masking,
      ),
    );
  }
  if (await audit.flush()) await rm(journal, { force: true });
}

const portion = 500;

/** A line that was being written when the hub was killed is none. */
function readLine(line: string): readonly AuditEntry[] {
  try {
    const entry: unknown = JSON.parse(line);
    const isEntry =
      typeof entry === 'object' && entry !== null && 'id' in entry && 'kind' in entry && 'at' in entry;
    // It was written by audit-journal.ts.
    return isEntry ? [entry as AuditEntry] : [];
  } catch {
    return [];
  }
}
