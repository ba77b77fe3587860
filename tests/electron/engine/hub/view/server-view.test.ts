import { describe, expect, it } from 'vitest';
import { type ServerFacts, serverView } from '../../../../../electron/engine/hub/view/server-view.ts';
import type { Connection, ServerState } from '../../../../../electron/engine/servers/contract.ts';
import { createServerLog } from '../../../../../electron/engine/servers/log/server-log.ts';
import { configured } from '../../../../helper/configured.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import { someProblem } from '../../../../helper/views.ts';

const connection = { handshake: {} } as Connection;
const connected: ServerState = { status: 'connected', since: 5, connectedAt: 5, pid: 7, connection };
const asleep: ServerState = { status: 'disconnected', since: 9, asleep: true };
const process = (state: ServerState, activeCalls = 0) => ({
  state,
  activeCalls,
  restarts: 2,
  update: undefined,
});

const view = (facts: Partial<ServerFacts>) =>
  serverView({
    configured: configured('a'),
    instances: [],
    warnings: [],
    openCircuits: [],
    now: 1,
    ...facts,
  });

describe('a server as people see it', () => {
  it('[AG-US5-AC4] [AG-US5-AC6] is degraded with the reason while its health is bad', () => {
    const health = {
      by: 'ping',
      lastCheckAt: 8,
      lastOkAt: 6,
      misses: 2,
      errorRate: 0.5,
      responseMs: 12,
    } as const;
    const illness = { problem: someProblem('server.unhealthy'), since: 8 };
    expect(view({ supervised: process(connected), health })).toMatchObject({
      status: 'connected',
      since: 5,
      health,
    });
    expect(view({ supervised: process(connected), health, healthProblem: illness })).toMatchObject({
      status: 'degraded',
      since: 8,
      problem: { code: 'server.unhealthy' },
      health,
      pid: 7,
    });
  });

  it('[PB-DUAL-1] says how a connected server speaks, with the stateless revision and the reason', () => {
    const eraOf = (handshake: Partial<Connection['handshake']>) => {
      const state = { ...connected, connection: { handshake } as Connection };
      return view({ supervised: process(state) }).era;
    };
    const protocolVersion = '2025-11-25';
    const modern = { era: 'modern', reason: 'it answered', version: '2026-07-28' } as const;
    expect(eraOf({ protocolVersion, era: modern })).toEqual(modern);
    const legacy = { era: 'legacy', reason: 'its entry says so' } as const;
    expect(eraOf({ protocolVersion, era: legacy })).toEqual({ ...legacy, version: protocolVersion });
    expect(view({ supervised: process(asleep) }).era).toBeUndefined();
  });

  it('[US1.6] shows the output of its program since the start', () => {
    const log = createServerLog({ clock: new FakeClock() });
    const facts = { supervised: { ...process({ status: 'connecting', since: 0 }), log } };
    expect(view(facts).starting).toEqual({});
    log.append('stderr', '\u001b[32mLoading model, please wait…\u001b[0m');
    log.append('hub', 'Still downloading');
    expect(view(facts).starting).toEqual({ line: 'Loading model, please wait…' });
    const later = { ...process({ status: 'connecting', since: Number.MAX_SAFE_INTEGER }), log };
    expect(view({ supervised: later }).starting).toEqual({});
    expect(view({ supervised: { ...process(connected), log } }).starting).toBeUndefined();
  });

  it('stays degraded while its lists do not answer', () => {
    const warnings = [someProblem('server.list_failed')];
    expect(view({ supervised: process(connected), warnings })).toMatchObject({
      status: 'degraded',
      since: 5,
      warnings,
    });
  });

  it('shows nothing of its health while it does not run', () => {
    const illness = { problem: someProblem('server.unhealthy'), since: 8 };
    const shown = view({ supervised: process(asleep), healthProblem: illness });
    expect(shown).toMatchObject({ status: 'disconnected' });
    expect(shown).not.toHaveProperty('problem');
    expect(shown).not.toHaveProperty('health');
  });

  it('[PB-DEMAND-1] shows the memory saved by sleeping if it was measured', () => {
    const onDemand = configured('a', { start: 'on-demand' });
    expect(view({ configured: onDemand, supervised: process(asleep) })).toMatchObject({
      start: 'on-demand',
      asleep: { since: 9 },
    });
    expect(view({ supervised: process(asleep), memorySaved: 4096 }).asleep).toEqual({
      since: 9,
      memorySaved: 4096,
    });
    expect(view({ supervised: process(connected), memorySaved: 4096 })).not.toHaveProperty('asleep');
  });

  it('shows a pending config, open circuits and the next retry', () => {
    const update = { kind: 'starting', since: 8 } as const;
    const openCircuits = [{ tool: 'x', until: 99 }];
    const failed: ServerState = {
      status: 'error',
      since: 3,
      problem: someProblem('server.keeps_failing'),
      nextTryAt: 77,
    };
    expect(view({ supervised: { ...process(connected), update } }).update).toEqual(update);
    expect(view({ supervised: process(failed), openCircuits })).toMatchObject({
      openCircuits,
      nextTryAt: 77,
    });
  });

  it('[PB-ISO-1] with a process per client shows their state, and counts their calls', () => {
    const isolated = configured('a', { isolation: 'per-client' });
    const failed: ServerState = { status: 'error', since: 6, problem: someProblem('server.crashed') };
    const of = (...states: readonly ServerState[]) =>
      view({
        configured: isolated,
        supervised: process(asleep),
        instances: states.map((state) => process(state, 2)),
      });
    expect(of()).toMatchObject({ instances: 0, asleep: { since: 9 } });
    expect(of(connected, connected)).toMatchObject({ status: 'connected', instances: 2, activeCalls: 4 });
    expect(of(connected)).not.toHaveProperty('asleep');
    expect(of(connected, failed)).toMatchObject({
      status: 'degraded',
      since: 6,
      problem: { code: 'server.crashed' },
    });
    expect(of(failed)).toMatchObject({ status: 'error' });
    expect(of({ status: 'connecting', since: 4 })).toMatchObject({ status: 'connecting' });
  });
});
