import { describe, expect, it } from 'vitest';
import {
  applyCheck,
  defaultTiming,
  findIssue,
  type HealthIssue,
  maxBusyMs,
  type Pulse,
  probeMethods,
  type Recent,
} from '../../../../electron/engine/supervise/health-rules.ts';

const pulse = (changes: Partial<Pulse> = {}): Pulse => ({
  by: 'ping',
  lastCheckAt: 1000,
  lastOkAt: 1000,
  silentSince: 1000,
  misses: 0,
  ...changes,
});
const missed = { kind: 'missed', by: 'ping', reason: 'no answer within 5 s' } as const;
const idle = { at: 31_000, calls: 0, isCutOff: false, isLocal: true };

describe('the result of a check', () => {
  it('[AG-US5-AC5] gives a server up at the third miss in a row', () => {
    let known = pulse();
    const verdicts = [1, 2, 3].map(() => {
      const next = applyCheck(known, missed, idle);
      known = next.pulse;
      return next.verdict;
    });
    expect(verdicts).toEqual(['missed', 'missed', 'dead']);
  });

  it('[AG-US5-AC4] forgets misses at the first sign of life', () => {
    const outcome = { kind: 'good', by: 'message' } as const;
    expect(applyCheck(pulse({ misses: 2 }), outcome, idle)).toEqual({
      pulse: { by: 'message', lastCheckAt: 31_000, lastOkAt: 31_000, quietSince: 31_000, misses: 0 },
      verdict: 'alive',
    });
  });

  it('[US3.3] counts no miss while a server works on a call, unless it has been silent for ten minutes', () => {
    const atWork = { ...idle, calls: 1 };
    expect(applyCheck(pulse({ misses: 2 }), missed, atWork)).toMatchObject({
      verdict: 'busy',
      pulse: { misses: 2, lastCheckAt: 31_000, lastOkAt: 1000 },
    });
    const muchLater = { ...atWork, at: 1000 + maxBusyMs };
    expect(applyCheck(pulse({ misses: 2 }), missed, muchLater).verdict).toBe('dead');
  });

  it('does not let a call explain an earlier silence of a local server', () => {
    const silent = { ...missed, isSilent: true } as const;
    const atWork = { ...idle, calls: 1 };
    expect(applyCheck(pulse({ misses: 2 }), silent, atWork).verdict).toBe('dead');
    expect(applyCheck(pulse(), silent, atWork).verdict).toBe('busy');
    expect(applyCheck(pulse({ misses: 2 }), silent, { ...atWork, isLocal: false }).verdict).toBe('busy');
  });

  it('does not let calls explain the silence of a remote server after the machine slept', () => {
    expect(
      applyCheck(pulse({ misses: 2 }), missed, { ...idle, calls: 1, mayBeDisconnected: true }).verdict,
    ).toBe('dead');
  });
});

it.each([
  [{ tools: {}, prompts: {} }, [], ['ping', 'tools/list']],
  [{ tools: null, resources: {} }, [], ['ping', 'resources/list']],
  [{ tools: {} }, ['ping'], ['tools/list']],
  [{ tools: false }, ['ping'], []],
] as const)('a server that has %j and ended after %j is asked %j', (has, deadly, questions) => {
  expect(probeMethods(has, new Set(deadly))).toEqual(questions);
});

describe('the problem of a server that responds', () => {
  const well: Recent = { calls: 0, failedCalls: 0, checks: 5, checkMs: 3 };
  const judge = (recent: Partial<Recent>, before?: HealthIssue, known = pulse()) =>
    findIssue(known, { ...well, ...recent }, before, defaultTiming)?.kind;
  const failing: HealthIssue = { kind: 'failing', calls: 10, failed: 6 };
  const slow: HealthIssue = { kind: 'slow', milliseconds: 3000 };

  it('[AG-US5-AC7] is failing when half of at least five calls failed, until less than a quarter do', () => {
    expect(judge({ calls: 4, failedCalls: 4 })).toBeUndefined();
    expect(judge({ calls: 5, failedCalls: 2 })).toBeUndefined();
    expect(judge({ calls: 6, failedCalls: 3 })).toBe('failing');
    expect(judge({ calls: 10, failedCalls: 3 })).toBeUndefined();
    expect(judge({ calls: 10, failedCalls: 3 }, failing)).toBe('failing');
    expect(judge({ calls: 10, failedCalls: 2 }, failing)).toBeUndefined();
    expect(judge({ calls: 2, failedCalls: 1 }, failing)).toBe('failing');
    expect(judge({ calls: 0, failedCalls: 0 }, failing)).toBeUndefined();
  });

  it('[AG-US5-AC7] is slow when its checks take half of the timeout, until they take a quarter', () => {
    expect(judge({ checks: 2, checkMs: 4000 })).toBeUndefined();
    expect(judge({ checks: 3, checkMs: 2501 })).toBe('slow');
    expect(judge({ checkMs: 2000 })).toBeUndefined();
    expect(judge({ checkMs: 2000 }, slow)).toBe('slow');
    expect(judge({ checkMs: 1250 }, slow)).toBeUndefined();
  });

  it('is silent from the second miss on, and busy when a call has kept it quiet for three intervals', () => {
    expect(judge({}, undefined, pulse({ misses: 1 }))).toBeUndefined();
    expect(judge({}, undefined, pulse({ misses: 2 }))).toBe('silent');
    expect(judge({}, undefined, pulse({ lastCheckAt: 90_999 }))).toBeUndefined();
    expect(judge({}, undefined, pulse({ lastCheckAt: 91_000 }))).toBe('busy');
  });
});
