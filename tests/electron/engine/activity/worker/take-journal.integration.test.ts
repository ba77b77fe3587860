import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { auditStore } from '../../../../../electron/engine/activity/audit/audit-store.ts';
import { openStoredAudit } from '../../../../../electron/engine/activity/audit/stored-audit.ts';
import type { WrittenNote } from '../../../../../electron/engine/activity/contract.ts';
import { maskNotes } from '../../../../../electron/engine/activity/worker/mask-notes.ts';
import { Masking } from '../../../../../electron/engine/activity/worker/masking.ts';
import { takeJournal } from '../../../../../electron/engine/activity/worker/take-journal.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import { stateIn } from '../../../../helper/state-db.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

const activity = { add: () => {}, missing: async () => [], flush: async () => true };

/** A journal as a hub leaves it that is killed under load: most of its calls are in the log already. */
function journalOf(calls: number): string {
  const audit = { prefix: 'run-' };
  const call = { kind: 'call', serverKey: 'a', method: 'tools/call', name: 'echo', outcome: 'ok' };
  const lines: string[] = [];
  for (let first = 0; first < calls; first += 200) {
    const records = Array.from({ length: 200 }, (_, index) => [0, start + first, 1, 100, 100, first + index]);
    lines.push(JSON.stringify({ records, shared: [{ ...call, audit, isAuditOnly: true }] }));
  }
  return `${lines.join('\n')}\n`;
}

const start = 1_700_000_000_000;

it('[REQ-MCP-OBS-002] a journal of any length adds no call twice, and its calls are counted without a hub', async () => {
  await using folder = await tempDir();
  const state = stateIn(folder.path);
  await using _state = state;
  const audit = auditStore({ state, clock: new FakeClock(), bounds: { days: 9_000, bytes: 1e9 } });
  const journal = join(folder.path, 'journal');
  const options = { journal, audit, activity, masking: new Masking(), first: 1 };
  await using stored = toDisposable(openStoredAudit(state.file, journal));
  await writeFile(journal, journalOf(22_000));
  await takeJournal(options);
  expect(await audit.verify()).toMatchObject({ ok: true, rows: 22_000 });
  await writeFile(journal, journalOf(22_200));
  expect(await stored.pending()).toBe(200);
  await takeJournal(options);
  expect(await audit.verify()).toMatchObject({ ok: true, rows: 22_200 });
  expect(existsSync(journal)).toBe(false);
});

it('[REQ-MCP-OBS-002] [NFR-SEC1] a note in a journal is masked once, by whoever masked it first', async () => {
  await using folder = await tempDir();
  const state = stateIn(folder.path);
  await using _state = state;
  const audit = auditStore({ state, clock: new FakeClock(), bounds: { days: 9_000, bytes: 1e9 } });
  const journal = join(folder.path, 'journal');
  const masking = new Masking(['hunter22']);
  const note = (id: string, text: string): WrittenNote => ({
    id,
    at: start,
    kind: 'hub',
    action: 'note',
    actor: 'hub',
    outcome: 'ok',
    text,
  });
  // Masked again, the text after a secret in brackets would look like its value.
  const text = 'token={"a":"hunter22"}/servers was refused';
  const masked = maskNotes([note('by-the-hub', text)], masking);
  await writeFile(
    journal,
    [...masked, note('by-a-command', text)].map((line) => JSON.stringify(line)).join('\n'),
  );
  await takeJournal({ journal, audit, activity, masking, first: 1 });
  const { rows } = await audit.find({ filter: {}, limit: 10 } as never);
  expect(rows.map((row) => row.text)).toEqual(Array(2).fill('token=•••/servers was refused'));
  expect(JSON.stringify(rows)).not.toContain('isMasked');
});

function toDisposable<T extends { close(): Promise<void> }>(value: T): T & AsyncDisposable {
  return Object.assign(value, { [Symbol.asyncDispose]: () => value.close() });
}
