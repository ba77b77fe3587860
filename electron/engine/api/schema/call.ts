import { z } from '@hono/zod-openapi';

const idSchema = z.string().min(1).max(255);
const argumentsSchema = z
  .record(z.string(), z.unknown())
  .openapi({ description: 'Passed on unchanged; no number is rounded.' });

export const agentSchema = idSchema.openapi({
  description:
    'The calling identity, for callers with the admin token. The token of an identity already implies it.',
});

export const callSchema = z
  .strictObject({
    name: z.string().min(1).max(1_000).openapi({ example: 'github-mcp.create_issue' }),
    server_id: z
      .string()
      .min(1)
      .max(400)
      .optional()
      .openapi({ description: "With it, name is the tool's raw name." }),
    arguments: argumentsSchema.optional(),
    agent_id: agentSchema.optional(),
    idempotency_key: idSchema.optional(),
  })
  .openapi('ToolCall');

export const callResultSchema = z
  .looseObject({
    content: z.array(z.unknown()).optional(),
    isError: z.boolean(),
    metadata: z.object({
      routed_to: z.string(),
      routing_time_ms: z.number(),
      execution_time_ms: z.number(),
    }),
  })
  .openapi('ToolCallResult', { description: "The tool's own result, and metadata beside it." });

export const invocationSchema = z
  .strictObject({
    correlation_id: idSchema,
    agent_id: agentSchema.optional(),
    server_id: z.string().min(1).max(400),
    tool_name: z.string().min(1).max(1_000),
    params: argumentsSchema.optional(),
    idempotency_key: idSchema.optional(),
    ticket_id: idSchema.optional(),
    task_id: idSchema.optional(),
    requested_at: z.iso.datetime({ offset: true, local: true }).optional(),
  })
  .openapi('MCPInvocationRequest');

export const invocationResultSchema = z
  .object({
    correlation_id: z.string(),
    success: z.boolean().openapi({ description: 'False if the tool reports an error.' }),
    result: z.unknown(),
    error: z.string().optional(),
    attempts: z.number(),
    latency_ms: z.number(),
    completed_at: z.iso.datetime(),
  })
  .openapi('MCPInvocationResult');
