import { z } from '@hono/zod-openapi';
import type { BreakerView } from '../../../../shared/model/activity/breaker.ts';
import type { ApiPorts } from '../contract.ts';
import { defineRoute, jsonAnswer } from '../http/define-route.ts';
import { admin } from '../http/guard-caller.ts';
import { circuitQuery, circuitSchema } from '../schema/breaker.ts';
import type { ApiApp } from './api-app.ts';
import { time } from './server-answer.ts';

const listRoute = defineRoute({
  tags: ['mcp'],
  middleware: admin,
  method: 'get',
  path: '/api/v1/mcp/circuit-breakers',
  summary: 'Circuit breakers with failures; all others are closed.',
  request: { query: circuitQuery },
  errors: [400],
  responses: { 200: jsonAnswer('The circuits.', z.array(circuitSchema)) },
});

export function breakerRoutes(app: ApiApp, { hub, registry }: ApiPorts): void {
  app.openapi(listRoute, async (context) => {
    const { server_id: server, tool_name: tool } = context.req.valid('query');
    const key = server === undefined ? undefined : ((await registry.find(server))?.key ?? server);
    const listed = hub
      .breakers()
      .filter(
        (circuit) =>
          (key === undefined || circuit.serverKey === key) && (tool === undefined || circuit.tool === tool),
      );
    return context.json(listed.map(circuitAnswer), 200);
  });
}

function circuitAnswer({ serverKey, tool, state, failures, openedAt, until }: BreakerView) {
  return {
    circuit_key: `${serverKey}:${tool}`,
    server_id: serverKey,
    tool_name: tool,
    state: states[state],
    failure_count: failures,
    last_failure_time: openedAt === undefined ? null : time(openedAt),
    opened_at: openedAt === undefined ? null : time(openedAt),
    retry_at: until === undefined ? null : time(until),
  };
}

const states = { closed: 'CLOSED', open: 'OPEN', 'half-open': 'HALF_OPEN' } as const;
