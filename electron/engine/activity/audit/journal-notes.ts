import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import type { AuditNote } from '../../../../shared/model/activity/audit.ts';
import { AuditIds } from '../audit-heads.ts';
import { AuditJournal } from '../audit-journal.ts';
import type { AuditEntry } from './audit.ts';

/** Notes of commands that run while no hub does; the next hub adds them to its audit log. */
export class JournalNotes {
  readonly #ids = new AuditIds();
  readonly #entries: AuditEntry[] = [];

  add({ outcome = 'ok', at = Date.now(), ...note }: AuditNote & { readonly actor: string }): void {
    const id = `${this.#ids.otherPrefix}${this.#ids.next()}`;
    this.#entries.push({ ...note, outcome, id, at });
  }

  /** Throws ProblemError if the notes cannot be written. */
  write(journal: string): void {
    if (this.#entries.length === 0) return;
    new AuditJournal(journal, (error) => {
      const sentence = `The change was made, but could not be recorded in the audit log: ${String(error)}`;
      const fix = `Make sure that ${journal} can be written.`;
      throw new ProblemError(problem('hub.audit_incomplete', sentence, fix));
    }).append(this.#entries);
  }
}
