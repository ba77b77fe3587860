import type { HealthSample, ServerHealth } from '../../../shared/model/server/health.ts';
import type { ServerView } from '../../../shared/model/server/server.ts';

const span = 30_000;

/**
 * Half an hour of a server: steady for most, slow and failing at times for slack, with a gap for memory's
 * restart.
 */
export function sampleHealth({ key, connectedAt }: ServerView): HealthSample[] {
  if (connectedAt === undefined) return key === 'mysql' || key === 'legacy-search' ? downHistory() : [];
  const end = Date.now() - 4_000;
  const begin = Math.max(connectedAt, end - 60 * span);
  const length = Math.floor((end - begin) / span);
  return Array.from({ length }, (_, index) => sampleAt(key, index, end - (length - 1 - index) * span));
}

export function sampleNow(key: string): ServerHealth {
  const checked = Date.now() - 12_000;
  const base = { by: 'ping', lastCheckAt: checked, lastOkAt: checked, misses: 0, errorRate: 0 } as const;
  if (key === 'slack') return { ...base, by: 'message', responseMs: 1840, errorRate: 0.4, misses: 1 };
  if (key === 'github') return { ...base, by: 'message', responseMs: 84, errorRate: 0.011 };
  return { ...base, responseMs: 6 + key.length };
}

function sampleAt(key: string, index: number, at: number): HealthSample {
  const wave = 12 * Math.sin(index / 3) + ((index * 37) % 17);
  if (key !== 'slack') {
    const calls = (index * 7) % 9;
    const errors = key === 'github' && index === 41 ? 1 : 0;
    return { at, status: errors > 0 ? 'failing' : 'ok', responseMs: Math.max(3, 74 + wave), calls, errors };
  }
  if (index >= 22 && index < 26)
    return { at, status: 'down', calls: index === 22 ? 2 : 0, errors: index === 22 ? 2 : 0 };
  const late = index > 44;
  const calls = 4 + ((index * 5) % 7);
  const errors = late ? Math.floor(calls / 2) : index % 13 === 5 ? 1 : 0;
  const responseMs = late ? 1500 + wave * 22 : 180 + wave * 4;
  return { at, status: errors > 1 ? 'failing' : late ? 'slow' : 'ok', responseMs, calls, errors };
}

function downHistory(): HealthSample[] {
  const end = Date.now() - 4_000;
  return Array.from({ length: 24 }, (_, index) => ({
    at: end - (23 - index) * span,
    status: 'down',
    calls: index % 6 === 0 ? 1 : 0,
    errors: index % 6 === 0 ? 1 : 0,
  }));
}
