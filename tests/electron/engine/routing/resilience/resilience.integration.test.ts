import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../../../../electron/engine/base/clock.ts';
import { silentLogger } from '../../../../../electron/engine/base/logger.ts';
import { chooseProfile } from '../../../../../electron/engine/catalogue/client-facts.ts';
import { LiveCatalogue } from '../../../../../electron/engine/catalogue/live-catalogue.ts';
import { createView } from '../../../../../electron/engine/catalogue/view/view.ts';
import { RpcError } from '../../../../../electron/engine/jsonrpc/message.ts';
import { ActiveCalls } from '../../../../../electron/engine/routing/active-calls.ts';
import type { ServerCallOptions } from '../../../../../electron/engine/routing/call-attempts.ts';
import type {
  BreakerSnapshot,
  BreakerStore,
  CallRecord,
} from '../../../../../electron/engine/routing/contract.ts';
import { Resilience } from '../../../../../electron/engine/routing/resilience/resilience.ts';
import { Router } from '../../../../../electron/engine/routing/router.ts';
import { createSupervisor } from '../../../../../electron/engine/servers/lifecycle/supervisor.ts';
import { eventually } from '../../../../helper/eventually.ts';
import { listOffer } from '../../../../helper/list-offer.ts';
import { requestOf, resultOf } from '../../../../helper/raw-messages.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

type Params = Readonly<Record<string, unknown>>;

const program = fileURLToPath(new URL('../../../../fixture/fails-on-command.mjs', import.meta.url));

/** The system clock, which a test can set forward. */
class SettableClock implements Clock {
  #ahead = 0;
  now = () => systemClock.now() + this.#ahead;
  uptime = systemClock.uptime;
  after = systemClock.after;
  setForward(milliseconds: number): void {
    this.#ahead += milliseconds;
  }
}

interface Wish {
  readonly restart?: 'always' | 'never';
  readonly config?: Readonly<Record<string, ServerCallOptions>>;
  readonly memory?: BreakerStore;
  readonly clock?: SettableClock;
}

