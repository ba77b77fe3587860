import { z } from '@hono/zod-openapi';
import { serverInfoSchema } from './server.ts';

const jsonSchemaSchema = z.record(z.string(), z.unknown());

/** A tool in the PRD's format. */
export const toolSchema = z
  .object({
    id: z.string(),
    name: z.string().openapi({ example: 'github-mcp.create_issue' }),
    original_name: z.string(),
    title: z.string().optional(),
    description: z.string().optional(),
    enabled: z.boolean(),
    held: z.boolean().optional().openapi({ description: 'Its definition is waiting for approval.' }),
    read_only: z.boolean().optional(),
    destructive: z.boolean().optional(),
  })
  .openapi('Tool');

export const toolGroupsSchema = z
  .object({
    servers: z.array(z.object({ ...serverInfoSchema.shape, tools: z.array(toolSchema) })),
    internal: z.array(toolSchema).openapi({ description: "Patchbay's own tool, without a prefix." }),
    total: z.number(),
  })
  .openapi('ToolGroups');

/** A tool in the integration design's format. */
export const mcpToolSchema = z
  .object({
    id: z.string(),
    server_id: z.string().openapi({ description: 'The name of its server.' }),
    server_uuid: z.string(),
    tool_name: z.string(),
    description: z.string().optional(),
    schema: jsonSchemaSchema,
    version: z.string().optional(),
    enabled: z.boolean(),
    available: z.boolean().openapi({ description: 'Its server currently lists it.' }),
    faults: z
      .array(z.string())
      .optional()
      .openapi({ description: 'Errors in its schema; the tool is disabled.' }),
  })
  .openapi('MCPTool');
export type McpTool = z.infer<typeof mcpToolSchema>;

const rejectedSchema = z
  .object({
    tool_name: z.string(),
    reason: z.string(),
    version: z.string().optional(),
    errors: z.array(z.string()).optional(),
  })
  .openapi('RejectedTool');
export type RejectedTool = z.infer<typeof rejectedSchema>;

const versionSchema = z.string().min(1).max(50);
const toolNameSchema = z.string().min(1).max(255);

export const registrationSchema = z
  .strictObject({
    server_id: z
      .string()
      .min(1)
      .max(255)
      .refine((id) => !id.includes(':'), 'a server_id must not contain ":"'),
    version: versionSchema,
    capabilities: z.array(z.string().max(200)).max(100).default([]),
    tools: z
      .array(
        z.looseObject({
          name: z.unknown().optional(),
          schema: z.unknown().optional(),
          version: z.unknown().optional(),
        }),
      )
      .max(2_000)
      .default([]),
    compatible_versions: z
      .record(toolNameSchema, z.array(versionSchema).max(100))
      .optional()
      .openapi({ description: 'The version matrix: by tool, the versions that are compatible.' }),
  })
  .openapi('RegisterServerRequest');
export type Registration = z.infer<typeof registrationSchema>;

export const registrationResultSchema = z
  .object({
    server_id: z.string(),
    server_uuid: z.string(),
    registered_count: z.number(),
    rejected_count: z.number(),
    registered_tools: z.array(mcpToolSchema),
    rejected_tools: z.array(rejectedSchema),
  })
  .openapi('RegistrationResult');

export const toolQuery = z.object({
  server_id: z.string().min(1).max(400).optional(),
  enabled_only: z
    .enum(['true', 'false'])
    .default('true')
    .openapi({ description: 'Leaves out disabled tools.' }),
});

export const toolParam = z.object({
  server_id: z
    .string()
    .min(1)
    .max(400)
    .openapi({ param: { name: 'server_id', in: 'path' } }),
  tool_name: z
    .string()
    .min(1)
    .max(1_000)
    .openapi({ param: { name: 'tool_name', in: 'path' } }),
});
