import { describe, expect, it } from 'vitest';
import { EarlyRequests } from '../../../../../electron/engine/routing/server-requests/early-requests.ts';
import type { Connection, ServerRequest } from '../../../../../electron/engine/servers/contract.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import { requestOf } from '../../../../helper/raw-messages.ts';

/** Creates a server that answers pings, or does not. */
function serverThat(answers: boolean): Connection {
  const result = answers ? Promise.resolve({}) : new Promise<never>(() => {});
  return { request: () => ({ id: 1, result, abandon: () => true }) } as unknown as Connection;
}

function asks(method: string): ServerRequest {
  return { message: requestOf(method, {}), signal: new AbortController().signal, notify: async () => {} };
}

/** Waits like a call until the server has settled. */
function arrival(connection: Connection) {
  const clock = new FakeClock();
  const arrivals = new EarlyRequests(clock);
  let isSettled = false;
  const wait = () => {
    void arrivals.whenSettled('s', connection).then(() => {
      isSettled = true;
    });
  };
  return { clock, arrivals, wait, isSettled: () => isSettled };
}

describe('a server that has just arrived', () => {
  it('[PB-PASS-1] gets its first call after the answer to what it asked for roots, and a moment', async () => {
    const { clock, arrivals, wait, isSettled } = arrival(serverThat(true));
    let answer = (_: unknown) => {};
    const answered = new Promise((resolve) => {
      answer = resolve;
    });
    expect(arrivals.onRequest('s', asks('roots/list'), answered)).toBe(answered);
    wait();
    await clock.advance(500);
    expect(isSettled()).toBe(false);
    answer({ roots: [] });
    await clock.advance(0);
    expect(isSettled()).toBe(false);
    await clock.advance(100);
    expect([isSettled(), clock.pending]).toEqual([true, 0]);
  });

  it.each([
    [150, 750],
    [2_900, 1_000],
  ])(
    '[PB-LOAD-1] gets it once it has read that answer, after %i ms, and longer the busier it is',
    async (readAfter, moment) => {
      let read = (_: unknown) => {};
      const pings = [Promise.resolve({}), new Promise((resolve) => (read = resolve))];
      const busy = { request: () => ({ id: 1, result: pings.shift(), abandon: () => true }) };
      const { clock, arrivals, wait, isSettled } = arrival(busy as unknown as Connection);
      void arrivals.onRequest('s', asks('roots/list'), Promise.resolve({ roots: [] }));
      wait();
      await clock.advance(0);
      await clock.advance(readAfter);
      expect(isSettled()).toBe(false);
      read({});
      await clock.advance(0);
      await clock.advance(moment - 1);
      expect(isSettled()).toBe(false);
      await clock.advance(1);
      expect([isSettled(), clock.pending]).toEqual([true, 0]);
    },
  );

  it('gets it a moment later even if the answer came before it was registered', async () => {
    let note = (_: unknown) => {};
    const result = new Promise((resolve) => {
      note = resolve;
    });
    const slow = { request: () => ({ id: 1, result, abandon: () => true }) } as unknown as Connection;
    const { clock, arrivals, wait, isSettled } = arrival(slow);
    wait();
    await arrivals.onRequest('s', asks('roots/list'), Promise.resolve({ roots: [] }));
    note({});
    await clock.advance(0);
    expect(isSettled()).toBe(false);
    await clock.advance(100);
    expect([isSettled(), clock.pending]).toEqual([true, 0]);
  });

  it('gets it at once where it asks nothing, or something else, and where another server asks', async () => {
    const { clock, arrivals, wait, isSettled } = arrival(serverThat(true));
    void arrivals.onRequest('s', asks('sampling/createMessage'), new Promise(() => {}));
    void arrivals.onRequest('other', asks('roots/list'), new Promise(() => {}));
    wait();
    await clock.advance(0);
    expect([isSettled(), clock.pending]).toEqual([true, 0]);
  });

  it('gets it anyway if it answers no ping, or if its client does not answer', async () => {
    const { clock, arrivals, wait, isSettled } = arrival(serverThat(false));
    void arrivals.onRequest('s', asks('roots/list'), new Promise(() => {}));
    wait();
    await clock.advance(3_000);
    expect(isSettled()).toBe(false);
    await clock.advance(5_100);
    expect([isSettled(), clock.pending]).toEqual([true, 0]);
  });
});
