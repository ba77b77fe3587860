import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { StateQueries } from '../../../../../electron/engine/store/db/tables.ts';
import { permissions } from '../../../../helper/permissions.ts';
import { stateIn, withSqlite } from '../../../../helper/state-db.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

const breaker = {
  circuit_key: 's:t',
  server_id: 's',
  tool_name: 't',
  state: 'OPEN',
  failure_count: 5,
  success_count: 0,
  last_failure_time: 1,
  opened_at: 1,
  until: 2,
  updated_at: 1,
} as const;

const insert = (db: StateQueries) => db.insertInto('circuit_breakers').values(breaker).execute();
const all = (db: StateQueries) => db.selectFrom('circuit_breakers').selectAll().execute();

describe('the state of a hub', () => {
  it('opens and creates nothing until something is stored', async () => {
    await using folder = await tempDir();
    await using state = stateIn(folder.path);
    expect(await state.runIfThere(all, [])).toEqual([]);
    expect(await readdir(folder.path)).toEqual([]);
    await state.run(insert);
    expect(await state.runIfThere(all, [])).toEqual([breaker]);
    expect(state.reported).toEqual({ use: undefined, loss: undefined });
  });

  it('is there again after a restart, all of it in one file', async () => {
    await using folder = await tempDir();
    const before = stateIn(folder.path);
    await before.run(insert);
    await before.close();
    const log = await stat(`${before.file}-wal`).catch(() => ({ size: 0 }));
    expect(log.size).toBe(0);
    await using after = stateIn(folder.path);
    expect(await after.runIfThere(all, [])).toEqual([breaker]);
  });

  it.skipIf(process.platform === 'win32')(
    'can be read by its owner only, with the files beside it',
    async () => {
      await using folder = await tempDir();
      const file = join(folder.path, 'state.db');
      await writeFile(file, '', { mode: 0o644 });
      await using state = stateIn(folder.path);
      await state.run(insert);
      const names = await readdir(folder.path);
      expect(names.sort()).toEqual(['state.db', 'state.db-shm', 'state.db-wal']);
      for (const name of names)
        expect((await stat(join(folder.path, name))).mode & 0o777).toBe(permissions(0o600));
    },
  );

  it('[PB-CFG-2] rolls back a change that fails half-way', async () => {
    await using folder = await tempDir();
    await using state = stateIn(folder.path);
    const half = state.run((db) =>
      db.transaction().execute(async (step) => {
        await step.insertInto('circuit_breakers').values(breaker).execute();
        await sql`insert into circuit_breakers (server_id) values ('half')`.execute(step);
      }),
    );
    await expect(half).rejects.toThrow('NOT NULL');
    expect(await state.run(all)).toEqual([]);
  });

  it('rejects queries once it is closed', async () => {
    await using folder = await tempDir();
    const state = stateIn(folder.path);
    await state.close();
    await expect(state.run(all)).rejects.toThrow('closed');
    expect(await readdir(folder.path)).toEqual([]);
  });
});

describe('a state from a later version', () => {
  const newer = { problem: { code: 'hub.newer_data' } };

  it('is refused and left as it was', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'state.db');
    await withSqlite(file, (database) =>
      database.exec("create table later (a); insert into later values ('kept'); pragma user_version = 99"),
    );
    const bytes = await readFile(file);
    await using state = stateIn(folder.path);
    await expect(state.runIfThere(all, [])).rejects.toMatchObject(newer);
    await expect(state.run(insert)).rejects.toMatchObject(newer);
    expect(state.reported.use).toMatchObject(newer.problem);
    expect(await readFile(file)).toEqual(bytes);
    expect(await readdir(folder.path)).toEqual(['state.db']);
  });

  it('is refused even if only its log says so', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'state.db');
    const later = stateIn(folder.path);
    await later.run(insert);
    await later.run((db) => sql`pragma user_version = 99`.execute(db));
    await using state = stateIn(folder.path);
    await expect(state.run(insert)).rejects.toMatchObject(newer);
    await later.close();
    expect(
      await withSqlite(file, (database) =>
        database.prepare('select count(*) as n from circuit_breakers').all(),
      ),
    ).toEqual([{ n: 1 }]);
  });
});
