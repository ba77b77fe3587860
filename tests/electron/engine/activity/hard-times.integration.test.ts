import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { pendingEntries } from '../../../../electron/engine/activity/audit/pending-entries.ts';
import { AuditJournal } from '../../../../electron/engine/activity/audit-journal.ts';
import type { ActivityWorkerOutput, NewRow } from '../../../../electron/engine/activity/contract.ts';
import { type Bodies, RecordBatch } from '../../../../electron/engine/activity/record-batch.ts';
import { activityWorkerFrom } from '../../../../electron/engine/activity/start-activity-worker.ts';
import { eventually } from '../../../helper/eventually.ts';
import { freePort } from '../../../helper/free-port.ts';
import { fixture, nodeEntry, programs } from '../../../helper/programs.ts';
import { configText, connectBridge, startHub } from '../../../helper/running-hub.ts';
import { canMount, smallDisk } from '../../../helper/small-disk.ts';
import { withSqlite } from '../../../helper/state-db.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

const day = 24 * 60 * 60 * 1_000;
const bounds = { rows: 1_000, size: 1e7, age: day };

/** Starts a worker in a thread of its own, as the hub does, that stores in this folder. */
function startDesk(folder: string) {
  const thread = activityWorkerFrom(programs.activityWorker)();
  const told: ActivityWorkerOutput[] = [];
  thread.onOutput((output) => told.push(output));
  const gone = new Promise<string>((resolve) => {
    thread.onEnded(resolve);
  });
  const audit = {
    file: join(folder, 'audit.db'),
    journal: join(folder, 'audit.journal'),
    bounds: { days: 90, bytes: 1e9 },
  };
  thread.post({ kind: 'open', file: join(folder, 'activity.db'), bounds, audit, secrets: [] });
  thread.post({ kind: 'watch', on: true });
  const add = (...records: readonly (readonly [NewRow, Bodies?])[]) => {
    const batch = newBatch();
    for (const [row, bodies] of records) batch.add(row, bodies);
    thread.post({ kind: 'add', ...batch.take() });
  };
  const rows = () => told.flatMap((output) => (output.kind === 'added' ? output.added.rows : []));
  const problems = () => told.flatMap((output) => (output.kind === 'problem' ? [output.problem?.code] : []));
  return {
    thread,
    told,
    gone,
    add,
    rows,
    problems,
    async [Symbol.asyncDispose]() {
      thread.kill();
      await gone;
    },
  };
}

const newBatch = () => new RecordBatch({ client: () => ({}), server: () => ({}) });

const call = (name: string): NewRow => ({ at: Date.now(), kind: 'call', name, outcome: 'ok' });

const keptIn = (folder: string) =>
  withSqlite(join(folder, 'activity.db'), (db) =>
    db.prepare('select id, name from activity order by id').all(),
  ) as Promise<readonly { readonly id: number; readonly name: string }[]>;