/** Runs real processes of the failing program, `a` and `b`, behind everything that calls pass in a hub. */
async function startHub({ restart = 'always', config = {}, memory, clock = new SettableClock() }: Wish = {}) {
  const folder = await tempDir();
  const runsFile = join(folder.path, 'runs');
  const supervisor = createSupervisor({
    clock: systemClock,
    logger: silentLogger,
    env: async () => process.env,
    version: '0.0.0',
    instanceId: `resilience ${crypto.randomUUID()}`,
    timing: { backoffInitial: 20, backoffMax: 100, stopStep: 500 },
  });
  const resilience = new Resilience({ clock, ...(memory === undefined ? {} : { store: memory }) });
  await resilience.circuits.restore();
  const ended: CallRecord[] = [];
  const calls = new ActiveCalls();
  calls.observe({ ended: (call) => ended.push(call) });
  const router = new Router({
    calls,
    supervisor,
    clock,
    resilience,
    optionsOf: (key) => config[key],
  });
  const keys = ['a', 'b'];
  const store = new LiveCatalogue({ clock: systemClock });
  store.setServers(keys.map((key) => ({ key, enabled: true, disabledTools: new Set<string>() })));
  const value = {
    kind: 'stdio',
    command: process.execPath,
    args: [program],
    env: { RUNS: runsFile },
  } as const;
  supervisor.apply(
    keys.map((key) => ({ key, enabled: true, restart, target: { ok: true, value }, fingerprint: key })),
  );
  for (const [key, server] of supervisor.servers) {
    store.setListing(key, (await listOffer(await server.connection(60_000))).offer);
  }
  const view = createView(store.current, chooseProfile({ programDefault: 'colon' }));

  async function call(name: string, args: Params = {}, meta?: Params, heard?: (params: Params) => void) {
    const params = { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) };
    try {
      const answer = await router.call({
        sessionId: 's',
        message: requestOf('tools/call', params),
        view,
        signal: AbortSignal.timeout(60_000),
        onProgress: (notice) => heard?.(notice.params ?? {}),
      });
      const { content } = resultOf(answer) as { readonly content: readonly { readonly text: string }[] };
      return { text: content[0]?.text };
    } catch (error) {
      if (error instanceof RpcError) return { error: error.toObject() };
      throw error;
    }
  }

  return {
    supervisor,
    resilience,
    clock,
    ended,
    call,
    /** Reads the file that records every run, as lines. */
    runs: async () => (await readFile(runsFile, 'utf8').catch(() => '')).split('\n').slice(0, -1),
    async [Symbol.asyncDispose]() {
      router.dispose();
      store.dispose();
      await supervisor.shutdown();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const toDatabase = (): BreakerStore => {
  const rows = new Map<string, BreakerSnapshot>();
  return {
    load: async () => [...rows.values()],
    save: async (snapshot) => void rows.set(`${snapshot.serverKey}:${snapshot.name}`, snapshot),
  };
};

describe('a real server that fails on command', () => {
  it('[REQ-MCP-CALL-001, REQ-MCP-CALL-002] dies in a call that may be repeated: it is repeated until it is answered', async () => {
    await using hub = await startHub();
    const heard: unknown[] = [];
    const args = { mark: 'x', end: 'die', times: 2, steps: [1, 2] };
    const meta = { progressToken: 'p' };
    expect(await hub.call('a:read', args, meta, ({ progress }) => heard.push(progress))).toEqual({
      text: 'read x ran 3',
    });
    // More is said while a slow machine starts the server again.
    expect(heard.slice(0, 2)).toEqual([1, 2]);
    expect(hub.ended).toMatchObject([{ id: 1, attempts: 3, outcome: 'ok', name: 'read' }]);
    expect(await hub.runs()).toHaveLength(3);
  });

  it('[REQ-MCP-CALL-002] dies in a call that must not be repeated: it ran once, and the caller learns that it may have run', async () => {
    await using hub = await startHub();
    const { error } = await hub.call('a:act', { mark: 'x', end: 'die' });
    expect(error).toMatchObject({ code: -32011, data: { code: 'call.outcome_unknown', attempts: 1 } });
    await eventually(async () => expect(await hub.call('a:act', { mark: 'y' })).toHaveProperty('text'));
    expect(await hub.runs()).toEqual(['act x', 'act y']);
  });

  it('[REQ-MCP-CALL-002] dies before it has read a call: it is not repeated either, because nobody knows', async () => {
    await using hub = await startHub();
    await hub.call('a:deafen');
    const [unsafe, safe] = await Promise.all([
      hub.call('a:act', { mark: 'x' }),
      hub.call('a:read', { mark: 'y' }),
    ]);
    expect(unsafe.error).toMatchObject({ data: { code: 'call.outcome_unknown' } });
    expect(safe).toEqual({ text: 'read y ran 1' });
    expect(await hub.runs()).toEqual(['read y']);
  });

  it('[REQ-MCP-CALL-002, REQ-MCP-CALL-003] dies in a call with an idempotency key: repeated, and its result kept', async () => {
    await using hub = await startHub();
    const meta = { 'patchbay/idempotencyKey': 'k' };
    const args = { mark: 'x', end: 'die', times: 1 };
    expect(await hub.call('a:act', args, meta)).toEqual({ text: 'act x ran 2' });
    expect(await hub.call('a:act', args, meta)).toEqual({ text: 'act x ran 2' });
    const other = await hub.call('a:act', { ...args, times: 2 }, meta);
    expect(other.error).toMatchObject({ data: { code: 'call.idempotency_mismatch' } });
    expect(await hub.runs()).toHaveLength(2);
  });

  it('[REQ-MCP-CALL-003] runs once for callers of one key who come at the same time', async () => {
    await using hub = await startHub();
    const meta = { 'patchbay/idempotencyKey': 'k' };
    const calls = Array.from({ length: 20 }, () => hub.call('a:act', { mark: 'x' }, meta));
    expect(new Set((await Promise.all(calls)).map(({ text }) => text))).toEqual(new Set(['act x ran 1']));
    expect(await hub.runs()).toHaveLength(1);
  });

  it('[REQ-MCP-CALL-005] fails five times: the tool is paused for a minute, others are not, also after a restart', async () => {
    const memory = toDatabase();
    const clock = new SettableClock();
    {
      await using hub = await startHub({ memory, clock });
      for (let count = 0; count < 5; count += 1) {
        const { error } = await hub.call('a:act', { mark: 'x', end: 'die' });
        expect(error).toMatchObject({ data: { code: 'call.outcome_unknown' } });
      }
      const { error } = await hub.call('a:act', { mark: 'x' });
      expect(error).toMatchObject({ code: -32015, data: { code: 'call.circuit_open' } });
      expect(await hub.call('b:act', { mark: 'y' })).toHaveProperty('text');
      expect(await hub.call('a:set', { mark: 'z' })).toHaveProperty('text');
      expect(await hub.runs()).toHaveLength(7);
    }
    await using hub = await startHub({ memory, clock });
    expect((await hub.call('a:act')).error).toMatchObject({ data: { code: 'call.circuit_open' } });
    expect(await hub.runs()).toEqual([]);
    clock.setForward(60_000);
    for (let count = 0; count < 3; count += 1) {
      expect(hub.resilience.circuits.open('a')).toHaveLength(1);
      expect(await hub.call('a:act')).toHaveProperty('text');
    }
    expect(hub.resilience.circuits.open('a')).toEqual([]);
    expect(await memory.load()).toMatchObject([{ name: 'act', state: 'closed' }]);
  });

  it('[REQ-MCP-CALL-004] is down: its fallback is asked, but never after a call that may have run', async () => {
    const fallback = new Map([
      ['act', ['b:nothing', 'b:act']],
      ['read', ['b:read']],
    ]);
    await using hub = await startHub({ restart: 'never', config: { a: { fallback } } });
    const lost = await hub.call('a:act', { mark: 'x', end: 'die' });
    expect(lost.error).toMatchObject({ data: { code: 'call.outcome_unknown' } });
    expect(await hub.runs()).toEqual(['act x']);
    expect(await hub.call('a:act', { mark: 'y' })).toEqual({ text: 'act y ran 1' });
    expect(hub.ended.at(-1)).toMatchObject({ fallback: { serverKey: 'b' }, skipped: ['b:nothing'] });
    expect(await hub.call('a:read', { mark: 'z' })).toEqual({ text: 'read z ran 1' });
  });

  it('[REQ-MCP-CALL-004] dies in a call that only reads and stays down: the fallback answers', async () => {
    const fallback = new Map([['read', ['b:read']]]);
    await using hub = await startHub({ restart: 'never', config: { a: { fallback } } });
    expect(await hub.call('a:read', { mark: 'x', end: 'die', times: 1 })).toEqual({ text: 'read x ran 2' });
  });

  it('[NFR-R4] hangs: the call ends at its limit, the server is notified and keeps running', async () => {
    await using hub = await startHub({ config: { a: { callTimeout: 5_000 } } });
    const { error } = await hub.call('a:read', { mark: 'x', end: 'hang' });
    expect(error).toMatchObject({ code: -32001, data: { code: 'call.timeout' } });
    expect(await hub.call('a:read', { mark: 'y' })).toEqual({ text: 'read y ran 1' });
    expect(await hub.runs()).toEqual(['read x', 'read y']);
  });
});
