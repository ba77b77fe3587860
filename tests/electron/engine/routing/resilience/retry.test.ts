import { describe, expect, it } from 'vitest';
import { ConnectionClosedError } from '../../../../../electron/engine/jsonrpc/message.ts';
import type { FailureKind } from '../../../../../electron/engine/routing/resilience/failure.ts';
import {
  defaultRetry,
  type FailedAttempt,
  mayRepeat,
  retryDelay,
  retryUnsentOnce,
} from '../../../../../electron/engine/routing/resilience/retry.ts';
import { requestOf } from '../../../../helper/raw-messages.ts';

const pause = (failed: Partial<FailedAttempt>, random = 0.5, rules = defaultRetry) =>
  retryDelay(
    {
      kind: 'lost',
      error: undefined,
      attempts: 1,
      mayRepeat: true,
      hasReconnected: false,
      waitedMs: 0,
      leftMs: undefined,
      ...failed,
    },
    rules,
    () => random,
  );
const askedFor = (retryAfter: number) =>
  new ConnectionClosedError('busy', false, { retryAfterMs: retryAfter });

describe('a call that failed', () => {
  it('[REQ-MCP-CALL-002] is sent three times at most: after 500 ms, then 1 s, each 20 % more or less', () => {
    expect([1, 2, 3].map((attempts) => pause({ attempts }))).toEqual([500, 1000, undefined]);
    expect([pause({}, 0), pause({}, 1)]).toEqual([400, 600]);
  });

  it('[REQ-MCP-CALL-002] is not sent again if it may have run and running twice may do harm', () => {
    expect(pause({ kind: 'lost', mayRepeat: false })).toBeUndefined();
    expect(pause({ kind: 'unsent', mayRepeat: false })).toBe(500);
  });

  it('goes at once to the connection that follows, but only the first time', () => {
    expect(pause({ kind: 'unsent', hasReconnected: true })).toBe(0);
    expect(pause({ kind: 'unsent', hasReconnected: true, attempts: 2 })).toBe(1000);
    expect(pause({ kind: 'lost', hasReconnected: true })).toBe(500);
  });

  it('goes once more in a program whose servers stay down, and only if it did not leave', () => {
    expect(pause({ kind: 'lost' }, 0.5, retryUnsentOnce)).toBeUndefined();
    expect(pause({ kind: 'unsent', hasReconnected: true }, 0.5, retryUnsentOnce)).toBe(0);
    expect(pause({ kind: 'unsent', attempts: 2 }, 0.5, retryUnsentOnce)).toBeUndefined();
  });

  const final: readonly FailureKind[] = ['answered', 'cancelled', 'refused', 'timeout', 'unreachable'];
  for (const kind of final) {
    it(`is not sent again when it is ${kind}`, () => {
      expect(pause({ kind })).toBeUndefined();
    });
  }

  it('waits as long as a busy server asks, or is not sent again where that is too long', () => {
    expect(pause({ kind: 'unsent', error: askedFor(7_000) })).toBe(7_000);
    expect(pause({ kind: 'unsent', error: askedFor(10) })).toBe(500);
    expect(pause({ kind: 'unsent', error: askedFor(30_001) })).toBeUndefined();
  });

  it('is not kept waiting longer in all by a server that stays busy', () => {
    expect(pause({ kind: 'unsent', error: askedFor(30_000) })).toBe(30_000);
    expect(pause({ kind: 'unsent', error: askedFor(30_000), waitedMs: 30_000 })).toBeUndefined();
    expect(pause({ kind: 'unsent', error: askedFor(7_000), waitedMs: 7_000 })).toBe(7_000);
  });

  it('is not retried if its time would be over before', () => {
    expect(pause({ leftMs: 500 })).toBeUndefined();
    expect(pause({ leftMs: 501 })).toBe(500);
  });
});

describe('what may run more than once', () => {
  const call = (params: Readonly<Record<string, unknown>> = {}) =>
    requestOf('tools/call', { name: 't', ...params });

  it('[REQ-MCP-CALL-002] is a tool that only reads or is idempotent by its annotations, and no other', () => {
    expect(mayRepeat(call(), { annotations: { readOnlyHint: true } })).toBe(true);
    expect(mayRepeat(call(), { annotations: { readOnlyHint: false, idempotentHint: true } })).toBe(true);
    for (const annotations of [
      undefined,
      null,
      'readOnlyHint',
      {},
      { readOnlyHint: 'true' },
      { destructiveHint: false },
    ]) {
      expect(mayRepeat(call(), { annotations })).toBe(false);
    }
    expect(mayRepeat(call(), undefined)).toBe(false);
  });

  it('[REQ-MCP-CALL-002, REQ-MCP-CALL-003] is a call with an idempotency key, whatever its tool', () => {
    expect(mayRepeat(call({ _meta: { 'patchbay/idempotencyKey': 'k' } }), {})).toBe(true);
    for (const key of ['', null, 7]) {
      expect(mayRepeat(call({ _meta: { 'patchbay/idempotencyKey': key } }), {})).toBe(false);
    }
  });

  it('is a request that reads, by the protocol', () => {
    const methods = ['resources/read', 'prompts/get', 'completion/complete', 'ping', 'tasks/cancel', 'x/y'];
    const may = methods.filter((method) => mayRepeat(requestOf(method, {}), undefined));
    expect(may).toEqual(['resources/read', 'prompts/get', 'completion/complete', 'ping']);
  });
});