describe('the activity worker', () => {
  it('writes everything before it ends', async () => {
    await using folder = await tempDir();
    await using desk = startDesk(folder.path);
    for (let count = 0; count < 50; count += 1) desk.add([call(`n${count}`)]);
    desk.thread.post({ kind: 'close' });
    await desk.gone;
    expect(await keptIn(folder.path)).toHaveLength(50);
  });

  it('writes activity in time although there is always another batch', async () => {
    await using folder = await tempDir();
    await using desk = startDesk(folder.path);
    const batch = newBatch();
    const said = (count: number) =>
      Buffer.from(`{"arguments":{"a":"${'word '.repeat(40_000)}","b":${count}}}`);
    const count = 200;
    for (let number = 1; number <= count; number += 1) {
      batch.add({ ...call('long'), method: 'tools/call' }, { args: said(number) }, { id: `${number}` });
      desk.thread.post({ kind: 'add', ...batch.take() });
    }
    const kinds = () => desk.told.map(({ kind }) => kind);
    await eventually(() => expect(kinds().filter((kind) => kind === 'kept')).toHaveLength(count));
    expect(kinds().indexOf('kept')).toBeLessThan(kinds().lastIndexOf('taken'));
  });

  it('reads odd bodies to the end: none, broken, half', async () => {
    await using folder = await tempDir();
    await using desk = startDesk(folder.path);
    // More than is examined.
    const args = Buffer.from(`{"arguments":{"a":1,"b":"${'x'.repeat(300_000)}"}}`);
    desk.add(
      [call('none')],
      [call('broken'), { result: Buffer.from('oops') }],
      [{ ...call('half'), method: 'tools/call' }, { args }],
    );
    await eventually(() => expect(desk.rows().map(({ name }) => name)).toEqual(['none', 'broken', 'half']));
    desk.thread.post({ kind: 'ask', id: 1, question: { kind: 'get', id: desk.rows()[2]?.id ?? 0 } });
    await eventually(() =>
      expect(desk.told).toContainEqual({
        kind: 'answer',
        id: 1,
        answer: expect.objectContaining({ isCut: true, arguments: expect.stringContaining('(cut)') }),
      }),
    );
  });

  it('deletes what is too old before it answers anything', async () => {
    await using folder = await tempDir();
    {
      await using desk = startDesk(folder.path);
      desk.add([{ ...call('old'), at: Date.now() - 2 * day }], [call('new')]);
      desk.thread.post({ kind: 'close' });
      await desk.gone;
    }
    await using desk = startDesk(folder.path);
    desk.thread.post({ kind: 'ask', id: 1, question: { kind: 'query', filter: {}, limit: 10 } });
    const page = () => desk.told.find((output) => output.kind === 'answer')?.answer;
    await eventually(() => expect(page()).toMatchObject({ rows: [{ name: 'new' }] }));
  });

  it.skipIf(!canMount)(
    'shows new entries although the disk is full, and writes them once there is room',
    async () => {
      await using disk = await smallDisk('512k');
      await using desk = startDesk(disk.path);
      desk.add([call('before')]);
      await eventually(() => expect(desk.rows()).toHaveLength(1));
      disk.fill();
      desk.add(
        [{ ...call('during'), text: 'x'.repeat(50_000) }],
        ...Array.from({ length: 100 }, () => [call('more')] as const),
      );
      await eventually(() => expect(desk.problems()).toContain('hub.disk_full'));
      await eventually(() => expect(desk.rows().some(({ name }) => name === 'during')).toBe(true));
      await disk.empty();
      await eventually(() => expect(desk.problems().at(-1)).toBeUndefined());
      desk.thread.post({ kind: 'close' });
      await desk.gone;
      expect(await keptIn(disk.path)).toHaveLength(102);
    },
  );

  it('[PB-LOAD-1] takes over what a killed hub left, except for duplicates and half-written lines', async () => {
    await using folder = await tempDir();
    const journal = new AuditJournal(join(folder.path, 'left'), (error) => expect.unreachable(String(error)));
    const batches = ['kept', 'lost'].map((name) => {
      const batch = newBatch();
      const row = { ...call(name), serverKey: 's', method: 'tools/call', text: 'sk-secret', milliseconds: 1 };
      batch.add(row, { args: Buffer.from('{"arguments":{}}') }, { id: `${name}-1` });
      return batch.take();
    });
    for (const batch of batches) journal.appendPending(batch);
    const left = await readFile(join(folder.path, 'left.pending'), 'utf8');
    expect(left).not.toContain('sk-secret');
    expect(await pendingEntries(join(folder.path, 'left'))).toMatchObject([
      { id: 'kept-1' },
      { id: 'lost-1' },
    ]);
    {
      await using desk = startDesk(folder.path);
      for (const batch of batches.slice(0, 1)) desk.thread.post({ kind: 'add', ...batch });
      await eventually(() => expect(desk.told).toContainEqual({ kind: 'kept', number: 1 }));
    }
    await writeFile(join(folder.path, 'audit.journal'), `${left}\n${left}${left.slice(0, 80)}`);
    {
      await using desk = startDesk(folder.path);
      desk.thread.post({ kind: 'close' });
      await desk.gone;
    }
    expect(await keptIn(folder.path)).toMatchObject([{ name: 'kept' }, { name: 'lost' }]);
    const audited = withSqlite(join(folder.path, 'audit.db'), (db) =>
      db.prepare('select id from audit_log order by seq').all(),
    );
    expect(await audited).toEqual([{ id: 'kept-1' }, { id: 'lost-1' }]);
    expect(existsSync(join(folder.path, 'audit.journal'))).toBe(false);
  });

  it('reports a problem and keeps running if its file cannot be used', async () => {
    await using folder = await tempDir();
    await mkdir(join(folder.path, 'activity.db'));
    await using desk = startDesk(folder.path);
    desk.add([call('seen')]);
    await eventually(() => expect(desk.rows()).toMatchObject([{ name: 'seen' }]));
    await eventually(() => expect(desk.problems().some((code) => code !== undefined)).toBe(true));
  });
});

