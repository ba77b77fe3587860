import type { CallStats } from '../../../../shared/model/activity/metrics.ts';
import type { ApiPorts } from '../contract.ts';
import { defineRoute, jsonAnswer } from '../http/define-route.ts';
import { admin } from '../http/guard-caller.ts';
import { rawText } from '../http/raw-text.ts';
import { metricsQuery, metricsSchema, rangeOf } from '../schema/metrics.ts';
import type { ApiApp } from './api-app.ts';
import { time } from './server-answer.ts';

const summaryRoute = defineRoute({
  tags: ['mcp'],
  middleware: admin,
  method: 'get',
  path: '/api/v1/mcp/metrics',
  summary: 'Invocation statistics over a time range.',
  request: { query: metricsQuery },
  responses: { 200: jsonAnswer('The statistics.', metricsSchema) },
});
const textRoute = defineRoute({
  tags: ['hub'],
  middleware: admin,
  method: 'get',
  path: '/metrics',
  summary: 'Metrics for Prometheus.',
  responses: {
    200: { description: 'The metrics.', content: { 'text/plain': { schema: { type: 'string' } } } },
  },
});

/** Names the media type of Prometheus' text format. */
const prometheusType = 'text/plain; version=0.0.4; charset=utf-8';

export function metricsRoutes(app: ApiApp, { hub, registry, clock }: ApiPorts): void {
  app.openapi(summaryRoute, async (context) => {
    const { server_id, tool_name, time_range } = context.req.valid('query');
    const until = clock.now();
    const serverKey = server_id && ((await registry.find(server_id))?.key ?? server_id);
    const summary = await hub.run('metrics.summary', {
      since: until - rangeOf(time_range),
      until,
      ...(serverKey === undefined ? {} : { serverKey }),
      ...(tool_name === undefined ? {} : { tool: tool_name }),
    });
    const servers = summary.servers.map(({ serverKey: key, stats, tools }) => ({
      server_id: key,
      ...statsAnswer(stats),
      tools: tools.map((one) => ({ tool_name: one.tool, ...statsAnswer(one.stats) })),
    }));
    const span = { time_range, since: time(summary.since), until: time(summary.until) };
    return context.json({ ...span, ...statsAnswer(summary.total), servers }, 200);
  });
  app.openapi(textRoute, async (context) => {
    return rawText(context, await hub.metricsText(), prometheusType);
  });
}

function statsAnswer({ calls, errors, withdrawn, retries, average, p50, p95, p99 }: CallStats) {
  const judged = calls - withdrawn;
  return {
    total_invocations: calls,
    successful_invocations: judged - errors,
    failed_invocations: errors,
    withdrawn_invocations: withdrawn,
    success_rate: judged === 0 ? 1 : (judged - errors) / judged,
    retries,
    average_latency_ms: average,
    p50_latency_ms: p50,
    p95_latency_ms: p95,
    p99_latency_ms: p99,
  };
}
