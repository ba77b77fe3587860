import { z } from '@hono/zod-openapi';

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

export const metricsQuery = z.object({
  server_id: z.string().min(1).max(400).optional(),
  tool_name: z.string().min(1).max(1_000).optional(),
  time_range: z
    .string()
    .regex(/^[1-9]\d{0,4}[smhd]$/, 'write 15m, 1h or 7d')
    .default('1h')
    .openapi({ description: 'How far back: 15m, 1h, 7d.' }),
});

/** Returns the milliseconds of a `time_range`. */
export function rangeOf(text: string): number {
  const unit = text.at(-1) as keyof typeof units;
  return Number(text.slice(0, -1)) * units[unit];
}

export const statsSchema = z
  .object({
    total_invocations: z.number(),
    successful_invocations: z.number(),
    failed_invocations: z.number(),
    /** Refused, or cancelled by the client. */
    withdrawn_invocations: z.number(),
    success_rate: z.number(),
    retries: z.number(),
    average_latency_ms: z.number(),
    p50_latency_ms: z.number(),
    p95_latency_ms: z.number(),
    p99_latency_ms: z.number(),
  })
  .openapi('InvocationStats');

export const metricsSchema = z
  .object({
    time_range: z.string(),
    since: z.iso.datetime(),
    until: z.iso.datetime(),
    ...statsSchema.shape,
    servers: z.array(
      z.object({
        server_id: z.string(),
        ...statsSchema.shape,
        tools: z.array(z.object({ tool_name: z.string(), ...statsSchema.shape })),
      }),
    ),
  })
  .openapi('MetricsResponse');
