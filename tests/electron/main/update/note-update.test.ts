import { expect, it } from 'vitest';
import { noteUpdate } from '../../../../electron/main/update/note-update.ts';

function noted(wanted: string | undefined) {
  const notes: unknown[] = [];
  const restart = wanted === undefined ? undefined : { wanted, hidden: false, at: 0 };
  noteUpdate({ note: (note) => void notes.push(note) }, restart, '2.0.0');
  return notes;
}

it('[REQ-MCP-OBS-002] an update that was installed is in the audit log, and one that was not', () => {
  expect(noted('2.0.0')).toEqual([
    { kind: 'hub', action: 'install-update', outcome: 'ok', text: 'Version 2.0.0.' },
  ]);
  expect(noted('3.0.0')).toMatchObject([
    { outcome: 'failed', text: 'Version 3.0.0 was not installed; version 2.0.0 is still running.' },
  ]);
  expect(noted(undefined)).toEqual([]);
});
