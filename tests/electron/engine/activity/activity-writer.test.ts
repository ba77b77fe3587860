import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ActivityWriter } from '../../../../electron/engine/activity/activity-writer.ts';
import type {
  ActivityBatch,
  ActivityWorkerInput,
  ActivityWorkerOutput,
  ActivityWorkerThread,
} from '../../../../electron/engine/activity/contract.ts';
import type { Problem } from '../../../../shared/error/problem.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

/** A thread that does what a test says. */
class FakeThread implements ActivityWorkerThread {
  readonly inputs: ActivityWorkerInput[] = [];
  #outputs: ((output: ActivityWorkerOutput) => void)[] = [];
  #gone: ((reason: string) => void)[] = [];
  /** Ends when it gets `close`. */
  obeys = true;

  post(input: ActivityWorkerInput): void {
    this.inputs.push(input);
    if (input.kind === 'close' && this.obeys) this.end('closed');
  }
  onOutput(listener: (output: ActivityWorkerOutput) => void): void {
    this.#outputs.push(listener);
  }
  onEnded(listener: (reason: string) => void): void {
    this.#gone.push(listener);
  }
  kill(): void {
    this.end('killed');
  }

  say(output: ActivityWorkerOutput): void {
    for (const listener of this.#outputs) listener(output);
  }
  end(reason: string): void {
    for (const listener of this.#gone.splice(0)) listener(reason);
  }
  get batches(): number {
    return this.inputs.filter(({ kind }) => kind === 'add').length;
  }
}

function bench(start?: () => ActivityWorkerThread, journal = 'nowhere/audit.journal') {
  const clock = new FakeClock();
  const threads: FakeThread[] = [];
  const problems = new Map<string, Problem | undefined>();
  const keeper = new ActivityWriter({
    clock,
    file: 'activity.db',
    bounds: { rows: 1, size: 1, age: 1 },
    audit: { file: 'audit.db', journal, bounds: () => ({ days: 90, bytes: 1 }) },
    secrets: () => ['s3cret'],
    report: (about, problem) => problems.set(about, problem),
    start:
      start ??
      (() => {
        const thread = new FakeThread();
        threads.push(thread);
        return thread;
      }),
  });
  return { clock, threads, problems, keeper };
}

/** A batch with one call, whose arguments have this many bytes. */
const batch = (size = 10, attempts = 1): ActivityBatch => ({
  number: 1,
  count: 1,
  audited: 0,
  notes: [],
  records: new Uint8Array(Buffer.from(`${JSON.stringify({ attempts })}\n`)),
  contents: { bytes: new Uint8Array(size), lengths: [size, -1, -1, -1, -1] },
  size: size + 256,
});

describe('the activity writer', () => {
  it('starts a worker for calls that have waited a while, and ends it when there is nothing to do', async () => {
    const { clock, threads, keeper } = bench();
    keeper.add(batch());
    await clock.advance(4_900);
    expect(threads).toEqual([]);
    await clock.advance(200);
    expect(threads[0]?.inputs.map(({ kind }) => kind)).toEqual(['open', 'watch', 'add']);
    threads[0]?.say({ kind: 'taken' });
    await clock.advance(16_000);
    expect(threads[0]?.inputs.at(-1)?.kind).toBe('close');
    keeper.add(batch());
    await clock.advance(5_000);
    expect(threads).toHaveLength(2);
  });

  it('starts a worker a second after some calls, which need the processor first', async () => {
    const { clock, threads, keeper } = bench();
    keeper.add(batch());
    await clock.advance(500);
    for (let count = 0; count < 10; count += 1) keeper.add(batch());
    await clock.advance(999);
    expect(threads).toHaveLength(0);
    await clock.advance(1);
    expect(threads[0]?.batches).toBe(11);
    expect(clock.pending).toBe(1);
  });

  it('starts a worker at once for many calls, for watchers and for queries', async () => {
    const many = bench();
    for (let count = 0; count < 3; count += 1) many.keeper.add(batch(1024 * 1024));
    expect(many.threads[0]?.batches).toBe(3);
    const watched = bench();
    watched.keeper.onAdded(() => {});
    watched.keeper.add(batch());
    expect(watched.threads[0]?.inputs).toContainEqual({ kind: 'watch', on: true });
    const asked = bench();
    asked.keeper.add(batch());
    const answer = asked.keeper.ask({ kind: 'clear' });
    await asked.clock.advance(0);
    const kinds = asked.threads[0]?.inputs.map(({ kind }) => kind);
    expect(kinds).toEqual(['open', 'watch', 'add', 'ask']);
    asked.threads[0]?.say({ kind: 'answer', id: 1, answer: 'u1' });
    expect(await answer).toBe('u1');
  });

  it('reports a dead worker, rejects its queries, and restarts it with growing delays', async () => {
    const { clock, threads, problems, keeper } = bench();
    const asked = keeper.ask({ kind: 'clear' });
    await clock.advance(0);
    threads[0]?.end('out of memory');
    await expect(asked).rejects.toMatchObject({ problem: { code: 'hub.activity_stopped' } });
    expect(problems.get('activity worker')?.evidence).toEqual([{ label: 'reason', value: 'out of memory' }]);
    keeper.add(batch());
    await clock.advance(900);
    expect(threads).toHaveLength(1);
    await clock.advance(200);
    expect(threads[1]?.batches).toBe(1);
    threads[1]?.end('again');
    keeper.add(batch());
    await clock.advance(1_500);
    expect(threads).toHaveLength(2);
    await clock.advance(600);
    threads[2]?.say({ kind: 'taken' });
    expect(problems.get('activity worker')).toBeUndefined();
  });

  it('continues without a worker if none can be started', async () => {
    const { clock, problems, keeper } = bench(() => {
      throw new Error('no threads');
    });
    for (let count = 0; count < 20; count += 1) expect(() => keeper.add(batch())).not.toThrow();
    await clock.advance(1_000);
    expect(problems.get('activity worker')?.code).toBe('hub.activity_stopped');
    await expect(keeper.ask({ kind: 'counts', filter: {} })).rejects.toThrow();
    await clock.advance(600_000);
    await keeper.close();
  });

  it('[REQ-MCP-OBS-002] drops the bodies of the oldest calls if the worker does not keep up, and reports it', async () => {
    const { threads, problems, keeper } = bench();
    const megabyte = 1024 * 1024;
    for (let count = 0; count < 40; count += 1) keeper.add({ ...batch(megabyte, count), audited: 1 });
    const [thread] = threads;
    expect(thread?.batches).toBe(8);
    expect(problems.get('audit incomplete')).toMatchObject({ code: 'hub.audit_incomplete' });
    for (let count = 0; count < 40; count += 1) thread?.say({ kind: 'taken' });
    const adds = thread?.inputs.flatMap((input) => (input.kind === 'add' ? [input] : [])) ?? [];
    const numberOf = ({ records }: ActivityBatch) => JSON.parse(Buffer.from(records).toString()).attempts;
    expect(adds.map(numberOf)).toEqual(Array.from({ length: 40 }, (_, index) => index));
    const bare = adds.flatMap((add) => (add.isPartial ? [numberOf(add)] : []));
    expect(bare).toEqual(Array.from({ length: 25 }, (_, index) => index + 8));
    await keeper.close();
  });

  it('[REQ-MCP-OBS-002] writes how many calls were lost if that is not enough, or the worker dies', async () => {
    const { clock, threads, problems, keeper } = bench();
    const records = new Uint8Array(1024 * 1024 + 10);
    const large = { ...batch(0), records, size: records.length };
    for (let count = 0; count < 40; count += 1) keeper.add({ ...large, audited: 1 });
    const notes = (thread: FakeThread | undefined) =>
      thread?.inputs.flatMap((input) => (input.kind === 'add' ? input.notes : [])) ?? [];
    for (let count = 0; count < 8; count += 1) threads[0]?.say({ kind: 'taken' });
    expect(notes(threads[0])).toMatchObject([{ action: 'lost', text: expect.stringMatching(/^25 entries/) }]);
    threads[0]?.end('out of memory');
    expect(problems.get('audit incomplete')?.evidence[0]?.value).toBe('33');
    keeper.add(batch());
    await clock.advance(1_100);
    expect(notes(threads[1])).toMatchObject([{ action: 'lost', text: expect.stringMatching(/^8 entries/) }]);
    await keeper.close();
  });

  it('[REQ-MCP-OBS-002] hands notes that cannot be written down to a worker, and reports until they can', async () => {
    await using folder = await tempDir();
    const place = join(folder.path, 'run');
    const { clock, threads, problems, keeper } = bench(undefined, join(place, 'audit.journal'));
    const note = { id: 'n1', at: 1, kind: 'hub', action: 'a', actor: 'b', outcome: 'ok' } as const;
    const noted = { ...batch(0), count: 0, audited: 1, notes: [note], records: new Uint8Array() };
    keeper.add(noted);
    expect(problems.get('audit journal')).toMatchObject({ code: 'hub.data_folder_unwritable' });
    await clock.advance(1_000);
    expect(threads[0]?.inputs.at(-1)).toMatchObject({ kind: 'add', notes: [{ id: 'n1' }] });
    await mkdir(place);
    threads[0]?.say({ kind: 'taken' });
    await clock.advance(16_000);
    keeper.add(noted);
    keeper.add(batch());
    expect(problems.get('audit journal')).toBeUndefined();
  });

  it('writes everything when it closes, within a time limit', async () => {
    const { threads, keeper } = bench();
    keeper.add(batch());
    await keeper.close();
    expect(threads[0]?.inputs.map(({ kind }) => kind)).toEqual(['open', 'watch', 'add', 'close']);
    keeper.add(batch());
    expect(threads[0]?.batches).toBe(1);
    const stubborn = bench();
    stubborn.keeper.onAdded(() => {});
    stubborn.keeper.add(batch());
    const [thread] = stubborn.threads;
    if (thread !== undefined) thread.obeys = false;
    const closed = stubborn.keeper.close();
    await stubborn.clock.advance(5_000);
    await closed;
  });

  it('sends new secrets to a running worker', async () => {
    const { threads, keeper } = bench();
    keeper.secretsChanged();
    keeper.onAdded(() => {});
    keeper.add(batch());
    expect(threads[0]?.inputs[0]).toMatchObject({ kind: 'open', secrets: ['s3cret'] });
    keeper.secretsChanged();
    expect(threads[0]?.inputs.at(-1)).toEqual({ kind: 'secrets', secrets: ['s3cret'] });
  });
});
