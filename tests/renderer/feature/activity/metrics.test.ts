import { describe, expect, it } from 'vitest';
import {
  type MetricsPoint,
  pointIndexAt,
  segments,
  topOf,
} from '../../../../renderer/feature/activity/metrics/chart-geometry.ts';
import {
  momentText,
  pointText,
  summaryText,
} from '../../../../renderer/feature/activity/metrics/chart-words.ts';
import { metricsAddress, scrapeConfig } from '../../../../renderer/feature/activity/metrics/scrape-config.ts';
import { pointsOf } from '../../../../renderer/feature/activity/metrics/spans.ts';

const point = (at: number, calls: number, p99 = 0, errors = 0): MetricsPoint => ({
  at,
  stats: { calls, errors, withdrawn: 0, retries: 0, average: 0, p50: p99 / 4, p95: p99 / 2, p99 },
});
const hour = 3_600_000;

describe('the charts of metrics', () => {
  it('[REQ-MCP-OBS-001] draw a line for each stretch with calls, within the scale', () => {
    const points = [point(0, 2, 100), point(1, 1, 50), point(2, 0), point(3, 1, 200)];
    expect(segments(points, 'p99', { width: 40, height: 100 }, 200)).toEqual([
      [
        { x: 5, y: 50 },
        { x: 15, y: 75 },
      ],
      [{ x: 35, y: 0 }],
    ]);
    expect(segments([], 'p99', { width: 40, height: 100 }, 200)).toEqual([]);
  });

  it('have a scale that ends at 1, 2 or 5 times a power of ten', () => {
    expect([0, 7, 11, 20, 21, 51, 430].map((value) => topOf(value, 10))).toEqual([
      10, 10, 20, 20, 50, 100, 500,
    ]);
    expect([0, 1, 3].map((value) => topOf(value, 1))).toEqual([1, 1, 5]);
  });

  it('find the point under the pointer, and the outermost ones beyond the ends', () => {
    expect([-3, 0, 99, 100, 500].map((x) => pointIndexAt(x, 10, 100))).toEqual([0, 0, 9, 9, 9]);
  });

  it('[PB-A11Y-1] say in words what they show', () => {
    const at = new Date(2026, 10, 28, 14, 0).getTime();
    expect(pointText(point(at, 12, 400, 1), 15 * 60_000, 24 * hour)).toBe(
      '14:00 to 14:15: 12 calls, 1 failed; median 100 ms, p95 200 ms, p99 400 ms',
    );
    expect(pointText(point(at, 0), 60_000, hour)).toBe('14:00 to 14:01: no calls');
    expect(momentText(at, 30 * 24 * hour)).toBe('28 Nov 14:00');
    const { stats: total } = point(0, 3, 400, 0);
    const summary = { since: 0, until: 1, servers: [], total, points: [point(0, 3, 400)] };
    expect(summaryText(summary)).toBe('None of 3 calls failed. Median 100 ms.');
    expect(summaryText({ ...summary, total: point(0, 0).stats })).toBe('No calls in this period.');
  });

  it('have as many points as the chosen period needs', () => {
    expect([hour, 24 * hour, 7 * 24 * hour, 30 * 24 * hour].map(pointsOf)).toEqual([60, 96, 84, 60]);
  });
});

describe('where Prometheus finds them', () => {
  it('[REQ-MCP-OBS-001] beside the endpoint, with the token out of its file', () => {
    expect(metricsAddress('http://127.0.0.1:7420/mcp')).toBe('http://127.0.0.1:7420/metrics');
    expect(scrapeConfig('http://127.0.0.1:7420/mcp', '/home/ada/.patchbay')).toBe(`scrape_configs:
  - job_name: patchbay
    authorization:
      credentials_file: "/home/ada/.patchbay/admin.token"
    static_configs:
      - targets: ["127.0.0.1:7420"]
`);
    expect(scrapeConfig('http://127.0.0.1:7420/mcp', 'C:\\Users\\ada')).toContain(
      'credentials_file: "C:\\\\Users\\\\ada\\\\admin.token"',
    );
  });
});
