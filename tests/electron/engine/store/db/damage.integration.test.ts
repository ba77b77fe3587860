import { open, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../../electron/engine/base/clock.ts';
import type { BreakerRow } from '../../../../../electron/engine/routing/resilience/breaker-memory.ts';
import { LossMark } from '../../../../../electron/engine/store/db/loss-mark.ts';
import { createStateDb } from '../../../../../electron/engine/store/db/state-db.ts';
import type { StateQueries } from '../../../../../electron/engine/store/db/tables.ts';
import type { Problem } from '../../../../../shared/error/problem.ts';
import { besides, stateIn, withSqlite } from '../../../../helper/state-db.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

const total = 3_000;

const breaker: BreakerRow = {
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
};

function rows(): readonly BreakerRow[] {
  return Array.from({ length: total }, (_, index) => ({
    ...breaker,
    tool_name: `${index} ${'x'.repeat(100)}`,
    updated_at: index,
  }));
}

/** Creates a closed state with many rows; resolves to its file. */
async function filled(folder: string): Promise<string> {
  const state = stateIn(folder);
  await state.run((db) =>
    db.transaction().execute(async (step) => {
      for (const row of rows()) await step.insertInto('circuit_breakers').values(row).execute();
    }),
  );
  await state.close();
  return state.file;
}

const all = (db: StateQueries) => db.selectFrom('circuit_breakers').select('updated_at').execute();

async function overwrite(file: string, from: number, length: number): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(length, 0xa5), 0, length, from);
  await handle.close();
}

/** Finds what was set aside in a folder. */
async function aside(folder: string) {
  const names = await besides(folder);
  const saved = names.find((name) => name.endsWith('.jsonl'));
  const database = names.find((name) => !name.endsWith('.jsonl') && !name.endsWith('-wal'));
  const text = saved === undefined ? '' : await readFile(join(folder, saved), 'utf8');
  const lines = text.split('\n').filter((line) => line.includes('"circuit_breakers"'));
  return {
    names,
    saved,
    database: database === undefined ? undefined : join(folder, database),
    breakers: lines.map((line): BreakerRow => JSON.parse(line).row),
  };
}

const lost = { code: 'hub.database_unreadable' };

