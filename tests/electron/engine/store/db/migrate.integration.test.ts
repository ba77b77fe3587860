import { readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely, type Migration, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { auditStore } from '../../../../../electron/engine/activity/audit/audit-store.ts';
import type {} from '../../../../../electron/engine/activity/store/tables.ts';
import { systemClock } from '../../../../../electron/engine/base/clock.ts';
import { connect } from '../../../../../electron/engine/store/db/connection.ts';
import { StateDialect } from '../../../../../electron/engine/store/db/dialect.ts';
import { migrate } from '../../../../../electron/engine/store/db/migrate.ts';
import { migrations } from '../../../../../electron/engine/store/db/migrations/migrations.ts';
import type { StateTables } from '../../../../../electron/engine/store/db/tables.ts';
import { permissions } from '../../../../helper/permissions.ts';
import { besides, releasedStates, stateIn, withSqlite } from '../../../../helper/state-db.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

/** Builds a step from SQL. */
const step = (text: string): Migration => ({
  up: async (db) => {
    for (const statement of text.split(';')) await sql.raw(statement).execute(db);
  },
});

const first = { '0001-a': step('create table a (n integer)') };
const second = {
  ...first,
  '0002-b': step('alter table a add column m integer; insert into a values (2, 3)'),
};
const broken = { ...second, '0003-c': step('delete from a; insert into nowhere values (1)') };

/** Runs the steps on a file, as opening it does. */
async function take(file: string, steps: Readonly<Record<string, Migration>>): Promise<void> {
  const connection = connect(file);
  const db = new Kysely<StateTables>({ dialect: new StateDialect(connection) });
  try {
    await migrate({ file, connection, db, steps });
  } finally {
    await db.destroy();
  }
}

const rows = (file: string, text: string) => withSqlite(file, (database) => database.prepare(text).all());

describe('the fixtures of old versions', () => {
  it('exist for each version that was released', () => {
    expect(readdirSync(releasedStates).sort()).toEqual(Object.keys(migrations).map((name) => `${name}.sql`));
  });

  it.each(Object.keys(migrations))('keeps the rows that %s had', async (name) => {
    await using folder = await tempDir();
    const file = join(folder.path, 'state.db');
    await withSqlite(file, (database) =>
      database.exec(readFileSync(join(releasedStates, `${name}.sql`), 'utf8')),
    );
    await using state = stateIn(folder.path);
    const breakers = await state.run((db) => db.selectFrom('circuit_breakers').selectAll().execute());
    expect(breakers).toEqual([
      {
        circuit_key: 'a "b":x',
        server_id: 'a "b"',
        tool_name: 'x',
        state: 'OPEN',
        failure_count: 5,
        success_count: 0,
        last_failure_time: 1e12,
        opened_at: 1e12,
        until: 1e12 + 6e4,
        updated_at: 1e12,
      },
      {
        circuit_key: 'c:y',
        server_id: 'c',
        tool_name: 'y',
        state: 'HALF_OPEN',
        failure_count: 7,
        success_count: 2,
        last_failure_time: 1,
        opened_at: 1,
        until: null,
        updated_at: 3,
      },
    ]);
    const calls = await state.run((db) => db.selectFrom('activity').select('id').execute());
    expect(calls).toEqual(name === '0001-breaker' ? [] : [{ id: 1 }, { id: 2 }]);
    const store = auditStore({ state, clock: systemClock, bounds: { days: 1e6, bytes: 1e9 } });
    expect(await store.verify()).toMatchObject({ ok: true, rows: name >= '0008' ? 2 : 0 });
    await using made = await tempDir();
    await using fresh = stateIn(made.path);
    await fresh.run((db) => db.selectFrom('circuit_breakers').selectAll().execute());
    const tables = 'select type, name, sql from sqlite_master order by name';
    expect(await rows(state.file, tables)).toEqual(await rows(fresh.file, tables));
  });
});

describe('a migration', () => {
  it('creates the tables step by step and stores its version, in the header too', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'state.db');
    await take(file, first);
    await take(file, second);
    await take(file, second);
    expect(await rows(file, 'select * from a')).toEqual([{ n: 2, m: 3 }]);
    expect(await rows(file, 'select name from migration')).toEqual([{ name: '0001-a' }, { name: '0002-b' }]);
    expect((await readFile(file)).readUInt32BE(60)).toBe(2);
  });

  it('[PB-CFG-2] leaves everything as it was if a step fails', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'state.db');
    await take(file, first);
    await expect(take(file, broken)).rejects.toThrow('nowhere');
    expect(await rows(file, 'select * from a')).toEqual([]);
    expect(await rows(file, 'select name from migration')).toEqual([{ name: '0001-a' }]);
    expect(await rows(file, 'pragma user_version')).toEqual([{ user_version: 1 }]);
    await take(file, second);
    expect(await rows(file, 'select * from a')).toEqual([{ n: 2, m: 3 }]);
  });

  it('keeps a complete private copy of the last version, and no older one', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'state.db');
    const copies = async () => (await besides(folder.path)).filter((name) => name !== 'restored.db');
    await take(file, first);
    expect(await copies()).toEqual([]);
    await withSqlite(file, (database) => database.exec('insert into a values (1)'));
    await take(file, second);
    expect(await copies()).toEqual(['state.db.backup-1']);
    const copy = join(folder.path, 'state.db.backup-1');
    expect((await stat(copy)).mode & 0o777).toBe(permissions(0o600));
    await copyFile(copy, join(folder.path, 'restored.db'));
    expect(await rows(join(folder.path, 'restored.db'), 'select * from a')).toEqual([{ n: 1 }]);
    await take(file, { ...second, '0003-d': step('drop table a') });
    expect(await copies()).toEqual(['state.db.backup-2']);
  });

  it('does not start if no copy can be kept', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'state.db');
    await take(file, first);
    const inTheWay = join(folder.path, 'state.db.backup-1');
    await mkdir(inTheWay);
    await expect(take(file, second)).rejects.toMatchObject({ code: expect.stringMatching(/^E/) });
    expect(await rows(file, 'pragma user_version')).toEqual([{ user_version: 1 }]);
    expect((await readdir(folder.path)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});
