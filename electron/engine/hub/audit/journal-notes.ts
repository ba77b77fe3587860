import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import type { AuditNote } from '../../../../shared/model/audit.ts';
import { AuditIds } from '../../activity/audit-heads.ts';
import { AuditJournal } from '../../activity/audit-journal.ts';
import type { AuditEntry } from '../../store/state/audit/audit.ts';

/** What a command changes while no hub runs: noted where the next hub finds it for its audit log. */
export class JournalNotes {
  readonly #ids = new AuditIds();
  readonly #entries: AuditEntry[] = [];

  add({ outcome = 'ok', at = Date.now(), ...note }: AuditNote & { readonly actor: string }): void {
    const id = `${this.#ids.ofOthers}${this.#ids.next()}`;
    this.#entries.push({ ...note, outcome, id, at });
  }

  /** Throws ProblemError where they cannot be written. */
  write(journal: string): void {
    if (this.#entries.length === 0) return;
    new AuditJournal(journal, (error) => {
      const sentence = `What was changed holds, but could not be noted for the audit log: ${String(error)}`;
      const fix = `See that ${journal} can be written.`;
      throw new ProblemError(problem('hub.audit_incomplete', sentence, fix));
    }).append(this.#entries);
  }
}
