import { describe, expect, it } from 'vitest';
import { ConnectionClosedError } from '../../../../electron/engine/jsonrpc/message.ts';
import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import { createFailingHub, pass } from '../../../helper/failing-hub.ts';
import { connectTo } from '../../../helper/memory-server.ts';

const die = { a: ['die', 'die', 'die', 'die'] } as const;

describe('a call whose server dies', () => {
  for (const tool of ['read', 'set']) {
    it(`[REQ-MCP-CALL-002] is sent again if its tool may be repeated (${tool}), after 500 ms and 1 s`, async () => {
      await using hub = createFailingHub(['a']);
      await hub.start('a');
      const { mark, answer } = hub.call(`a:${tool}`, { plan: { a: ['die', 'die'] } });
      await pass(hub.clock, 499);
      expect(hub.runs.get(mark)).toHaveLength(1);
      await pass(hub.clock, 1);
      await pass(hub.clock, 999);
      expect(hub.runs.get(mark)).toHaveLength(2);
      await pass(hub.clock, 1);
      expect(await answer).toMatchObject({ content: [{ text: `${mark} at a` }] });
      expect(hub.ended).toMatchObject([{ attempts: 3, outcome: 'ok', error: undefined }]);
      expect(hub.clock.pending).toBe(0);
    });
  }

  it('[REQ-MCP-CALL-002, NFR-R4] is never sent again if it may have run and its tool does not allow it', async () => {
    await using hub = createFailingHub(['a']);
    await hub.start('a');
    const { mark, error } = await hub.outcome('a:act', { plan: die });
    expect(error).toMatchObject({ code: -32011, data: { code: 'call.outcome_unknown', attempts: 1 } });
    expect(hub.runs.get(mark)).toEqual(['a:act']);
    expect(hub.ended).toMatchObject([{ attempts: 1, outcome: 'lost' }]);
  });

  it('[REQ-MCP-CALL-002, REQ-MCP-CALL-003] is sent again if its caller gave it an idempotency key', async () => {
    await using hub = createFailingHub(['a']);
    await hub.start('a');
    const meta = { 'patchbay/idempotencyKey': 'k' };
    const { mark, result } = await hub.outcome('a:act', { plan: { a: ['die'] }, meta });
    expect(result).toMatchObject({ content: [{ text: `${mark} at a` }] });
    expect(hub.runs.get(mark)).toHaveLength(2);
  });

  it('[REQ-MCP-CALL-002] reports after three attempts that it may have run, and how often', async () => {
    await using hub = createFailingHub(['a']);
    await hub.start('a');
    const { mark, error } = await hub.outcome('a:read', { plan: die });
    expect(error).toMatchObject({ code: -32011, data: { code: 'call.outcome_unknown', attempts: 3 } });
    expect(error?.message).toContain('3 times in a row');
    expect(hub.runs.get(mark)).toHaveLength(3);
  });

  it('reports that it may have run though the server never came back', async () => {
    await using hub = createFailingHub(['a']);
    await hub.start('a');
    const { answer } = hub.call('a:read', { plan: { a: ['hang'] } });
    const told = answer.catch((error: unknown) => error);
    await pass(hub.clock, 0);
    await hub.end('a');
    hub.down('a');
    await pass(hub.clock, 500);
    expect(await told).toMatchObject({ data: { code: 'call.outcome_unknown', attempts: 1 } });
  });

  it('is given up at once when its client cancels, and nothing is left', async () => {
    await using hub = createFailingHub(['a']);
    await hub.start('a');
    const leaving = new AbortController();
    const { mark, answer } = hub.call('a:read', { plan: die, signal: leaving.signal });
    const told = answer.catch((error: unknown) => error);
    await pass(hub.clock, 100);
    leaving.abort();
    expect(await told).toMatchObject({ code: -32800 });
    expect(hub.clock.pending).toBe(0);
    await pass(hub.clock, 60_000);
    expect(hub.runs.get(mark)).toHaveLength(1);
    expect(hub.ended).toMatchObject([{ outcome: 'cancelled' }]);
  });
});