describe('a hub whose activity worker dies', () => {
  it('still answers calls', async () => {
    await using folder = await tempDir();
    const program = join(folder.path, 'desk.mjs');
    await writeFile(
      program,
      `import { parentPort } from 'node:worker_threads';
      parentPort.on('message', ({ kind }) => { if (kind === 'add') throw new Error('no more'); });`,
    );
    const ports = { activityWorker: pathToFileURL(program) };
    await using hub = await startHub({ echo: nodeEntry(fixture('echo')) }, { recordActivity: true, ports });
    hub.engine.watchActivity(() => {});
    await using client = await hub.bridge();
    for (let count = 0; count < 3; count += 1) await client.callTool({ name: 'echo__pid' });
    await eventually(() =>
      expect(hub.engine.view().problems).toContainEqual(
        expect.objectContaining({ code: 'hub.activity_stopped' }),
      ),
    );
    await client.callTool({ name: 'echo__pid' });
  });
});

describe('[PB-LOAD-1] a hub that is killed', () => {
  it('leaves every answered call to the activity and the audit log of the next hub', async () => {
    await using folder = await tempDir();
    const servers = { echo: nodeEntry(fixture('echo')), moody: nodeEntry(fixture('moody')) };
    await writeFile(join(folder.path, 'mcp.json'), configText(servers));
    await using hub = await serveKilled(folder.path);
    await using client = await connectBridge(folder.path, 'claude-ai');
    for (let count = 0; count < 12; count += 1)
      await client.callTool({ name: 'echo__echo', arguments: { count } });
    // The hub records what it answered earlier before this is answered, however slow it is.
    await client.callTool({ name: 'moody__wait', arguments: { milliseconds: 100 } });
    await hub.kill();

    await using next = await serveKilled(folder.path);
    await using other = await connectBridge(folder.path);
    await other.callTool({ name: 'echo__pid' });
    const echoes = { clientName: 'Claude Desktop', serverKey: 'echo', method: 'tools/call', outcome: 'ok' };
    await eventually(async () => {
      const kept = await printed(folder.path, 'activity', '--jsonl');
      expect(kept.filter(({ name }) => name === 'echo')).toMatchObject(Array(12).fill(echoes));
      const audited = await printed(folder.path, 'audit', 'export');
      expect(audited.filter(({ tool }) => tool === 'echo')).toHaveLength(12);
    });
    await next.kill();
  });
});

/** Starts a hub in a process of its own, which is killed at the end at the latest. */
async function serveKilled(folder: string) {
  const args = [programs.patchbay, 'serve', '--data-dir', folder, '--port', String(await freePort())];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await gone;
  };
  const running = () => child.stdout.read()?.toString() ?? '';
  let said = '';
  await eventually(() => {
    said += running();
    expect(said).toContain('is running without a window');
  });
  return { kill, [Symbol.asyncDispose]: kill };
}

/** Parses the rows that a command prints as JSON, one per line. */
async function printed(folder: string, ...command: string[]): Promise<readonly Record<string, unknown>[]> {
  const args = [programs.patchbay, ...command, '--data-dir', folder];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
