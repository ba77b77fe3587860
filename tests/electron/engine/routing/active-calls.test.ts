import { describe, expect, it } from 'vitest';
import { RpcError } from '../../../../electron/engine/jsonrpc/message.ts';
import { ActiveCalls } from '../../../../electron/engine/routing/active-calls.ts';
import type { CallRequest } from '../../../../electron/engine/routing/contract.ts';
import type { Caller } from '../../../../electron/engine/routing/server-requests/contract.ts';
import { requestOf } from '../../../helper/raw-messages.ts';

const one = { sessionId: 's1' } as Caller;
const two = { sessionId: 's2' } as Caller;

const asked = (caller: Caller, requestId: number, method = 'tools/call'): CallRequest => ({
  sessionId: caller.sessionId,
  caller,
  requestId,
  message: requestOf(method, {}),
  view: {} as never,
  onProgress: () => {},
});

/** Begins a call; with a name it has its server already. */
function begin(calls: ActiveCalls, request: CallRequest, name?: string, serverKey = 'a') {
  const call = calls.begin(request);
  call.startedAt = 10;
  call.route = { serverKey, name, tool: undefined, changes: {} };
  return call;
}

/** The outcome of an aborted call, or `unanswered` if it never settles. */
const outcome = (end: Promise<never> | undefined) =>
  Promise.race([
    end?.catch((error: RpcError) => error.message),
    new Promise((resolve) => setImmediate(resolve, 'unanswered')),
  ]);

describe('active calls', () => {
  it('are listed with their clients', () => {
    const calls = new ActiveCalls();
    begin(calls, asked(one, 1), 'read');
    begin(calls, asked(two, 1, 'resources/read'), 'file:///x');
    const completion = begin(calls, asked(one, 2, 'completion/complete'));
    calls.begin(asked(one, 3));
    expect(calls.end(completion)).toBeUndefined();
    expect(calls.views((id) => `client of ${id}`)).toEqual([
      {
        id: 1,
        clientId: 's1',
        clientName: 'client of s1',
        serverKey: 'a',
        method: 'tools/call',
        name: 'read',
        since: 10,
      },
      {
        id: 2,
        clientId: 's2',
        clientName: 'client of s2',
        serverKey: 'a',
        method: 'resources/read',
        name: 'file:///x',
        since: 10,
      },
    ]);
  });

  it('are listed at their fallback once that has to answer', () => {
    const calls = new ActiveCalls();
    begin(calls, asked(one, 1), 'read').fallback = { serverKey: 'b', name: 'read_too' };
    expect(calls.views(() => 'c')).toMatchObject([{ serverKey: 'b', name: 'read_too' }]);
  });

  it('[PB-PASS-1] that their client cancels end at the server and get no response', async () => {
    const calls = new ActiveCalls();
    const [call, other] = [begin(calls, asked(one, 7)), begin(calls, asked(two, 7))];
    const told: unknown[] = [];
    call.attempt = { cancel: (reason) => told.push(reason) };
    calls.cancel(one, 8);
    calls.cancel(one, 7, 'enough');
    calls.cancel(one, 7, 'twice');
    expect(told).toEqual(['enough']);
    expect([call.aborted, other.aborted]).toEqual([true, false]);
    expect(call.signal.reason).toBe('enough');
    expect(await outcome(calls.end(call))).toBe('unanswered');
  });

  it('that somebody else stops get the reason as their error', async () => {
    const calls = new ActiveCalls();
    const call = begin(calls, asked(one, 1));
    const { signal } = call;
    const why = new RpcError({ code: -32024, message: 'Stopped' });
    expect(calls.stop(call.id, why)).toBe(true);
    expect(signal.aborted).toBe(true);
    expect(await outcome(calls.end(call))).toBe('Stopped');
    expect(calls.stop(call.id, why)).toBe(false);
  });

  it('of a session end together, whatever other sessions have the same id', async () => {
    const calls = new ActiveCalls();
    const resumed = { sessionId: 's1' } as Caller;
    const [mine, also, later] = [asked(one, 1), asked(one, 2), asked(resumed, 1)].map((request) =>
      begin(calls, request),
    );
    await calls.stopAll(one, new RpcError({ code: -32017, message: 'Closing' }));
    calls.cancelAll(one);
    expect([mine, also, later].map((call) => call?.aborted)).toEqual([true, true, false]);
    expect(await outcome(mine && calls.end(mine))).toBe('Closing');
  });

  it('report their end to observers that answers must not wait for after the answer was written', async () => {
    const calls = new ActiveCalls();
    const events: string[] = [];
    calls.observe({ ended: ({ id }) => events.push(`${id} decided`) });
    calls.observeAfterAnswers({ ended: ({ id }) => events.push(`${id} recorded`) });
    for (const requestId of [1, 2]) {
      const call = begin(calls, asked(one, requestId), 'read');
      calls.notifyEnded(call);
      await Promise.resolve();
      // Transports write like this.
      process.nextTick(() => events.push(`${call.id} written`));
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(events).toEqual(['1 decided', '2 decided', '1 written', '2 written', '1 recorded', '2 recorded']);
  });

  it('are reported in order, and at once where there is no time left', () => {
    const calls = new ActiveCalls();
    const events: string[] = [];
    calls.observeAfterAnswers({
      ended: ({ id }) => events.push(`${id} recorded`),
      unroutable: () => events.push('refused'),
    });
    calls.notifyEnded(begin(calls, asked(one, 1), 'read'));
    calls.notifyUnroutable({ sessionId: 's1', request: requestOf('tools/call', {}), at: 0, error: refusal });
    calls.notifyEnded(begin(calls, asked(one, 2), 'read'));
    calls.notifyLate();
    calls.notifyLate();
    expect(events).toEqual(['1 recorded', 'refused', '2 recorded']);
  });
});

const refusal = new RpcError({ code: -32602, message: 'no such tool' });
