import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { StateQueries } from '../../../../../electron/engine/store/db/tables.ts';
import { canMount, smallDisk } from '../../../../helper/small-disk.ts';
import { besides, closedState, stateIn, withSqlite } from '../../../../helper/state-db.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

const row = {
  circuit_key: 's:t',
  server_id: 's',
  state: 'OPEN',
  failure_count: 5,
  success_count: 0,
  last_failure_time: 1,
  opened_at: 1,
  until: 2,
  updated_at: 1,
} as const;

const insert = (tool: string) => (db: StateQueries) =>
  db
    .insertInto('circuit_breakers')
    .values({ ...row, tool_name: tool })
    .execute();
const count = async (db: StateQueries) =>
  (await db.selectFrom('circuit_breakers').select('tool_name').execute()).length;

const full = { problem: { code: 'hub.disk_full' } };
const unwritable = { problem: { code: 'hub.data_folder_unwritable' } };

describe.runIf(canMount)('the state on a disk that fills up', () => {
  it('[PB-CFG-2] reports it, keeps its data, and continues once there is room', async () => {
    await using disk = await smallDisk('512k');
    await using state = stateIn(disk.path);
    await state.run(insert('first'));
    disk.fill();
    await expect(fillUp(state.run)).rejects.toMatchObject(full);
    expect(state.reported.use).toMatchObject(full.problem);
    const kept = await state.runIfThere(count, 0);
    expect(kept).toBeGreaterThan(0);
    expect(state.reported.use).toMatchObject(full.problem);
    await disk.empty();
    await state.run(insert('last'));
    expect(state.reported.use).toBeUndefined();
    expect(await state.run(count)).toBe(kept + 1);
  });

  it('[PB-CFG-2] rolls back a change that it cannot finish, and says why', async () => {
    await using disk = await smallDisk('512k');
    await using state = stateIn(disk.path);
    await state.run(insert('first'));
    disk.fill();
    const change = state.run((db) =>
      db.transaction().execute(async (step) => fillUp((query) => query(step))),
    );
    await expect(change).rejects.toMatchObject(full);
    expect(await state.run(count)).toBe(1);
  });

  it.each(['none', 'one'])('cannot be opened with %s stored before, and is retried', async (before) => {
    await using disk = await smallDisk('512k');
    if (before === 'one') await closedState(disk.path);
    disk.fill();
    await using state = stateIn(disk.path);
    await expect(state.run(insert('second'))).rejects.toMatchObject(full);
    await disk.empty();
    await state.run(insert('second'));
    expect(await state.run(count)).toBe(before === 'one' ? 3 : 1);
    expect(await besides(disk.path)).toEqual([]);
  });

  it('is complete in its log when it is closed on a full disk', async () => {
    await using disk = await smallDisk('512k');
    const state = stateIn(disk.path);
    await state.run(insert('first'));
    disk.fill();
    await state.close();
    await disk.empty();
    await using again = stateIn(disk.path);
    expect(await again.run(count)).toBe(1);
  });
});

/** Inserts until it fails. */
async function fillUp(
  run: (query: (db: StateQueries) => Promise<unknown>) => Promise<unknown>,
): Promise<never> {
  for (let index = 0; ; index += 1) await run(insert(`${index} ${'x'.repeat(2_000)}`));
}

describe.runIf(canMount)('the state on a disk that cannot be written', () => {
  it.each(['none', 'one'])('says so where there was %s before', async (before) => {
    await using disk = await smallDisk('512k');
    if (before === 'one') await closedState(disk.path);
    disk.makeReadOnly();
    await using state = stateIn(disk.path);
    await expect(state.run(insert('second'))).rejects.toMatchObject(unwritable);
    expect(state.reported.use).toMatchObject(unwritable.problem);
  });
});

describe('a state that cannot be opened', () => {
  it('reports a folder that is not one', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'file');
    await writeFile(file, 'mine');
    await using state = stateIn(file);
    await expect(state.run(count)).rejects.toMatchObject(unwritable);
    expect(await readFile(file, 'utf8')).toBe('mine');
  });

  it.skipIf(process.platform === 'win32')(
    'is reported as a pipe, and nobody waits for its other end',
    async () => {
      await using folder = await tempDir();
      await promisify(execFile)('mkfifo', [join(folder.path, 'state.db')]);
      await using state = stateIn(folder.path);
      await expect(state.run(count)).rejects.toMatchObject({
        problem: { sentence: expect.stringContaining('is a pipe, but should be a file') },
      });
    },
  );
});

describe('a state that two processes have open', () => {
  it('[REQ-MCP-CALL-005] takes the changes of both', async () => {
    await using folder = await tempDir();
    await using one = stateIn(folder.path);
    await using other = stateIn(folder.path);
    const changes = Array.from({ length: 40 }, (_, index) =>
      (index % 2 === 0 ? one : other).run(insert(`${index}`)),
    );
    await Promise.all(changes);
    expect([await one.run(count), await other.run(count)]).toEqual([40, 40]);
  });

  it('reports that another program keeps it locked, and continues afterwards', async () => {
    await using folder = await tempDir();
    await using state = stateIn(folder.path);
    await state.run(insert('first'));
    const busy = await withSqlite(state.file, async (database) => {
      database.exec('begin immediate');
      const refusal = await state.run(insert('second')).catch((error: unknown) => error);
      database.exec('commit');
      return refusal;
    });
    expect(busy).toMatchObject({ problem: { code: 'hub.busy' } });
    await state.run(insert('second'));
    expect(await state.run(count)).toBe(2);
  });
});
