import { describe, expect, it } from 'vitest';
import { HealthHistory } from '../../../../electron/engine/supervise/health-history.ts';

const minute = 60_000;

describe('the short history of a server', () => {
  it('[AG-US5-AC7] keeps calls, errors and the median response of each span', () => {
    const history = new HealthHistory();
    for (const milliseconds of [10, 30, 20]) history.recordCall(milliseconds, false);
    history.recordCall(60_000, true);
    expect(history.close(30_000, 'ok')).toEqual({
      at: 30_000,
      status: 'ok',
      calls: 4,
      errors: 1,
      responseMs: 20,
    });
    expect(history.close(60_000, 'ok')).toEqual({ at: 60_000, status: 'ok', calls: 0, errors: 0 });
  });

  it('is half an hour long, and keeps nothing of a span in which the server was not meant to run', () => {
    const history = new HealthHistory();
    expect(history.close(0, undefined)).toBeUndefined();
    for (let span = 1; span <= 100; span++) history.close(span * 30_000, 'ok');
    expect(history.samples).toHaveLength(60);
    expect(history.samples[0]?.at).toBe(41 * 30_000);
  });

  it('counts the last five minutes as the recent past, checks apart from calls', () => {
    const history = new HealthHistory();
    history.recordCall(5, true);
    history.recordCheck(4000);
    history.close(30_000, 'ok');
    history.recordCall(100, false);
    history.recordCall(200, false);
    history.recordCheck(2);
    expect(history.recent(minute)).toEqual({
      calls: 3,
      failedCalls: 1,
      checks: 2,
      checkMs: 4000,
      responseMs: 200,
    });
    expect(history.recent(6 * minute)).toEqual({
      calls: 2,
      failedCalls: 0,
      checks: 1,
      checkMs: 2,
      responseMs: 100,
    });
  });

  it('judges a restarted server only by what it does from then on', () => {
    const history = new HealthHistory();
    history.recordCall(5, true);
    history.close(30_000, 'failing');
    history.recordCall(5, true);
    history.markRestart();
    history.recordCall(7, false);
    expect(history.recent(31_000)).toEqual({ calls: 1, failedCalls: 0, checks: 0, responseMs: 7 });
    expect(history.close(60_000, 'down')).toMatchObject({ calls: 2, errors: 1 });
    expect(history.recent(61_000)).toMatchObject({ calls: 1, failedCalls: 0 });
  });

  it('has bounded memory, whatever the traffic', () => {
    const history = new HealthHistory();
    for (let call = 0; call < 10_000; call++) history.recordCall(call, false);
    expect(history.recent(0)).toMatchObject({ calls: 10_000, responseMs: 9984 });
  });
});
