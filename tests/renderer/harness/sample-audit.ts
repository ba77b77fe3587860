import type { AuditRow } from '../../../shared/model/activity/audit.ts';
import type { BreakerView } from '../../../shared/model/activity/breaker.ts';

const minute = 60_000;
const now = Date.now();
const calls = [
  ['github', 'search_issues', 'Claude Code', 180],
  ['github', 'create_issue', 'Claude Code', 640],
  ['filesystem', 'read_file', 'Cursor', 12],
  ['postgres', 'query', 'agent-007', 95],
] as const;

const invocations = Array.from({ length: 400 }, (_, index): Omit<AuditRow, 'seq' | 'hash'> => {
  const [serverKey, tool, actor, usual] = calls[index % calls.length] ?? calls[0];
  const isBad = index % 23 === 0;
  const isDenied = index % 61 === 0;
  return {
    at: now - (400 - index) * 3 * minute,
    kind: 'invocation',
    action: 'call',
    actor,
    outcome: isDenied ? 'denied' : isBad ? 'timeout' : 'ok',
    serverKey,
    tool,
    method: 'tools/call',
    correlationId: `1f0c9a2e-${index}`,
    paramsHash: hashOf(index),
    attempts: isBad ? 3 : 1,
    milliseconds: isBad ? usual * 20 : usual + ((index * 37) % usual),
    decision: isDenied ? 'DENY' : 'ALLOW',
    cached: index % 3 !== 0,
    ...(isDenied ? { text: `${actor} may not call ${serverKey}:${tool}.` } : {}),
    ...(isBad || isDenied ? {} : { resultSummary: '{"content":[{"type":"text","text":"12 results"}]}' }),
  };
});

const others: readonly Omit<AuditRow, 'seq' | 'hash'>[] = [
  { at: now - 1_190 * minute, kind: 'hub', action: 'started', actor: 'hub', outcome: 'ok' },
  {
    at: now - 900 * minute,
    kind: 'server',
    action: 'add',
    actor: 'window',
    outcome: 'ok',
    serverKey: 'postgres',
  },
  {
    at: now - 700 * minute,
    kind: 'grant',
    action: 'grant',
    actor: 'window',
    outcome: 'ok',
    serverKey: 'postgres',
    tool: 'query',
    text: 'agent-007 may call postgres:query.',
  },
  {
    at: now - 300 * minute,
    kind: 'server',
    action: 'restart',
    actor: 'admin',
    outcome: 'failed',
    serverKey: 'github',
    text: 'The server did not start.',
  },
  {
    at: now - 20 * minute,
    kind: 'token',
    action: 'rotate',
    actor: 'admin',
    outcome: 'ok',
    text: 'agent-007',
  },
];

/** Newest first, as the hub sends them. */
export const sampleAudit: readonly AuditRow[] = [...invocations, ...others]
  .sort((a, b) => a.at - b.at)
  .map((row, index) => ({ ...row, seq: index + 1, hash: hashOf(index + 1_000) }))
  .reverse();

/** Creates that many calls of forty servers and a thousand tools, ten seconds apart. */
export function manyAudits(count: number): readonly AuditRow[] {
  return Array.from({ length: count }, (_, index): AuditRow => {
    const seq = count - index;
    const outcome = seq % 97 === 0 ? 'timeout' : 'ok';
    return {
      seq,
      at: now - index * 10_000,
      kind: 'invocation',
      action: 'call',
      actor: `agent-${seq % 20}`,
      outcome,
      serverKey: `server-${seq % 40}`,
      tool: `tool-${seq % 1_000}`,
      method: 'tools/call',
      correlationId: `5b0c-${seq}`,
      paramsHash: hashOf(seq),
      attempts: 1,
      milliseconds: outcome === 'ok' ? 20 + ((seq * 37) % 400) : 5_000,
      decision: 'ALLOW',
      cached: true,
      hash: hashOf(seq + 7),
    };
  });
}

export const sampleBreakers: readonly BreakerView[] = [
  {
    serverKey: 'github',
    tool: 'create_issue',
    state: 'open',
    failures: 5,
    successes: 0,
    openedAt: now - 20_000,
    until: now + 40_000,
  },
  {
    serverKey: 'postgres',
    tool: 'query',
    state: 'half-open',
    failures: 6,
    successes: 1,
    openedAt: now - 90_000,
    until: now - 30_000,
  },
  ...(['conversations_search_messages', 'channels_list'] as const).map(
    (tool, index): BreakerView => ({
      serverKey: 'slack',
      tool,
      state: 'open',
      failures: 5,
      successes: 0,
      openedAt: now - 18_000 - index * 33_000,
      until: now + 42_000 - index * 33_000,
    }),
  ),
];

function hashOf(index: number): string {
  return (index * 2_654_435_761).toString(16).padStart(8, '0').repeat(8).slice(0, 64);
}
