import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client';
import type { BreakerSnapshot } from '../../routing/contract.ts';
import { latencyBounds, type ToolCounters } from './call-counters.ts';
import { callStatuses } from './call-status.ts';

export interface MetricsSource {
  readonly tools: () => readonly ToolCounters[];
  readonly circuits: () => readonly BreakerSnapshot[];
}

/**
 * Registers the document's metrics and those of the process in a separate registry; the result resolves to
 * Prometheus text.
 */
export function createMetricsText({ tools, circuits }: MetricsSource): () => Promise<string> {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const tool = ['server_id', 'tool_name'] as const;
  new Counter({
    name: 'mcp_invocations_total',
    help: 'Total MCP tool invocations',
    labelNames: [...tool, 'agent_id', 'status'],
    registers,
    collect() {
      this.reset();
      for (const numbers of tools())
        for (const [agent_id, counts] of numbers.byAgent)
          for (const status of callStatuses)
            if (counts[status] > 0) this.inc({ ...labelsOf(numbers), agent_id, status }, counts[status]);
    },
  });
  registry.registerMetric(latencies(tools));
  new Counter({
    name: 'mcp_retries_total',
    help: 'Total retry attempts',
    labelNames: tool,
    registers,
    collect() {
      this.reset();
      for (const numbers of tools()) if (numbers.retries > 0) this.inc(labelsOf(numbers), numbers.retries);
    },
  });
  new Gauge({
    name: 'mcp_circuit_state',
    help: 'Circuit breaker state (0=CLOSED, 1=OPEN, 2=HALF_OPEN)',
    labelNames: ['circuit_key'],
    registers,
    collect() {
      this.reset();
      for (const { serverId, toolName } of tools())
        if (serverId !== '') this.set({ circuit_key: `${serverId}:${toolName}` }, 0);
      for (const { serverKey, name, state } of circuits().slice(0, maxCircuits))
        this.set({ circuit_key: `${serverKey}:${name}` }, states[state]);
    },
  });
  new Counter({
    name: 'mcp_errors_total',
    help: 'Total MCP invocation errors',
    labelNames: [...tool, 'error_type'],
    registers,
    collect() {
      this.reset();
      for (const numbers of tools())
        for (const [error_type, count] of numbers.errors)
          this.inc({ ...labelsOf(numbers), error_type }, count);
    },
  });
  return () => registry.metrics();
}

const states = { closed: 0, open: 1, 'half-open': 2 } as const;
const maxCircuits = 1_000;

function labelsOf({ serverId, toolName }: ToolCounters) {
  return { server_id: serverId, tool_name: toolName };
}

const latencyName = 'mcp_invocation_latency_ms';

/** A histogram with buckets counted elsewhere; the library's own observes one value at a time. */
function latencies(tools: () => readonly ToolCounters[]): Metric {
  const metric = {
    name: latencyName,
    help: 'MCP invocation latency in milliseconds',
    type: 'histogram',
    aggregator: 'sum',
    get: async () => ({ ...metric, values: tools().flatMap(latencyValues) }),
  };
  // The registry only uses a metric's name and `get`.
  return metric as unknown as Metric;
}

function latencyValues(numbers: ToolCounters) {
  const labels = labelsOf(numbers);
  let count = 0;
  const buckets = numbers.levels.map((calls, level) => {
    count += calls;
    return {
      metricName: `${latencyName}_bucket`,
      labels: { ...labels, le: latencyBounds[level] ?? '+Inf' },
      value: count,
    };
  });
  if (count === 0) return [];
  return [
    ...buckets,
    { metricName: `${latencyName}_sum`, labels, value: numbers.milliseconds },
    { metricName: `${latencyName}_count`, labels, value: count },
  ];
}
