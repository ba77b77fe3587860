import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import Database from 'libsql';
import { expect, it } from 'vitest';
import { ActivityWriter } from '../../../../electron/engine/activity/activity-writer.ts';
import { pendingEntries } from '../../../../electron/engine/activity/audit/pending-entries.ts';
import { AuditJournal } from '../../../../electron/engine/activity/audit-journal.ts';
import { RecordBatch } from '../../../../electron/engine/activity/record-batch.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';
import { canMount, smallDisk } from '../../../helper/small-disk.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

const row = {
  at: 1_000,
  kind: 'call',
  serverKey: 'a',
  method: 'tools/call',
  name: 'echo',
  outcome: 'ok',
} as const;

/** Makes batches of one call each, whose id is the number of the batch. */
function batches() {
  const batch = new RecordBatch({ client: () => ({}), server: () => ({}) });
  let count = 0;
  return (size = 1) => {
    count += 1;
    batch.add({ ...row, name: 'x'.repeat(size) }, {}, { id: String(count) });
    return batch.take();
  };
}

/** Opens a file as many programs do, so that Windows neither moves nor deletes it; Node itself would allow both. */
function heldOpen(file: string): Disposable {
  const holder = new Database(file);
  return { [Symbol.dispose]: () => void holder.close() };
}

const note = (id: string) => ({ id, at: 1, kind: 'hub', action: 'a', actor: 'b', outcome: 'ok' }) as const;

const idsIn = async (journal: string) => (await pendingEntries(journal)).map(({ id }) => id);

it('[REQ-MCP-OBS-002] a journal has every batch that is not stored, whatever was stored and shortened', async () => {
  const step = fc.oneof(fc.constant('store' as const), fc.integer({ min: 1, max: 900_000 }));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      await using folder = await tempDir();
      const file = join(folder.path, 'journal');
      const journal = new AuditJournal(file, (error) => expect.unreachable(String(error)));
      const next = batches();
      let [last, stored] = [0, 0];
      for (const one of steps) {
        if (one === 'store') {
          stored = last - Math.min(2, last - stored);
          journal.stored(stored);
        } else {
          const batch = next(one);
          last = batch.number;
          journal.appendPending(batch);
        }
        const left = new Set(await idsIn(file));
        for (let number = stored + 1; number <= last; number += 1) expect(left.has(`${number}`)).toBe(true);
      }
    }),
    { numRuns: 15 },
  );
});

it('[REQ-MCP-OBS-002] a journal that is shortened is replaced, so that a kill leaves the old one or the new one', async () => {
  await using folder = await tempDir();
  const file = join(folder.path, 'journal');
  const journal = new AuditJournal(file, (error) => expect.unreachable(String(error)));
  const next = batches();
  journal.appendPending(next(3_000_000));
  const { ino: before } = statSync(`${file}.pending`);
  journal.appendPending(next());
  journal.stored(1);
  journal.appendPending(next(2_000_000));
  expect(statSync(`${file}.pending`).ino).not.toBe(before);
  expect(await idsIn(file)).toEqual(['2', '3']);
  expect(existsSync(`${file}.pending.new`)).toBe(false);
});

it('[REQ-MCP-OBS-002] a journal that another program reads all the time is complete, and shortened once it may be', async () => {
  await using folder = await tempDir();
  const file = join(folder.path, 'journal');
  const journal = new AuditJournal(file, (error) => expect.unreachable(String(error)));
  const next = batches();
  journal.appendPending(next(3_000_000));
  const reader = heldOpen(`${file}.pending`);
  journal.appendPending(next());
  journal.stored(1);
  journal.appendPending(next(2_000_000));
  journal.appendPending(next());
  expect(await idsIn(file)).toEqual(expect.arrayContaining(['2', '3', '4']));
  reader[Symbol.dispose]();
  journal.stored(3);
  journal.appendPending(next(2_500_000));
  expect(await idsIn(file)).toEqual(['4', '5']);
  journal.close();
  expect(await readdir(folder.path)).toEqual([]);
});

it('[REQ-MCP-OBS-002] a journal that another program reads all the time is handed over, and written on', async () => {
  await using folder = await tempDir();
  const file = join(folder.path, 'journal');
  const journal = new AuditJournal(file, (error) => expect.unreachable(String(error)));
  journal.append([note('n1')]);
  using _reader = heldOpen(file);
  journal.handOver();
  journal.append([note('n2')]);
  expect(await readFile(journal.takeoverFile, 'utf8')).not.toContain('"n2"');
  journal.handOver();
  expect(await idsIn(file)).toEqual(['n1', 'n2']);
  expect(await readFile(file, 'utf8')).toBe('');
});