describe('a call that a busy server does not take', () => {
  it('[REQ-MCP-CALL-002] is sent once more after the time that it asks for, then says so', async () => {
    await using hub = createFailingHub(['a']);
    await using server = await connectTo({ handlers: {} });
    const unreachable = problem('server.unreachable', 'The server answered with HTTP 429.', 'Try later.');
    const cause = new ProblemError(unreachable);
    const busy = new ConnectionClosedError('busy', false, { cause, retryAfterMs: 30_000 });
    let sent = 0;
    const forward = () => {
      sent += 1;
      return { id: sent, result: Promise.reject(busy), abandon: () => false };
    };
    hub.supervisor.server('a').connected({ ...server.connection, forward });
    const { answer } = hub.call('a:act');
    const told = answer.catch((error: unknown) => error);
    await pass(hub.clock, 29_999);
    expect(sent).toBe(1);
    await pass(hub.clock, 1);
    expect(await told).toMatchObject({
      message: expect.stringContaining('HTTP 429. It asks for a pause of 30 s.'),
      data: { code: 'call.server_unavailable', attempts: 2, retryAfter: 30_000 },
    });
    expect(hub.clock.pending).toBe(0);
  });
});

describe('a call that did not leave', () => {
  it('[REQ-MCP-CALL-002] is sent again whatever its tool, until the server is back', async () => {
    await using hub = createFailingHub(['a']);
    await hub.start('a');
    await hub.end('a', false);
    const { mark, answer } = hub.call('a:act');
    await pass(hub.clock, 500);
    await hub.start('a');
    await pass(hub.clock, 1_000);
    expect(await answer).toBeDefined();
    expect(hub.runs.get(mark)).toEqual(['a:act']);
    expect(hub.ended).toMatchObject([{ attempts: 3 }]);
  });

  it('[REQ-MCP-CALL-002] reports after three attempts that no server got it', async () => {
    await using hub = createFailingHub(['a']);
    await hub.start('a');
    await hub.end('a', false);
    const { error } = await hub.outcome('a:act');
    expect(error).toMatchObject({ code: -32010, data: { code: 'call.server_unavailable', attempts: 3 } });
    expect(hub.ended).toMatchObject([{ outcome: 'refused' }]);
  });
});

describe('a hub that is about to end', () => {
  it('refuses calls at once: they are neither sent again nor asked elsewhere', async () => {
    await using hub = createFailingHub(['a', 'b'], {
      config: { a: { fallback: new Map([['read', ['b:read']]]) } },
    });
    await hub.start('a');
    await hub.start('b');
    const ending = new ProblemError(
      problem('call.draining', 'Patchbay is about to end.', 'Try again later.'),
    );
    const refused = Promise.reject(ending);
    refused.catch(() => {});
    const connection = hub.server('a')?.connection;
    if (connection === undefined) throw new Error('It was not started.');
    hub.supervisor.server('a').connected({
      ...connection,
      forward: () => ({ id: 0, result: refused, abandon: () => false }),
    });
    const told = { error: { code: -32017, data: { code: 'call.draining' } } };
    expect(await hub.outcome('a:read')).toMatchObject(told);
    hub.supervisor.server('a').failed(ending);
    const waiting = await hub.outcome('a:read');
    expect(waiting).toMatchObject(told);
    expect(hub.runs.size).toBe(0);
    expect(hub.ended).toMatchObject([{ outcome: 'refused' }, { outcome: 'refused' }]);
  });
});

describe('the limit of a call', () => {
  it('is for all attempts together: what has run out of time is neither waited for nor repeated', async () => {
    await using hub = createFailingHub(['a'], { config: { a: { callTimeout: 2_000 } } });
    await hub.start('a');
    const { mark, answer } = hub.call('a:read', { plan: { a: ['die', 'hang'] } });
    const told = answer.catch((error: unknown) => error);
    await pass(hub.clock, 500);
    await pass(hub.clock, 1_499);
    expect(hub.runs.get(mark)).toHaveLength(2);
    expect(hub.ended).toEqual([]);
    await pass(hub.clock, 1);
    expect(await told).toMatchObject({ code: -32001, data: { code: 'call.timeout', attempts: 2 } });
    await pass(hub.clock, 60_000);
    expect(hub.runs.get(mark)).toHaveLength(2);
    expect(hub.server('a')?.received.at(-1)).toMatchObject({ method: 'notifications/cancelled' });
  });

  it('ends the retries where it would be over before the next', async () => {
    await using hub = createFailingHub(['a'], { config: { a: { callTimeout: 400 } } });
    await hub.start('a');
    const { mark, error } = await hub.outcome('a:read', { plan: die });
    expect(error).toMatchObject({ data: { code: 'call.outcome_unknown' } });
    expect(hub.runs.get(mark)).toHaveLength(1);
  });
});

describe('an answer', () => {
  for (const [ending, told] of [
    ['error', { error: { code: -32603, message: 'It broke' } }],
    ['invalid', { error: { code: -32602, message: 'Not like this' } }],
    ['no', { result: { isError: true } }],
  ] as const) {
    it(`[US3.2] of the server is the client's, and not asked for twice (${ending})`, async () => {
      await using hub = createFailingHub(['a', 'b'], {
        config: { a: { fallback: new Map([['read', ['b:read']]]) } },
      });
      await hub.start('a');
      await hub.start('b');
      const outcome = await hub.outcome('a:read', { plan: { a: [ending] } });
      expect(outcome).toMatchObject(told);
      expect(hub.runs.get(outcome.mark)).toEqual(['a:read']);
    });
  }
});

