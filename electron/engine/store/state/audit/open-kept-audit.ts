import type { KeptAudit } from './kept-audit.ts';

/**
 * Opens the audit log of a folder; `file` and `journal`: see DataPaths. Loads the database code only now, as
 * a hub may never need it.
 */
export async function openKeptAudit(file: string, journal: string): Promise<KeptAudit> {
  const { openKeptAudit: open } = await import('./kept-audit.ts');
  return open(file, journal);
}
