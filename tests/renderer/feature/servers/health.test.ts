import { describe, expect, it } from 'vitest';
import {
  chartRange,
  columnOf,
  responseLines,
  sampleAt,
} from '../../../../renderer/feature/servers/health/chart-geometry.ts';
import {
  appendSamples,
  followHealth,
  shownHistoryMs,
} from '../../../../renderer/feature/servers/health/health-store.ts';
import { historyText, sampleText } from '../../../../renderer/feature/servers/health/health-words.ts';
import type { IpcAnswer } from '../../../../shared/ipc/contract.ts';
import type { HealthSample } from '../../../../shared/model/health.ts';
import { refused, ScriptedLink } from '../../helper/test-model.ts';

const span = 30_000;
const start = Date.UTC(2026, 0, 1);
const sample = (index: number, part: Partial<HealthSample> = {}): HealthSample => ({
  at: start + index * span,
  status: 'ok',
  responseMs: 80,
  calls: 0,
  errors: 0,
  ...part,
});
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('the history of a server', () => {
  it('[AG-US5-AC7] is in order, without duplicates, and half an hour long', () => {
    const first = [sample(0), sample(1)];
    const all = appendSamples(first, [sample(1), sample(2), sample(61)]);
    expect(all.map(({ at }) => (at - start) / span)).toEqual([2, 61]);
    expect((all.at(-1)?.at ?? 0) - (all[0]?.at ?? 0)).toBeLessThan(shownHistoryMs);
  });

  it('[AG-US5-AC7] adds spans that arrive before the first answer after it, once, until stopped', async () => {
    let answer = (_answer: IpcAnswer<'server.watchHealth'>) => {};
    const link = new ScriptedLink({
      'server.watchHealth': () => new Promise((resolve) => (answer = resolve)),
    });
    const { store, stop } = followHealth(link, 'a');
    await settled();
    link.push('server.health', { key: 'a', samples: [sample(1), sample(2)] });
    link.push('server.health', { key: 'other', samples: [sample(9)] });
    answer({ ok: true, value: { samples: [sample(0), sample(1)] } });
    await settled();
    link.push('server.health', { key: 'a', samples: [sample(3)] });
    expect(store.getState().samples).toEqual([sample(0), sample(1), sample(2), sample(3)]);
    stop();
    expect(link.calls.at(-1)).toEqual({ name: 'server.unwatchHealth', input: { key: 'a' } });
    expect(link.listenerCount).toBe(0);
  });

  it('shows why it failed', async () => {
    const { store } = followHealth(new ScriptedLink({ 'server.watchHealth': () => refused }), 'a');
    await settled();
    expect(store.getState()).toMatchObject({ loading: false, problem: refused.problem });
  });
});

describe('the chart of a history', () => {
  const samples = [
    sample(0),
    sample(1, { responseMs: 160 }),
    sample(2, { status: 'down', responseMs: undefined }),
  ];
  const range = chartRange(samples, 0);

  it('covers at most half an hour, up to now, and every sample', () => {
    expect(range).toEqual({
      from: sample(2).at - 6 * 60_000,
      to: sample(2).at,
      minutes: 6,
      span,
      top: 200,
    });
    const minutes = (count: number) =>
      chartRange(
        Array.from({ length: count }, (_, index) => sample(index)),
        0,
      ).minutes;
    expect([12, 13, 24, 25, 60].map(minutes)).toEqual([6, 12, 12, 30, 30]);
    expect(chartRange(samples, sample(4).at).to).toBe(sample(4).at);
    expect(chartRange([sample(0, { responseMs: 3 })], 0)).toMatchObject({ top: 10, span });
    expect(chartRange([sample(0, { responseMs: 5_001 })], 0).top).toBe(10_000);
  });

  it('gives each span its column, the last one up to the edge', () => {
    expect(columnOf(sample(2), range, 600)).toEqual({ x: 550, width: 50 });
    expect(columnOf(sample(-59), range, 600).x).toBe(0);
  });

  it('breaks the line where there was no response', () => {
    const gap = [sample(0), sample(1), sample(4), sample(5)];
    const lines = responseLines([...gap, sample(6, { responseMs: undefined })], chartRange(gap, 0), {
      width: 600,
      height: 100,
    });
    expect(lines.map((line) => line.length)).toEqual([2, 2]);
    expect(lines[0]?.[0]?.y).toBeCloseTo(20);
  });

  it('[PB-A11Y-1] finds the span under the pointer', () => {
    expect(sampleAt(595, samples, range, 600)).toBe(2);
    expect(sampleAt(0, samples, range, 600)).toBe(0);
  });
});

describe('a history in words', () => {
  it('[PB-A11Y-1] describes each span and the whole history', () => {
    const failing = sample(1, { calls: 12, errors: 1, status: 'slow' });
    expect(sampleText(failing)).toMatch(
      /^\d\d:\d\d:\d\d: answers in 80 ms, slower than usual, 12 calls, 1 failed$/,
    );
    const down = sample(2, { status: 'down', responseMs: undefined });
    expect(sampleText(down)).toMatch(/: no answer, no calls$/);
    expect(historyText([sample(0, { responseMs: 40 }), failing, down], span)).toBe(
      'Median response 80 ms. 1 of 12 calls failed. Down for 30 s.',
    );
    expect(historyText([down], span)).toBe('No calls. Down for 30 s.');
  });
});