describe('a circuit', () => {
  it('[REQ-MCP-CALL-005] opens after five failures: calls are refused at once, saying when one is let through', async () => {
    await using hub = createFailingHub(['a']);
    await hub.start('a');
    for (let count = 0; count < 5; count += 1) await hub.outcome('a:act', { plan: { a: ['die'] } });
    expect(hub.resilience.circuits.open('a')).toEqual([{ tool: 'act', until: hub.clock.now() + 59_000 }]);
    const { mark, error } = await hub.outcome('a:act');
    expect(error).toMatchObject({
      code: -32015,
      data: { code: 'call.circuit_open', serverKey: 'a', tool: 'act', retryAfter: 59_000 },
    });
    expect(error?.message).toContain('in 59 s');
    expect(hub.runs.get(mark)).toBeUndefined();
    expect(hub.ended.at(-1)).toMatchObject({ outcome: 'refused', attempts: 0 });
    expect(await hub.outcome('a:read')).toMatchObject({ result: {} });
  });

  it('[REQ-MCP-CALL-005] is tried after a minute and closes with three successes', async () => {
    await using hub = createFailingHub(['a']);
    await hub.start('a');
    for (let count = 0; count < 5; count += 1) await hub.outcome('a:act', { plan: { a: ['die'] } });
    await hub.clock.advance(60_000);
    for (let count = 0; count < 3; count += 1) {
      expect(hub.resilience.circuits.open('a')).toHaveLength(1);
      expect(await hub.outcome('a:act')).toHaveProperty('result');
    }
    expect(hub.resilience.circuits.find('a', 'act')).toBeUndefined();
  });

  it('[REQ-MCP-CALL-005] counts each attempt, and ends the retries of the call that opens it', async () => {
    await using hub = createFailingHub(['a']);
    await hub.start('a');
    await hub.outcome('a:read', { plan: die });
    const { mark, error } = await hub.outcome('a:read', { plan: die });
    expect(hub.runs.get(mark)).toHaveLength(2);
    expect(error).toMatchObject({ data: { code: 'call.outcome_unknown', attempts: 2 } });
    expect(hub.resilience.circuits.open('a')).toHaveLength(1);
  });

  it('[REQ-MCP-CALL-005] does not count what a tool says, what its server answers, cancelled calls, or a server that is away', async () => {
    await using hub = createFailingHub(['a']);
    await hub.start('a');
    for (let count = 0; count < 8; count += 1) {
      await hub.outcome('a:act', { plan: { a: ['no'] } });
      await hub.outcome('a:act', { plan: { a: ['invalid'] } });
      await hub.outcome('a:act', { plan: { a: ['error'] } });
      const leaving = new AbortController();
      const { answer } = hub.call('a:act', { plan: { a: ['hang'] }, signal: leaving.signal });
      await pass(hub.clock, 0);
      leaving.abort();
      await answer.catch(() => {});
    }
    hub.down('a');
    for (let count = 0; count < 8; count += 1) await hub.outcome('a:act');
    expect(hub.resilience.circuits.find('a', 'act')).toBeUndefined();
  });

  it('counts a call that ran out of its time', async () => {
    await using hub = createFailingHub(['a'], { config: { a: { callTimeout: 100 } } });
    await hub.start('a');
    for (let count = 0; count < 5; count += 1) await hub.outcome('a:act', { plan: { a: ['hang'] } });
    expect(hub.resilience.circuits.open('a')).toHaveLength(1);
  });
});

