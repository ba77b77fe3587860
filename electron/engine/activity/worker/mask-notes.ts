import type { AuditEntry } from '../audit/audit.ts';
import type { WrittenNote } from '../contract.ts';
import type { Masking } from './masking.ts';

/**
 * Masks names and sentences, which may contain anything, and marks the notes: masked again, a text would lose what
 * stands beside its secrets.
 */
export function maskNotes(notes: readonly WrittenNote[], masking: Masking): readonly WrittenNote[] {
  return notes.map((note) => {
    if (note.isMasked === true) return note;
    const shown = (value: string | undefined) =>
      value === undefined ? undefined : masking.text(value).slice(0, maxText);
    const { actor, tool, text } = note;
    return { ...note, actor: shown(actor) ?? '', tool: shown(tool), text: shown(text), isMasked: true };
  });
}

/** Returns notes as the audit log has them; masks those that nobody has masked, such as a command's. */
export function toAuditEntries(notes: readonly WrittenNote[], masking: Masking): readonly AuditEntry[] {
  return maskNotes(notes, masking).map(({ isMasked: _, ...entry }) => entry);
}

const maxText = 500;
