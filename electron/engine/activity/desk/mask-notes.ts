import type { AuditEntry } from '../../store/state/audit/audit.ts';
import type { Masking } from './masking.ts';

/** Names and sentences may hold anything. */
export function maskNotes(notes: readonly AuditEntry[], masking: Masking): readonly AuditEntry[] {
  return notes.map((note) => {
    const shown = (value: string | undefined) =>
      value === undefined ? undefined : masking.text(value).slice(0, longest);
    return { ...note, actor: shown(note.actor) ?? '', tool: shown(note.tool), text: shown(note.text) };
  });
}

const longest = 500;
