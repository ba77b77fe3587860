import { describe, expect, it } from 'vitest';
import type { OperationHandlers } from '../../../../electron/engine/base/operation-handlers.ts';
import { operationRunner } from '../../../../electron/engine/hub/run-operation.ts';
import { ProblemError } from '../../../../shared/error/problem.ts';
import type { AuditNote } from '../../../../shared/model/activity/audit.ts';
import { someProblem } from '../../../helper/views.ts';

/** Creates a runner over the handlers that a test needs; `happened` lists what it noted, in order. */
function bench(handlers: (happened: unknown[]) => Partial<OperationHandlers>) {
  const happened: unknown[] = [];
  const note = (one: AuditNote) => void happened.push(one);
  return { happened, run: operationRunner(handlers(happened) as OperationHandlers, note) };
}

const restart = { kind: 'server', action: 'restart', serverKey: 'gh' } as const;

describe('an operation', () => {
  it('[PB-IPC-1] gets its input and who asks for it, and answers', async () => {
    const { run, happened } = bench((calls) => ({
      'server.entry': (...call) => {
        calls.push(call);
        return { text: '{}', entry: { command: 'x' } };
      },
    }));
    expect(await run('server.entry', { key: 'gh' })).toEqual({ text: '{}', entry: { command: 'x' } });
    await run('server.entry', { key: 'gh' }, 'ada');
    // The operation changes nothing, so there is nothing to record.
    expect(happened).toEqual([
      [{ key: 'gh' }, { by: 'window' }],
      [{ key: 'gh' }, { by: 'ada' }],
    ]);
  });

  it('[REQ-MCP-OBS-002] is noted once it has succeeded', async () => {
    const { run, happened } = bench((steps) => ({
      'server.restart': async () => {
        await new Promise(setImmediate);
        steps.push('restarted');
      },
    }));
    expect(await run('server.restart', { key: 'gh' })).toBeUndefined();
    expect(happened).toEqual(['restarted', { actor: 'window', ...restart }]);
  });

  it('[REQ-MCP-OBS-002] is noted with its actor, also of operations at the same time', async () => {
    const { run, happened } = bench(() => ({
      'server.restart': () => new Promise<void>((resolve) => void setImmediate(resolve)),
      'server.sleep': () => {},
    }));
    await Promise.all([run('server.restart', { key: 'gh' }, 'admin'), run('server.sleep', { key: 'fs' })]);
    expect(happened).toEqual([
      { actor: 'window', kind: 'server', action: 'sleep', serverKey: 'fs' },
      { actor: 'admin', ...restart },
    ]);
  });

  it('[REQ-MCP-OBS-002] is noted for each thing that it did, as it was asked for', async () => {
    const { run, happened } = bench(() => ({
      'server.add': ({ servers }) => void servers.splice(0),
    }));
    const servers = ['a', 'b'].map((key) => ({ key, entry: {} }));
    await run('server.add', { servers });
    expect(servers).toEqual([]);
    expect(happened).toMatchObject([
      { action: 'add', serverKey: 'a' },
      { action: 'add', serverKey: 'b' },
    ]);
  });

  it('[REQ-MCP-OBS-002] that fails is noted with the reason in place of its text', async () => {
    const problem = someProblem('config.unknown_server');
    const { run, happened } = bench(() => ({
      'server.setCommand': () => Promise.reject(new ProblemError(problem)),
    }));
    const asking = run('server.setCommand', { key: 'gh', command: 'node' }, 'admin');
    await expect(asking).rejects.toMatchObject({ problem });
    expect(happened).toEqual([
      {
        actor: 'admin',
        kind: 'server',
        action: 'edit',
        serverKey: 'gh',
        outcome: 'failed',
        text: problem.sentence,
      },
    ]);
  });

  it('[REQ-MCP-OBS-002] whose handler throws at once rejects, and is noted too', async () => {
    const broken = new TypeError('broken');
    const { run, happened } = bench(() => ({
      'server.restart': () => {
        throw broken;
      },
      'server.entry': () => {
        throw broken;
      },
    }));
    await expect(run('server.restart', { key: 'gh' })).rejects.toBe(broken);
    await expect(run('server.entry', { key: 'gh' })).rejects.toBe(broken);
    expect(happened).toEqual([
      { actor: 'window', ...restart, outcome: 'failed', text: expect.any(String) as string },
    ]);
  });
});
