import { readFileSync } from 'node:fs';
import parsePrometheus, { type ParsedMetric } from 'parse-prometheus-text-format';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { approvalDenied } from '../../../../../electron/engine/access/refusals.ts';
import type { RawMessage, RawRequest } from '../../../../../electron/engine/jsonrpc/raw-message.ts';
import { readMessage } from '../../../../../electron/engine/jsonrpc/read-message.ts';
import type { BreakerSnapshot, CallRecord } from '../../../../../electron/engine/routing/contract.ts';
import {
  cancelled,
  circuitOpen,
  serverUnavailable,
  unknownTool,
} from '../../../../../electron/engine/routing/error-map.ts';
import { createMeter } from '../../../../../electron/engine/telemetry/metrics/meter.ts';

const request = readMessage(
  Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}'),
) as RawRequest;

function call(more: Partial<CallRecord> = {}): CallRecord {
  return {
    id: 1,
    sessionId: 's1',
    serverKey: 'files',
    method: 'tools/call',
    name: 'read',
    request,
    startedAt: 0,
    attempts: 1,
    fallback: undefined,
    skipped: undefined,
    decision: undefined,
    repeated: false,
    outcome: 'ok',
    endedAt: 40,
    answer: undefined,
    error: undefined,
    correlationId: undefined,
    humanWaitMs: 0,
    ...more,
  };
}

function bench(circuits: readonly BreakerSnapshot[] = []) {
  const meter = createMeter({
    agentOf: (id) => `agent of ${id}`,
    circuits: () => circuits,
  });
  // The parser merges histograms with different labels; without their type line, their parts are parsed as
  // separate metrics.
  const parsed = async () => parsePrometheus((await meter.text()).replace(/^# TYPE \w+ histogram$/gm, ''));
  return {
    ...meter,
    parsed,
    metric: async (name: string) => (await parsed()).find((one) => one.name === name)?.metrics ?? [],
  };
}

/** Values of a metric by labels. */
const values = (metrics: ParsedMetric['metrics']) =>
  Object.fromEntries(
    metrics.map(({ labels = {}, value }) => [Object.values(labels).join(' '), Number(value)]),
  );

describe('[REQ-MCP-OBS-001] metrics', () => {
  it('count calls by server, tool, agent and status', async () => {
    const meter = bench();
    for (const outcome of ['ok', 'ok', 'error'] as const) meter.calls.ended(call({ outcome }));
    meter.calls.ended(call({ sessionId: 's2', serverKey: 'db' }));
    meter.calls.ended(call({ method: 'resources/read' }));
    expect(values(await meter.metric('mcp_invocations_total'))).toEqual({
      'files read agent of s1 success': 2,
      'files read agent of s1 error': 1,
      'db read agent of s2 success': 1,
    });
  });

  it('count errors reported by a tool as errors', async () => {
    const meter = bench();
    const long = 'x'.repeat(100_000);
    const inside = JSON.stringify({ isError: true });
    for (const result of [
      { content: [], isError: true },
      { content: [{ type: 'text', text: long }], isError: true },
      { isError: true, content: [{ type: 'text', text: long }] },
      { content: [], isError: false },
      { content: [{ type: 'text', text: inside }] },
      { content: [{ type: 'text', text: inside + long + inside }] },
      { content: [], structuredContent: { isError: true } },
      { content: [] },
    ]) {
      const line = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
      meter.calls.ended(call({ answer: readMessage(line) as RawMessage }));
    }
    expect(values(await meter.metric('mcp_invocations_total'))).toEqual({
      'files read agent of s1 success': 5,
      'files read agent of s1 error': 3,
    });
    expect(values(await meter.metric('mcp_errors_total'))).toEqual({ 'files read other': 3 });
  });

  it('distinguish failed, refused, unavailable, unanswered and cancelled calls', async () => {
    const meter = bench();
    const refused = { outcome: 'refused', attempts: 0 } as const;
    const tool = { serverKey: 'files', name: 'read' };
    meter.calls.ended(call({ ...refused, error: approvalDenied(tool) }));
    meter.calls.ended(call({ ...refused, error: serverUnavailable('files') }));
    meter.calls.ended(call({ ...refused, error: circuitOpen(tool, 5, 9, 1) }));
    meter.calls.ended(call({ outcome: 'lost' }));
    meter.calls.ended(call({ outcome: 'timeout' }));
    meter.calls.ended(call({ outcome: 'cancelled', error: cancelled() }));
    expect(values(await meter.metric('mcp_invocations_total'))).toEqual({
      'files read agent of s1 refused': 1,
      'files read agent of s1 unavailable': 2,
      'files read agent of s1 unanswered': 2,
      'files read agent of s1 cancelled': 1,
    });
    expect(values(await meter.metric('mcp_errors_total'))).toEqual({
      'files read authorization': 1,
      'files read other': 2,
      'files read circuit_breaker': 1,
      'files read timeout': 1,
    });
  });

  it('exclude the time a person took to approve from a call’s latency', async () => {
    const meter = bench();
    meter.calls.ended(call({ humanWaitMs: 30 }));
    expect(values(await meter.metric('mcp_invocation_latency_ms_sum'))).toEqual({ 'files read': 10 });
  });

  it('report latencies in the document’s buckets', async () => {
    const meter = bench();
    for (const endedAt of [5, 10, 11, 700, 9_000]) meter.calls.ended(call({ endedAt }));
    expect(values(await meter.metric('mcp_invocation_latency_ms_bucket'))).toEqual({
      'files read 10': 2,
      'files read 50': 3,
      'files read 100': 3,
      'files read 250': 3,
      'files read 500': 3,
      'files read 1000': 4,
      'files read 2500': 4,
      'files read 5000': 4,
      'files read +Inf': 5,
    });
    expect(values(await meter.metric('mcp_invocation_latency_ms_sum'))).toEqual({ 'files read': 9_726 });
    expect(values(await meter.metric('mcp_invocation_latency_ms_count'))).toEqual({ 'files read': 5 });
    expect(await meter.text()).toContain('# TYPE mcp_invocation_latency_ms histogram\n');
  });

  it('count retries, and errors by their kind', async () => {
    const meter = bench();
    const refused = { outcome: 'refused', attempts: 0 } as const;
    meter.calls.ended(call({ attempts: 3 }));
    meter.calls.ended(call({ outcome: 'timeout' }));
    meter.calls.ended(
      call({ ...refused, error: circuitOpen({ serverKey: 'files', name: 'read' }, 5, 9, 1) }),
    );
    meter.calls.ended(call({ outcome: 'lost' }));
    meter.calls.unroutable?.({ sessionId: 's1', request, at: 1, error: unknownTool('made-up') });
    expect(values(await meter.metric('mcp_retries_total'))).toEqual({ 'files read': 2 });
    expect(values(await meter.metric('mcp_errors_total'))).toEqual({
      'files read timeout': 1,
      'files read circuit_breaker': 1,
      'files read other': 1,
      ' other not_found': 1,
    });
  });

  it('report the state of circuits: 0, 1 and 2', async () => {
    const open = {
      serverKey: 'files',
      state: 'open',
      failures: 5,
      successes: 0,
      openedAt: 1,
      until: 2,
    } as const;
    const meter = bench([
      { ...open, name: 'write' },
      { ...open, name: 'list', state: 'half-open' },
    ]);
    meter.calls.ended(call());
    expect(values(await meter.metric('mcp_circuit_state'))).toEqual({
      'files:read': 0,
      'files:write': 1,
      'files:list': 2,
    });
  });

  it('are bounded: everything beyond the limits shares one label', async () => {
    const meter = bench();
    for (let index = 0; index < 3_000; index += 1)
      meter.calls.ended(
        call({ serverKey: `s${index % 300}`, name: `t${index}`, sessionId: `a${index % 400}` }),
      );
    const counted = await meter.metric('mcp_invocations_total');
    const of = (label: string) => new Set(counted.map(({ labels }) => labels?.[label]));
    expect(of('server_id').size).toBeLessThanOrEqual(201);
    expect(of('tool_name').size).toBeLessThanOrEqual(1_001);
    expect(of('agent_id').size).toBeLessThanOrEqual(101);
    expect([of('server_id'), of('tool_name'), of('agent_id')].every((some) => some.has('other'))).toBe(true);
    expect(counted.reduce((sum, { value }) => sum + Number(value), 0)).toBe(3_000);
  });

  it('are parseable for any server and tool names, along with those of the process', async () => {
    const meter = bench();
    meter.calls.ended(call({ serverKey: 'a"b\\c', name: 'line\nbreak {x="y"}' }));
    const [one] = await meter.metric('mcp_invocations_total');
    expect(one?.labels).toMatchObject({ server_id: 'a"b\\c', tool_name: 'line\nbreak {x="y"}' });
    const names = (await meter.parsed()).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['process_cpu_seconds_total', 'nodejs_eventloop_lag_seconds']),
    );
  });

  it('stay the same when read again', async () => {
    const meter = bench();
    meter.calls.ended(call());
    const before = values(await meter.metric('mcp_invocations_total'));
    expect(values(await meter.metric('mcp_invocations_total'))).toEqual(before);
  });
});

