import { z } from '@hono/zod-openapi';

export const circuitSchema = z
  .object({
    circuit_key: z.string().openapi({ example: 'context7:search' }),
    server_id: z.string(),
    tool_name: z.string(),
    state: z.enum(['CLOSED', 'OPEN', 'HALF_OPEN']),
    failure_count: z.number(),
    last_failure_time: z.iso.datetime().nullable(),
    opened_at: z.iso.datetime().nullable(),
    retry_at: z.iso.datetime().nullable(),
  })
  .openapi('CircuitBreakerMetrics');

export const circuitQuery = z.object({
  server_id: z.string().min(1).max(400).optional(),
  tool_name: z.string().min(1).max(1_000).optional(),
});
