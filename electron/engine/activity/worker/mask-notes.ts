import type { AuditEntry } from '../audit/audit.ts';
import type { Masking } from './masking.ts';

/** Masks names and sentences, which may contain anything. */
export function maskNotes(notes: readonly AuditEntry[], masking: Masking): readonly AuditEntry[] {
  return notes.map((note) => {
    const shown = (value: string | undefined) =>
      value === undefined ? undefined : masking.text(value).slice(0, maxText);
    return { ...note, actor: shown(note.actor) ?? '', tool: shown(note.tool), text: shown(note.text) };
  });
}

const maxText = 500;