it('[REQ-MCP-OBS-002] batches that a killed hub has left, and that another program reads, are taken over', async () => {
  await using folder = await tempDir();
  const file = join(folder.path, 'journal');
  const fail = (error: unknown) => expect.unreachable(String(error));
  const next = batches();
  new AuditJournal(file, fail).appendPending(next());
  using _reader = heldOpen(`${file}.pending`);
  const journal = new AuditJournal(file, fail);
  journal.appendPending(next());
  expect(await idsIn(file)).toEqual(['1', '2']);
  expect(await readFile(file, 'utf8')).toContain('"1"');
});

it.skipIf(!canMount)('what is written after a disk was full can be read', async () => {
  await using disk = await smallDisk('512k');
  const file = join(disk.path, 'journal');
  const errors: unknown[] = [];
  const journal = new AuditJournal(file, (error) => errors.push(error));
  const next = batches();
  journal.append([note('n1')]);
  journal.appendPending(next());
  disk.fill();
  journal.appendPending(next(600_000));
  journal.append([note('n2'), { ...note('n3'), text: 'x'.repeat(600_000) }]);
  expect(errors).toHaveLength(2);
  await disk.empty();
  journal.appendPending(next());
  journal.append([note('n4')]);
  const left = await idsIn(file);
  for (const id of ['n1', '1', '3', 'n4']) expect(left).toContain(id);
});

it('[REQ-MCP-OBS-002] a note after half a line, which a full disk or a power failure leaves, can be read', async () => {
  await using folder = await tempDir();
  const file = join(folder.path, 'journal');
  await writeFile(file, `${JSON.stringify(note('n1'))}\n{"id":"n2","ki`);
  const journal = new AuditJournal(file, (error) => expect.unreachable(String(error)));
  journal.append([note('n3')]);
  expect(await idsIn(file)).toEqual(['n1', 'n3']);
});

function writerIn(folder: string, secrets: () => readonly string[] = () => []) {
  const clock = new FakeClock();
  const journal = join(folder, 'journal');
  const writer = new ActivityWriter({
    clock,
    file: join(folder, 'activity.db'),
    bounds: { rows: 1, size: 1, age: 1 },
    audit: { file: join(folder, 'audit.db'), journal, bounds: () => ({ days: 90, bytes: 1 }) },
    secrets,
    report: () => {},
    start: () => {
      throw new Error('no threads');
    },
  });
  return { clock, journal, writer };
}

it('[REQ-MCP-OBS-002] a hub that ends while no worker can be started leaves its calls to the next one', async () => {
  await using folder = await tempDir();
  const { clock, journal, writer } = writerIn(folder.path);
  const next = batches();
  writer.add(next());
  await clock.advance(1_000);
  writer.add(next());
  await writer.close();
  expect(await idsIn(journal)).toEqual(['1', '2']);
});

it('[REQ-MCP-OBS-002] a journal that can be written again says so once all its files can', async () => {
  await using folder = await tempDir();
  const reported: string[] = [];
  const file = join(folder.path, 'later', 'journal');
  const journal = new AuditJournal(file, (error) => reported.push(error === undefined ? 'well' : 'failed'));
  const next = batches();
  expect(journal.append([note('n1')])).toBe(false);
  journal.appendPending(next());
  await mkdir(join(folder.path, 'later'));
  expect(journal.append([note('n2')])).toBe(true);
  expect(reported).toEqual(['failed', 'failed']);
  journal.appendPending(next());
  journal.append([note('n3')]);
  expect(reported).toEqual(['failed', 'failed', 'well']);
});

it('[NFR-SEC1] a journal has no secret of a note, whether it comes alone or with calls', async () => {
  await using folder = await tempDir();
  const known = ['plumtree-one'];
  const { journal, writer } = writerIn(folder.path, () => known);
  const batch = new RecordBatch({ client: () => ({}), server: () => ({}) });
  const noted = (id: string) =>
    batch.note({ ...note(id), text: `failed: plumtree-${id} https://x/?token=plumtree-9` });
  noted('one');
  writer.add(batch.take());
  known.push('plumtree-two');
  writer.secretsChanged();
  noted('two');
  batch.add(row, {}, { id: 'call' });
  writer.add(batch.take());
  expect(await idsIn(journal)).toEqual(['one', 'call', 'two']);
  for (const file of [journal, `${journal}.pending`]) {
    const text = await readFile(file, 'utf8');
    expect(text).toContain('failed: •••');
    expect(text).not.toContain('plumtree');
  }
});