describe('a damaged state', () => {
  it.each([
    ['garbage', (file: string) => writeFile(file, 'garbage '.repeat(1_000))],
    ['a wrong header', (file: string) => overwrite(file, 0, 100)],
    ['less than a header', (file: string) => truncate(file, 50)],
  ])('of %s is set aside unchanged, reported, and replaced', async (_, damage) => {
    await using folder = await tempDir();
    const file = await filled(folder.path);
    await damage(file);
    const bytes = await readFile(file);
    await using state = stateIn(folder.path);
    expect(await state.runIfThere(all, undefined)).toEqual([]);
    const { names, database } = await aside(folder.path);
    expect(names).toEqual([expect.stringMatching(/^state\.db\.damaged-\d{4}-\d\d-\d\dT[\d-]+Z$/)]);
    expect(bytes.equals(await readFile(database ?? ''))).toBe(true);
    expect(state.reported).toMatchObject({ use: undefined, loss: lost });
    expect(state.reported.loss?.evidence).toContainEqual({ label: 'set aside as', value: database });
  });

  it('without its end returns the remaining rows', async () => {
    await using folder = await tempDir();
    const file = await filled(folder.path);
    const { size } = await stat(file);
    await truncate(file, Math.floor(size / 2));
    await using state = stateIn(folder.path);
    expect(await state.runIfThere(all, undefined)).toEqual([]);
    const { breakers, saved } = await aside(folder.path);
    expect(breakers.length).toBeGreaterThan(total / 10);
    expect(breakers[0]).toEqual(rows()[0]);
    expect(state.reported.loss?.evidence).toContainEqual({
      label: 'rows saved in',
      value: join(folder.path, saved ?? ''),
    });
  });

  it('[REQ-MCP-AUTH-003] that is empty counts as damaged, unless a program was killed while creating it', async () => {
    await using folder = await tempDir();
    const opened = async (name: string) => {
      const file = join(folder.path, name);
      const mark = new LossMark(file, () => {});
      const state = createStateDb({ file, clock: systemClock, mark, report: () => {} });
      expect(await state.run(all)).toEqual([]);
      await state.close();
      return mark.problem;
    };
    await writeFile(join(folder.path, 'cut.db'), '');
    await writeFile(join(folder.path, 'begun.db'), '');
    await writeFile(join(folder.path, 'begun.db.making'), '');
    await writeFile(join(folder.path, 'soon.db.making'), '');
    expect(await opened('cut.db')).toMatchObject({ code: 'access.lost' });
    for (const name of ['begun.db', 'soon.db', 'new.db']) expect(await opened(name)).toBeUndefined();
    expect((await readdir(folder.path)).filter((name) => name.endsWith('.making'))).toEqual([]);
    // A file that loses its bytes later is a loss.
    await truncate(join(folder.path, 'begun.db'), 0);
    expect(await opened('begun.db')).toMatchObject({ code: 'access.lost' });
  });

  it('[REQ-MCP-AUTH-003] with a mark has its decisions restored, and says so until somebody continues', async () => {
    await using folder = await tempDir();
    const file = await filled(folder.path);
    const identity = { id: 'i', kind: 'client', name: 'bad', created_at: 1, revoked_at: 2 } as const;
    await withSqlite(file, (database) =>
      database.exec(`insert into identity (id, kind, name, created_at, revoked_at)
        values ('i', 'client', 'bad', 1, 2)`),
    );
    const { size } = await stat(file);
    await overwrite(file, 4096 * Math.floor(size / 4096 / 3), 4096 * 3);
    const told: (Problem | undefined)[] = [];
    const mark = new LossMark(file, (problem) => told.push(problem));
    const state = createStateDb({ file, clock: systemClock, mark, report: () => {} });
    await state.run(all);
    const identities = await state.run((db) => db.selectFrom('identity').selectAll().execute());
    await state.close();
    expect(identities).toMatchObject([identity]);
    const fix = expect.stringContaining('access continue');
    expect(told.at(-1)).toMatchObject({ code: 'access.lost', fix });
    const again = new LossMark(file, () => {});
    expect(await again.load()).toEqual(told.at(-1));
    await again.clear();
    expect(await new LossMark(file, () => {}).load()).toBeUndefined();
  });

  it('is found by the query that hits it, which a new database answers', async () => {
    await using folder = await tempDir();
    const file = await filled(folder.path);
    const { size } = await stat(file);
    await overwrite(file, 4096 * Math.floor(size / 4096 / 3), 4096 * 3);
    await using state = stateIn(folder.path);
    const answers = await Promise.all([state.run(all), state.run(all)]);
    expect(answers).toEqual([[], []]);
    const { breakers } = await aside(folder.path);
    const kept = new Set(breakers.map((row) => row.updated_at));
    expect(kept.size).toBe(breakers.length);
    expect(kept.size).toBeGreaterThan(total / 2);
    expect(kept.size).toBeLessThan(total);
    expect([kept.has(0), kept.has(total - 1)]).toEqual([true, true]);
    expect(state.reported).toMatchObject({ use: undefined, loss: lost });
  });

  it('is found before its first use if it was not closed', async () => {
    await using folder = await tempDir();
    const file = await filled(folder.path);
    const { size } = await stat(file);
    await overwrite(file, size - 4096 * 4, 4096 * 4);
    await writeFile(`${file}-wal`, 'cut off');
    await using state = stateIn(folder.path);
    // Reads nothing from the damaged part.
    expect(await state.run(async () => 'fine')).toBe('fine');
    const { names, database, saved } = await aside(folder.path);
    expect([database, saved]).not.toContain(undefined);
    // On Windows, closing the database has removed the file of later writes, which held nothing.
    expect(names).toHaveLength(process.platform === 'win32' ? 2 : 3);
    expect(state.reported.loss).toMatchObject(lost);
  });

  it('without its tables is set aside too', async () => {
    await using folder = await tempDir();
    const file = await filled(folder.path);
    await overwrite(file, 100, 3_000);
    await using state = stateIn(folder.path);
    expect(await state.run(all)).toEqual([]);
    expect(state.reported.loss).toMatchObject(lost);
  });
});
