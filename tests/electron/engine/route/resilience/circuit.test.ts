import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BreakerSnapshot, BreakerStore } from '../../../../../electron/engine/route/contract.ts';
import { Circuit, type Verdict } from '../../../../../electron/engine/route/resilience/circuit.ts';
import { Circuits } from '../../../../../electron/engine/route/resilience/circuits.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';

const rules = { failures: 5, cooldown: 60_000, successes: 3 };
const tool = { serverKey: 'a', name: 't' };

/** Makes one call through the circuit, started and ended now. */
function call(circuit: Circuit, verdict: Verdict, now = 0): void {
  circuit.leave(circuit.enter(now), verdict, now);
}

function opened(): Circuit {
  const circuit = new Circuit(rules);
  for (let count = 0; count < 5; count += 1) call(circuit, 'failure');
  return circuit;
}

describe('the circuit of a tool', () => {
  it('[REQ-MCP-CALL-005] opens with the fifth failure in a row, and a success in between resets the count', () => {
    const circuit = new Circuit(rules);
    for (const verdict of ['failure', 'failure', 'failure', 'failure', 'success'] as const)
      call(circuit, verdict);
    for (let count = 0; count < 4; count += 1) call(circuit, 'failure');
    expect(circuit.isClosed).toBe(true);
    call(circuit, 'undecided');
    call(circuit, 'failure', 7);
    expect(circuit.status).toEqual({
      state: 'open',
      failures: 5,
      successes: 0,
      openedAt: 7,
      until: 60_007,
    });
  });

  it('[REQ-MCP-CALL-005] lets nothing through for a minute, then as many trials as have to succeed', () => {
    const circuit = opened();
    expect(circuit.admitsAt(59_999)).toBe(60_000);
    for (let count = 0; count < 3; count += 1) {
      expect(circuit.admitsAt(60_000)).toBe(60_000);
      circuit.enter(60_000);
    }
    expect(circuit.admitsAt(60_000)).toBeGreaterThan(60_000);
    expect(circuit.status.state).toBe('half-open');
  });

  it('[REQ-MCP-CALL-005] closes with the third success, and opens for another minute with one failure', () => {
    const closing = opened();
    for (let count = 0; count < 2; count += 1) call(closing, 'success', 60_000);
    expect(closing.isClosed).toBe(false);
    call(closing, 'success', 60_000);
    expect(closing.isHealthy).toBe(true);

    const opening = opened();
    call(opening, 'success', 60_000);
    call(opening, 'failure', 61_000);
    expect(opening.status).toMatchObject({ state: 'open', failures: 6, openedAt: 61_000, until: 121_000 });
  });

  it('passes an undecided trial on to the next call', () => {
    const circuit = opened();
    for (let count = 0; count < 10; count += 1) call(circuit, 'undecided', 60_000);
    expect(circuit.admitsAt(60_000)).toBe(60_000);
  });

  it('does not count what began before it opened or closed', () => {
    const circuit = new Circuit(rules);
    const slow = Array.from({ length: 9 }, () => circuit.enter(0));
    for (const round of slow.slice(0, 5)) circuit.leave(round, 'failure', 1);
    expect(circuit.status.until).toBe(60_001);
    circuit.leave(slow[5], 'failure', 30_000);
    circuit.leave(slow[6], 'success', 30_000);
    expect(circuit.status).toMatchObject({ failures: 5, until: 60_001 });
    const trial = circuit.enter(60_001);
    circuit.leave(slow[7], 'success', 60_002);
    circuit.leave(undefined, 'failure', 60_002);
    expect(circuit.status).toMatchObject({ state: 'half-open', successes: 0 });
    circuit.leave(trial, 'success', 60_003);
    expect(circuit.status.successes).toBe(1);
  });

  it('[REQ-MCP-CALL-005] whatever happens: never open without five failures in a row, never closed again without three successes', () => {
    const step = fc.record({
      verdict: fc.constantFrom<Verdict>('success', 'failure', 'undecided'),
      pause: fc.constantFrom(0, 1_000, 60_000),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const circuit = new Circuit(rules);
        let now = 0;
        let [failures, successes] = [0, 0];
        for (const { verdict, pause } of steps) {
          now += pause;
          const before = circuit.status;
          if (circuit.admitsAt(now) > now) {
            expect(before.until).toBeGreaterThan(now);
            continue;
          }
          call(circuit, verdict, now);
          const { state } = circuit.status;
          if (verdict === 'failure') [failures, successes] = [failures + 1, 0];
          if (verdict === 'success') {
            successes += 1;
            if (before.state === 'closed') failures = 0;
          }
          if (before.state === 'closed') expect(state).toBe(failures >= 5 ? 'open' : 'closed');
          else if (state === 'closed') expect(successes).toBeGreaterThanOrEqual(3);
          if (before.state !== 'closed' && verdict === 'failure') expect(state).toBe('open');
          if (state === 'closed' && before.state !== 'closed') failures = 0;
          if (state === 'open') successes = 0;
        }
      }),
    );
  });
});