describe('fallbacks', () => {
  const fallback = new Map([['act', ['b:act', 'c:act']]]);

  it('[REQ-MCP-CALL-004] are asked in their order where the server cannot be called', async () => {
    await using hub = createFailingHub(['a', 'b', 'c'], { config: { a: { fallback } } });
    hub.down('a');
    hub.down('b');
    await hub.start('c');
    const { mark, result } = await hub.outcome('a:act');
    expect(result).toEqual({ content: [{ type: 'text', text: `${mark} at c` }] });
    expect(hub.server('c')?.received).toMatchObject([{ params: { name: 'act' } }]);
    expect(hub.ended).toMatchObject([
      { serverKey: 'a', name: 'act', fallback: { serverKey: 'c', name: 'act' }, outcome: 'ok' },
    ]);
  });

  it('[REQ-MCP-CALL-004] are asked where the circuit is open', async () => {
    await using hub = createFailingHub(['a', 'b'], { config: { a: { fallback } } });
    await hub.start('a');
    await hub.start('b');
    for (let count = 0; count < 5; count += 1) await hub.outcome('a:act', { plan: { a: ['die'] } });
    const { mark, result } = await hub.outcome('a:act');
    expect(result).toMatchObject({ content: [{ text: `${mark} at b` }] });
  });

  it('[REQ-MCP-CALL-004] are asked when the retries of a tool that may be repeated are used up', async () => {
    await using hub = createFailingHub(['a', 'b'], {
      config: { a: { fallback: new Map([['read', ['b:read']]]) } },
    });
    await hub.start('a');
    await hub.start('b');
    const { mark, result } = await hub.outcome('a:read', { plan: die });
    expect(result).toBeDefined();
    expect(hub.runs.get(mark)).toEqual(['a:read', 'a:read', 'a:read', 'b:read']);
    expect(hub.ended).toMatchObject([{ attempts: 4 }]);
  });

  it('[REQ-MCP-CALL-004, NFR-R4] are never asked after a call that may have run and must not run twice', async () => {
    await using hub = createFailingHub(['a', 'b', 'c'], { config: { a: { fallback } } });
    for (const key of ['a', 'b', 'c']) await hub.start(key);
    const first = await hub.outcome('a:act', { plan: die });
    expect(first.error).toMatchObject({ data: { code: 'call.outcome_unknown' } });
    const keyed = await hub.outcome('a:act', { plan: die, meta: { 'patchbay/idempotencyKey': 'k' } });
    expect(hub.runs.get(keyed.mark)?.every((place) => place === 'a:act')).toBe(true);

    hub.down('a');
    const second = await hub.outcome('a:act', { plan: { b: ['die'] } });
    expect(second.error).toMatchObject({ data: { code: 'call.outcome_unknown', serverKey: 'b' } });
    expect(hub.runs.get(second.mark)).toEqual(['b:act']);
  });

  it('[REQ-MCP-CALL-004] that are unknown, disabled or the tool itself are skipped and named', async () => {
    await using hub = createFailingHub(['a', 'b', 'c'], {
      config: { a: { fallback: new Map([['act', ['a:act', 'x:act', 'b:act', 'act', 'c:act']]]) } },
      disabled: { b: ['act'] },
    });
    hub.down('a');
    hub.down('c');
    await hub.start('b');
    const { error } = await hub.outcome('a:act');
    expect(error).toMatchObject({
      code: -32010,
      data: { serverKey: 'a', fallbacks: { tried: ['c:act'], skipped: ['a:act', 'x:act', 'b:act', 'act'] } },
    });
    expect(hub.ended[0]?.skipped).toEqual(['a:act', 'x:act', 'b:act', 'act']);
  });

  it('[REQ-MCP-CALL-004] of fallbacks are not called, so that there are no cycles', async () => {
    await using hub = createFailingHub(['a', 'b', 'c'], {
      config: {
        a: { fallback: new Map([['act', ['b:act']]]) },
        b: { fallback: new Map([['act', ['a:act', 'c:act']]]) },
      },
    });
    hub.down('a');
    hub.down('b');
    await hub.start('c');
    const { mark, error } = await hub.outcome('a:act');
    expect(error).toMatchObject({ data: { fallbacks: { tried: ['b:act'] } } });
    expect(hub.runs.get(mark)).toBeUndefined();
  });

  it('answer with an error of their own', async () => {
    await using hub = createFailingHub(['a', 'b', 'c'], { config: { a: { fallback } } });
    hub.down('a');
    await hub.start('b');
    await hub.start('c');
    const { mark, error } = await hub.outcome('a:act', { plan: { b: ['invalid'] } });
    expect(error).toEqual({ code: -32602, message: 'Not like this' });
    expect(hub.runs.get(mark)).toEqual(['b:act']);
  });
});

