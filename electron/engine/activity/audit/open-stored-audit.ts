import type { StoredAudit } from './stored-audit.ts';

/**
 * Opens the audit log of a folder; `file` and `journal`: see DataPaths. Loads the database code only now, as
 * a hub may never need it.
 */
export async function openStoredAudit(file: string, journal: string): Promise<StoredAudit> {
  const { openStoredAudit: open } = await import('./stored-audit.ts');
  return open(file, journal);
}