/** The contents of the database. */
function memory(kept: readonly BreakerSnapshot[] = []) {
  const rows = new Map(kept.map((snapshot) => [`${snapshot.serverKey}:${snapshot.name}`, snapshot]));
  const saved: BreakerStore = {
    load: async () => [...rows.values()].filter(({ state }) => state !== 'closed'),
    save: async (snapshot) => void rows.set(`${snapshot.serverKey}:${snapshot.name}`, snapshot),
  };
  return { ...saved, rows };
}

function fail(circuits: Circuits, times: number, address = tool): void {
  for (let count = 0; count < times; count += 1) circuits.record(address, 'failure');
}

describe('the circuits of all tools', () => {
  it('[REQ-MCP-CALL-005] are one for each server and tool, and none for a tool with nothing against it', () => {
    const circuits = new Circuits({ clock: new FakeClock() });
    circuits.record(tool, 'success');
    expect(circuits.find('a', 't')).toBeUndefined();
    fail(circuits, 5);
    fail(circuits, 4, { serverKey: 'b', name: 't' });
    expect(circuits.open('a')).toEqual([{ tool: 't', until: 1_060_000 }]);
    expect(circuits.open('b')).toEqual([]);
    expect(circuits.find('a', 'u')).toBeUndefined();
    const other = circuits.find('b', 't');
    circuits.record({ serverKey: 'b', name: 't' }, 'success', other, other?.enter(0));
    expect(circuits.find('b', 't')).toBeUndefined();
  });

  it('[REQ-MCP-CALL-005] survive a restart: an open one stays open until its time', async () => {
    const clock = new FakeClock();
    const kept = memory();
    const before = new Circuits({ clock, store: kept });
    fail(before, 5);
    await clock.advance(50_000);
    const after = new Circuits({ clock, store: kept });
    await after.restore();
    expect(after.open('a')).toEqual([{ tool: 't', until: 1_060_000 }]);
    await clock.advance(10_000);
    const circuit = after.find('a', 't');
    for (let count = 0; count < 3; count += 1)
      after.record(tool, 'success', circuit, circuit?.enter(clock.now()));
    expect(after.find('a', 't')).toBeUndefined();
    await clock.advance(0);
    expect([...kept.rows.values()]).toMatchObject([{ state: 'closed' }]);
  });

  it('do not stay open longer than the cooldown after the clock was set back', async () => {
    const clock = new FakeClock();
    const snapshot: BreakerSnapshot = {
      ...tool,
      state: 'open',
      failures: 5,
      successes: 0,
      openedAt: 9e12,
      until: 9e12 + 60_000,
    };
    const circuits = new Circuits({ clock, store: memory([snapshot]) });
    await circuits.restore();
    expect(circuits.open('a')).toEqual([{ tool: 't', until: clock.now() + 60_000 }]);
  });

  it('are forgotten with a restart of their server by its user, and what began before no longer counts', async () => {
    const clock = new FakeClock();
    const kept = memory();
    const circuits = new Circuits({ clock, store: kept });
    const changes: string[] = [];
    circuits.onChange((key) => changes.push(key));
    fail(circuits, 4);
    const old = circuits.find('a', 't');
    fail(circuits, 1);
    circuits.reset('a');
    circuits.record(tool, 'failure', old, 0);
    await clock.advance(0);
    expect(circuits.find('a', 't')).toBeUndefined();
    expect(changes).toEqual(['a', 'a']);
    expect([...kept.rows.values()]).toMatchObject([{ state: 'closed' }]);
  });

  it('keep working when nothing can be stored, and report it', async () => {
    const errors: unknown[] = [];
    const broken: BreakerStore = {
      load: () => Promise.reject(new Error('unreadable')),
      save: () => Promise.reject(new Error('full')),
    };
    const clock = new FakeClock();
    const circuits = new Circuits({ clock, store: broken, onStoreError: (error) => errors.push(error) });
    await circuits.restore();
    fail(circuits, 5);
    await clock.advance(0);
    expect(circuits.open('a')).toHaveLength(1);
    expect(errors).toMatchObject([{ message: 'unreadable' }, { message: 'full' }]);
  });
});