it('[REQ-MCP-OBS-001] every expression of the Grafana dashboard uses existing metrics and labels', async () => {
  const text = readFileSync(new URL('../../../../../docs/grafana-dashboard.json', import.meta.url), 'utf8');
  const dashboard = z
    .looseObject({
      panels: z.array(z.looseObject({ targets: z.array(z.looseObject({ expr: z.string() })) })),
    })
    .parse(JSON.parse(text));
  const open = { serverKey: 'a', state: 'open', failures: 5, successes: 0, openedAt: 1, until: 2 } as const;
  const meter = bench([{ ...open, name: 'x' }]);
  meter.calls.ended(call({ attempts: 2, outcome: 'timeout' }));
  const known = new Map<string, Set<string>>();
  for (const { name, metrics } of await meter.parsed())
    known.set(name, new Set(metrics.flatMap((one) => Object.keys(one.labels ?? {}))));
  const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  expect(expressions.length).toBeGreaterThan(9);
  for (const expression of expressions) {
    const named = expression.match(/\b(?:mcp|process|nodejs)_\w+/g) ?? [];
    expect(named.length).toBeGreaterThan(0);
    for (const name of named) expect([...known.keys()]).toContain(name);
    for (const [, name = '', selector = ''] of expression.matchAll(/\b(\w+)\{([^}]*)\}/g))
      for (const [, label = ''] of selector.matchAll(/(\w+)=~?"/g))
        expect([...(known.get(name) ?? [])]).toContain(label);
    const all = new Set([...known.values()].flatMap((labels) => [...labels]));
    for (const [, by = ''] of expression.matchAll(/by \(([^)]*)\)/g))
      for (const label of by.split(/,\s*/)) expect([...all]).toContain(label);
  }
});
