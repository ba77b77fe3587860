import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { systemClock } from '../../../../../electron/engine/base/clock.ts';
import { connect } from '../../../../../electron/engine/store/db/connection.ts';
import { openStateDb } from '../../../../../electron/engine/store/db/open-state-db.ts';
import { setAside } from '../../../../../electron/engine/store/db/set-aside.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

it('[PB-CFG-2] a database that was read from and closed can be set aside on every system', async () => {
  await using folder = await tempDir();
  const file = join(folder.path, 'state.db');
  await writeFile(file, '');
  read(file);
  const { saved } = await setAside(file, { why: 'it was tried' }, 0);
  expect(saved).toBe(join(folder.path, 'state.db.damaged-1970-01-01T00-00-00-000Z.jsonl'));
  expect(await readdir(folder.path)).not.toContain('state.db');
});

it('[PB-CFG-2] a database that was used and closed can be deleted at once on every system', async () => {
  await using folder = await tempDir();
  const file = join(folder.path, 'state.db');
  const { db, close } = await openStateDb({ file, clock: systemClock });
  expect(await db.selectFrom('circuit_breakers').selectAll().execute()).toEqual([]);
  await close();
  await rm(file);
  expect(await readdir(folder.path)).not.toContain('state.db');
});

it('[PB-CFG-2] a database in which a statement failed can be deleted too, while somebody has the error', async () => {
  await using folder = await tempDir();
  const file = join(folder.path, 'state.db');
  const { db, close } = await openStateDb({ file, clock: systemClock });
  const failed = sql`insert into circuit_breakers (server_id) values ('half')`.execute(db);
  const error: unknown = await failed.catch((reason: unknown) => reason);
  await close();
  await rm(file);
  expect(await readdir(folder.path)).not.toContain('state.db');
  expect(String(error)).toContain('NOT NULL');
});

/** Leaves statements behind that nothing refers to. */
function read(file: string): void {
  const connection = connect(file);
  connection.exec("create table things (name text); insert into things values ('one')");
  expect(connection.rows('select name from things')).toEqual([{ name: 'one' }]);
  connection.close();
}
