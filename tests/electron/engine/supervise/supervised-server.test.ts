import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../../../electron/engine/base/logger.ts';
import type { Connection, ServerOrder } from '../../../../electron/engine/supervise/contract.ts';
import { noLedger } from '../../../../electron/engine/supervise/ledger.ts';
import { createProcessTables } from '../../../../electron/engine/supervise/process-tables.ts';
import type { RunOptions, RunResult } from '../../../../electron/engine/supervise/run.ts';
import { OwnedServer } from '../../../../electron/engine/supervise/supervised-server.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';

const connection: Connection = {
  handshake: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} },
  received: () => 0,
  request: () => ({ id: 1, result: Promise.resolve({}), abandon: () => false }),
  ask: () => ({ id: 1, result: new Promise(() => {}), abandon: () => false }),
  forward: () => ({ id: 1, result: new Promise(() => {}), abandon: () => false }),
  notify: () => Promise.resolve(),
};

const crash: RunResult = {
  ending: {
    kind: 'lost',
    problem: { code: 'server.crashed', sentence: 'It ended.', fix: 'Look.', evidence: [] },
    connectedFor: 0,
  },
  left: [],
};

const order = (fingerprint: string, enabled = true): ServerOrder => ({
  key: 'a',
  enabled,
  restart: 'always',
  fingerprint,
  target: { ok: true, value: { kind: 'stdio', command: fingerprint, args: [], env: {} } },
});

/** A server whose runs take as long to end as the clock is told, and which counts how many run at once. */
function owned(clock: FakeClock) {
  const running = new Set<string>();
  let most = 0;
  let fail: ((result: RunResult) => void) | undefined;
  const run = ({ target, events, signal }: RunOptions): Promise<RunResult> => {
    const name = target.kind === 'stdio' ? target.command : '';
    running.add(name);
    most = Math.max(most, running.size);
    const starting = clock.after(20, () => events.connected(connection));
    return new Promise((resolve) => {
      let isOver = false;
      const end = (result: RunResult) => {
        // A crash while it is being ended: the end that was asked for must not count for the next run.
        if (isOver) return;
        isOver = true;
        starting.dispose();
        running.delete(name);
        resolve(result);
      };
      fail = end;
      signal.addEventListener('abort', () =>
        clock.after(30, () => end({ ending: { kind: 'stopped' }, left: [] })),
      );
    });
  };
  const ports = {
    clock,
    logger: silentLogger,
    env: async () => ({}),
    ledger: noLedger,
    processes: createProcessTables(),
    version: '0',
    instanceId: 'x',
    defaultCwd: '/',
    timing: {
      handshake: 1000,
      handshakeDownloading: 1000,
      stopStep: 100,
      backoffInitial: 500,
      backoffMax: 30_000,
      stable: 60_000,
      slowProbe: 300_000,
      drain: 30_000,
    },
  };
  const heard: string[] = [];
  const server = new OwnedServer({
    key: 'a',
    ports,
    run,
    random: () => 0.5,
    onState: ({ state }, previous) => {
      if (state.status !== previous) heard.push(state.status);
    },
    onNotification: () => {},
    onRequest: async () => ({}),
    onLate: () => {},
  });
  return {
    server,
    heard,
    running,
    most: () => most,
    fail: (result: RunResult) => fail?.(result),
  };
}

describe('the owner of a server', () => {
  it('ends in the last wish and never runs two at once, whatever is wished and when', async () => {
    const wish = fc.record({
      kind: fc.constantFrom('one', 'two', 'off', 'restart', 'crash'),
      wait: fc.nat(60),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(wish, { maxLength: 25 }),
        fc.constantFrom('one', 'off'),
        async (wishes, last) => {
          const clock = new FakeClock();
          const { server, running, most, fail } = owned(clock);
          for (const { kind, wait } of [...wishes, { kind: last, wait: 0 }]) {
            if (kind === 'restart') server.restart();
            else if (kind === 'crash') fail(crash);
            else server.apply(order(kind === 'off' ? 'one' : kind, kind !== 'off'));
            await clock.advance(wait);
          }
          await clock.advance(120_000);
          expect(most()).toBeLessThanOrEqual(1);
          expect([...running]).toEqual(last === 'off' ? [] : ['one']);
          expect(server.state.status).toBe(last === 'off' ? 'disabled' : 'connected');
          await Promise.all([server.retire(), clock.advance(100)]);
          expect(running.size).toBe(0);
        },
      ),
      {
        numRuns: 200,
        examples: [
          [
            [
              { kind: 'one', wait: 0 },
              { kind: 'restart', wait: 0 },
              { kind: 'crash', wait: 0 },
            ],
            'one',
          ],
        ],
      },
    );
  });

  it('waits between restarts and says until when', async () => {
    const clock = new FakeClock();
    const { server, fail } = owned(clock);
    server.apply(order('one'));
    await clock.advance(0);
    await clock.advance(20);
    expect(server.state.status).toBe('connected');
    fail(crash);
    await clock.advance(0);
    expect(server.state).toMatchObject({
      status: 'disconnected',
      nextTryAt: clock.now() + 500,
      problem: { code: 'server.crashed' },
    });
    await clock.advance(499);
    expect(server.restarts).toBe(0);
    await clock.advance(1);
    expect(server.restarts).toBe(1);
    expect(server.state.status).toBe('connecting');
  });

  it('shows off at once while the process is still ending, and starts only after its end', async () => {
    const clock = new FakeClock();
    const { server, running, heard } = owned(clock);
    server.apply(order('one'));
    await clock.advance(0);
    await clock.advance(20);
    server.apply(order('one', false));
    expect(server.state.status).toBe('disabled');
    expect(running.size).toBe(1);
    server.apply(order('two'));
    await clock.advance(29);
    expect([...running]).toEqual(['one']);
    await clock.advance(1);
    expect([...running]).toEqual(['two']);
    await clock.advance(21);
    expect(heard).toEqual(['connecting', 'connected', 'disabled', 'connecting', 'connected']);
  });

  it('[PB-PROC-1] does not start again beside a process that could not be ended', async () => {
    const clock = new FakeClock();
    const { server, running, fail } = owned(clock);
    server.apply(order('one'));
    await clock.advance(0);
    await clock.advance(20);
    server.apply(order('two'));
    fail({ ending: { kind: 'stopped' }, left: [4711] });
    await clock.advance(60_000);
    expect(running.size).toBe(0);
    expect(server.state).toMatchObject({ status: 'error', problem: { code: 'server.stop_failed' } });
  });
});
