import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../../../../helper/bundle.ts';
import { eventually } from '../../../../helper/eventually.ts';
import { besides, stateIn, withSqlite } from '../../../../helper/state-db.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

// Within the repository, so that the native library is found.
const cache = fileURLToPath(new URL('../../../../../.cache', import.meta.url));
const writerSource = fileURLToPath(new URL('../../../../fixture/state-writer.ts', import.meta.url));

let folder = '';
let program = '';

beforeAll(async () => {
  await mkdir(cache, { recursive: true });
  folder = await mkdtemp(join(cache, 'state-writer-'));
  program = await bundle(writerSource, folder);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts a process that writes as fast as it can and reports its progress. */
function startWriter(file: string, round: string) {
  const child = fork(program, [file, round], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const told = { certain: 0, problems: [] as unknown[] };
  child.on('message', (message: { certain?: number; problem?: unknown }) => {
    told.certain = message.certain ?? told.certain;
    if (message.problem !== undefined) told.problems.push(message.problem);
  });
  return { child, told };
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** Returns the numbers of the circuits that a process left, in order. */
function left(file: string, round: string): Promise<readonly number[]> {
  const query = 'select cast(tool_name as integer) as n from circuit_breakers where server_id = ? order by n';
  return withSqlite(file, (database) => {
    expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    const rows = database.prepare(query).all(round) as readonly { readonly n: number }[];
    return rows.map(({ n }) => n);
  });
}

const rounds = Number(process.env.KILL_ROUNDS ?? 12);

describe('a process that is killed while it writes its state', () => {
  it(`[PB-CFG-2] [REQ-MCP-CALL-005] leaves every whole batch and no part of one, ${rounds} times over`, async () => {
    await using data = await tempDir();
    const file = join(data.path, 'state.db');
    for (let round = 0; round < rounds; round += 1) {
      const { child, told } = startWriter(file, String(round));
      await eventually(() => expect(told.certain).toBeGreaterThan(0));
      // Anywhere in a batch, or between two.
      await new Promise((resolve) => setTimeout(resolve, (round * 17) % 50));
      await kill(child);
      const numbers = await left(file, String(round));
      expect(numbers).toEqual(Array.from(numbers, (_, index) => index));
      expect(numbers.length).toBeGreaterThanOrEqual(told.certain);
      // Batches have ten circuits each.
      expect(numbers.length % 10).toBe(0);
      expect(told.problems).toEqual([]);
    }
    expect(await besides(data.path)).toEqual([]);
    await using state = stateIn(data.path);
    const servers = await state.run((db) =>
      db.selectFrom('circuit_breakers').select('server_id').distinct().execute(),
    );
    expect(servers).toHaveLength(rounds);
    expect(state.reported).toEqual({ use: undefined, loss: undefined });
  });

  it('may be one of two writers', async () => {
    await using data = await tempDir();
    const file = join(data.path, 'state.db');
    const writers = ['a', 'b'].map((round) => startWriter(file, round));
    await eventually(() => {
      for (const { told } of writers) expect(told.certain).toBeGreaterThan(500);
    });
    for (const { child } of writers) await kill(child);
    for (const [index, round] of ['a', 'b'].entries()) {
      const numbers = await left(file, round);
      expect(numbers).toEqual(Array.from(numbers, (_, position) => position));
      expect(numbers.length).toBeGreaterThanOrEqual(writers[index]?.told.certain ?? 0);
    }
  });
});
