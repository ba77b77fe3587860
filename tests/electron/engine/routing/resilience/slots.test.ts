import { describe, expect, it } from 'vitest';
import { RpcError } from '../../../../../electron/engine/jsonrpc/message.ts';
import { Slots } from '../../../../../electron/engine/routing/resilience/slots.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Calls by name, and which of them have had their turn. */
function callers(limit: number, limits?: { maxPerServer: number; maxPerSession: number }) {
  const slots = new Slots(limits).forServer('a', limit);
  const begun: string[] = [];
  const refused: string[] = [];
  const call = (sessionId: string, name = sessionId, { signal } = new AbortController()) => {
    const begin = () => void begun.push(name);
    try {
      const turn = slots.enter({ sessionId, signal });
      if (turn === undefined) begin();
      else turn.then(begin, () => refused.push(name));
    } catch (error) {
      refused.push(error instanceof RpcError ? error.message : String(error));
    }
  };
  return { slots, begun, refused, call };
}

describe('a server with a limit of concurrent calls', () => {
  it('takes no more than that, and the next when one is over', async () => {
    const { slots, begun, call } = callers(2);
    for (const name of ['1', '2', '3', '4']) call('s', name);
    await settle();
    expect(begun).toEqual(['1', '2']);
    slots.leave();
    await settle();
    expect(begun).toEqual(['1', '2', '3']);
  });

  it('lets sessions take turns, however many calls one of them has waiting', async () => {
    const { slots, begun, call } = callers(1);
    for (const name of ['a1', 'a2', 'a3', 'a4']) call('a', name);
    call('b', 'b1');
    call('c', 'c1');
    call('b', 'b2');
    for (let turn = 0; turn < 6; turn += 1) {
      slots.leave();
      await settle();
    }
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('gives no turn to a call that was cancelled while it waited', async () => {
    const { slots, begun, refused, call } = callers(1);
    const leaving = new AbortController();
    call('a', 'a1');
    call('a', 'a2', leaving);
    call('a', 'a3');
    leaving.abort();
    await settle();
    expect(refused).toEqual(['a2']);
    slots.leave();
    await settle();
    expect(begun).toEqual(['a1', 'a3']);
  });

  it('refuses calls when too many wait, in total or in their session', async () => {
    const { refused, call } = callers(1, { maxPerServer: 3, maxPerSession: 2 });
    for (const name of ['a1', 'a2', 'a3', 'a4']) call('a', name);
    expect(refused).toEqual([expect.stringContaining('2 more are waiting')]);
    call('b');
    expect(refused).toHaveLength(1);
    call('c');
    expect(refused).toHaveLength(2);
  });

  it('uses the current limit', async () => {
    const all = new Slots();
    const begun: number[] = [];
    const { signal } = new AbortController();
    for (let call = 0; call < 4; call += 1) {
      const turn = all.forServer('a', 1).enter({ sessionId: 's', signal });
      if (turn === undefined) begun.push(call);
      else void turn.then(() => begun.push(call));
    }
    all.forServer('a', 3).leave();
    await settle();
    expect(begun).toEqual([0, 1, 2, 3]);
  });
});