describe('a server that takes one call at a time', () => {
  it('gets them one after the other, and none that was cancelled meanwhile', async () => {
    await using hub = createFailingHub(['a'], { config: { a: { concurrency: 1 } } });
    await hub.start('a');
    const [ending, leaving] = [new AbortController(), new AbortController()];
    const first = hub.call('a:act', { plan: { a: ['hang'] }, signal: ending.signal });
    const second = hub.call('a:act', { signal: leaving.signal });
    const third = hub.call('a:act');
    for (const { answer } of [first, second]) answer.catch(() => {});
    await pass(hub.clock, 0);
    expect([...hub.runs.keys()]).toEqual([first.mark]);
    leaving.abort();
    ending.abort();
    expect(await third.answer).toBeDefined();
    expect([...hub.runs.keys()]).toEqual([first.mark, third.mark]);
  });

  it('gets none of the calls that waited while its circuit opened', async () => {
    await using hub = createFailingHub(['a'], { config: { a: { concurrency: 1, callTimeout: 100 } } });
    await hub.start('a');
    const calls = Array.from({ length: 7 }, () => hub.call('a:act', { plan: { a: ['hang'] } }));
    const settled = Promise.allSettled(calls.map(({ answer }) => answer));
    for (let turn = 0; turn < 7; turn += 1) await pass(hub.clock, 100);
    const codes = (await settled).map((outcome) => 'reason' in outcome && outcome.reason.data.code);
    expect(codes).toEqual([...Array(5).fill('call.timeout'), 'call.circuit_open', 'call.circuit_open']);
    expect(hub.runs.size).toBe(5);
  });
});

describe('an idempotency key', () => {
  const meta = { 'patchbay/idempotencyKey': 'k' };

  it('[REQ-MCP-CALL-003] is passed on as it came, and runs its tool once', async () => {
    await using hub = createFailingHub(['a']);
    await hub.start('a');
    const request = () =>
      hub.router.call({
        sessionId: 's',
        message: hub.records[0]?.request ?? never(),
        view: hub.view,
        signal: new AbortController().signal,
        onProgress: () => {},
      });
    const { mark, answer } = hub.call('a:act', { meta });
    await answer;
    await request();
    expect(hub.runs.get(mark)).toHaveLength(1);
    expect(hub.server('a')?.received).toMatchObject([{ params: { _meta: meta } }]);
    expect(hub.ended).toMatchObject([
      { repeated: false, attempts: 1 },
      { repeated: true, attempts: 0, outcome: 'ok' },
    ]);
  });

  it('[REQ-MCP-CALL-003, REQ-MCP-CALL-004] whose call may have run prevents later fallbacks', async () => {
    await using hub = createFailingHub(['a', 'b'], {
      config: { a: { fallback: new Map([['act', ['b:act']]]) } },
    });
    await hub.start('a');
    await hub.start('b');
    const { mark, error } = await hub.outcome('a:act', { plan: die, meta });
    expect(error).toMatchObject({ data: { code: 'call.outcome_unknown' } });
    await hub.end('a');
    hub.down('a');
    const again = hub.router.call({
      sessionId: 's',
      message: hub.records[0]?.request ?? never(),
      view: hub.view,
      signal: new AbortController().signal,
      onProgress: () => {},
    });
    const told = again.catch((refused: unknown) => refused);
    await pass(hub.clock, 10_000);
    expect(await told).toMatchObject({ data: { code: 'call.server_unavailable' } });
    expect(new Set(hub.runs.get(mark))).toEqual(new Set(['a:act']));
  });

  it('[REQ-MCP-CALL-003] that was used with other arguments refuses the call', async () => {
    await using hub = createFailingHub(['a']);
    await hub.start('a');
    await hub.outcome('a:act', { meta });
    const { mark, error } = await hub.outcome('a:act', { meta });
    expect(error).toMatchObject({ code: -32602, data: { code: 'call.idempotency_mismatch' } });
    expect(hub.runs.get(mark)).toBeUndefined();
    expect(hub.ended.at(-1)).toMatchObject({ outcome: 'refused' });
  });
});

function never(): never {
  throw new Error('There is no call yet.');
}

describe('the record of a call', () => {
  it('[REQ-MCP-CALL-001] holds request and answer under one id, from its start to its end', async () => {
    await using hub = createFailingHub(['a']);
    await hub.start('a');
    const { answer } = hub.call('a:act', { session: 'mine' });
    expect(hub.records).toMatchObject([
      { sessionId: 'mine', serverKey: 'a', name: 'act', method: 'tools/call', outcome: undefined },
    ]);
    await answer;
    const [started] = hub.records;
    expect(hub.ended[0]).toBe(started);
    expect(started).toMatchObject({
      id: 1,
      attempts: 1,
      outcome: 'ok',
      startedAt: hub.clock.now(),
      endedAt: hub.clock.now(),
    });
    expect(started?.request.param('name')).toBe('a:act');
    expect(started?.answer?.result).toMatchObject({ content: [{}] });
    await hub.outcome('a:act', { plan: { a: ['invalid'] } });
    expect(hub.ended[1]).toMatchObject({ id: 2, outcome: 'error', error: { code: -32602 } });
    expect(hub.ended[1]?.answer?.kind).toBe('failure');
  });
});
