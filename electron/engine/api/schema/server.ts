import { z } from '@hono/zod-openapi';
import { invisibleCharacters } from '../../../../shared/model/access/access.ts';
import { protocolVersions } from '../../../../shared/model/mcp.ts';

export const serverStatusSchema = z
  .enum(['CONNECTED', 'DEGRADED', 'DISCONNECTED', 'ERROR', 'CONNECTING'])
  .openapi('ServerStatus');

export const serverInfoSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    status: serverStatusSchema,
    status_reason: z.string().optional(),
  })
  .openapi('ServerInfo');
export type ServerInfo = z.infer<typeof serverInfoSchema>;

export const transportSchema = z.enum(['STDIO', 'SSE', 'HTTP']).openapi('TransportType');

export const timeSchema = z.iso.datetime().openapi({ example: '2026-01-08T10:00:00.000Z' });

const texts = z.record(z.string(), z.string());

/** Needs `command` for stdio servers and `url` for remote ones. */
export const connectionConfigSchema = z
  .strictObject({
    command: z.string().min(1).optional(),
    args: z.array(z.string()).optional(),
    env: texts.optional(),
    cwd: z.string().min(1).optional(),
    url: z.string().min(1).optional(),
    headers: texts.optional(),
  })
  .openapi('ConnectionConfig', {
    description:
      'STDIO takes command, args, env and cwd; SSE and HTTP take url and headers. References to variables and stored secrets are replaced as in mcp.json.',
  });
export type ConnectionConfig = z.infer<typeof connectionConfigSchema>;

const nameSchema = z
  .string()
  .min(1, 'a name must not be empty')
  .max(200)
  .refine((name) => !name.includes(':'), 'a name must not contain ":"')
  .refine(
    (name) => !invisibleCharacters.test(name),
    'a name must not contain control or invisible characters',
  )
  .openapi({ example: 'github-mcp' });

const descriptionSchema = z.string().max(2_000);
const healthUrlSchema = z.url({ protocol: /^https?$/ });

/** Checks that the config fits the transport. */
function fits(
  transport: z.infer<typeof transportSchema> | undefined,
  { command, url }: ConnectionConfig,
): readonly { readonly field: 'command' | 'url'; readonly message: string }[] {
  if (transport === undefined) return [];
  const isStdio = transport === 'STDIO';
  const [needed, other] = isStdio ? (['command', 'url'] as const) : (['url', 'command'] as const);
  const given = { command, url };
  return [
    ...(given[needed] === undefined ? [{ field: needed, message: `it is required for ${transport}` }] : []),
    ...(given[other] === undefined ? [] : [{ field: other, message: `it is not allowed for ${transport}` }]),
  ];
}

export const newServerSchema = z
  .strictObject({
    name: nameSchema,
    description: descriptionSchema.optional(),
    transport_type: transportSchema,
    connection_config: connectionConfigSchema,
    auto_connect: z.boolean().default(true),
    health_check_url: healthUrlSchema.optional(),
  })
  .superRefine(({ transport_type, connection_config }, context) => {
    for (const { field, message } of fits(transport_type, connection_config)) {
      context.addIssue({ code: 'custom', path: ['connection_config', field], message });
    }
  })
  .openapi('NewServer');
export type NewServer = z.infer<typeof newServerSchema>;

export const serverPatchSchema = z
  .strictObject({
    name: nameSchema.optional(),
    description: descriptionSchema.optional(),
    transport_type: transportSchema.optional(),
    connection_config: connectionConfigSchema.optional(),
    health_check_url: healthUrlSchema.nullable().optional(),
  })
  .superRefine(({ transport_type, connection_config }, context) => {
    if (transport_type !== undefined && connection_config === undefined) {
      const message = 'a new transport needs its connection_config';
      context.addIssue({ code: 'custom', path: ['connection_config'], message });
    }
    for (const { field, message } of fits(transport_type, connection_config ?? {})) {
      if (connection_config === undefined) continue;
      context.addIssue({ code: 'custom', path: ['connection_config', field], message });
    }
  })
  .openapi('ServerPatch');
export type ServerPatch = z.infer<typeof serverPatchSchema>;

export const healthSchema = z
  .object({
    last_check_at: timeSchema,
    last_ok_at: timeSchema.optional(),
    checked_by: z.enum(['message', 'ping', 'url']),
    consecutive_failures: z.number(),
    response_time_ms: z.number().optional(),
    error_rate: z.number().openapi({ description: '0 to 1, over the recent calls.' }),
  })
  .openapi('Health');

export const protocolSchema = z
  .object({
    version: z.string().openapi({ description: 'The revision of MCP in use.', example: protocolVersions[0] }),
    stateless: z.boolean().openapi({ description: 'False: the connection has a session.' }),
    reason: z.string().openapi({ description: 'Why this protocol is used, as a clause.' }),
  })
  .openapi('Protocol');

export const serverSchema = z
  .object({
    ...serverInfoSchema.shape,
    description: z.string().optional(),
    transport_type: transportSchema,
    registered_at: timeSchema,
    connected_at: timeSchema.optional(),
    enabled: z.boolean(),
    tool_count: z.number(),
    active_calls: z.number(),
    restarts: z.number(),
    version: z.string().optional(),
    protocol: protocolSchema.optional().openapi({ description: 'Absent while the server is not connected.' }),
    health: healthSchema.optional().openapi({ description: 'Absent while the server is not running.' }),
  })
  .openapi('Server');
export type ServerAnswer = z.infer<typeof serverSchema>;

export const serverDetailSchema = serverSchema
  .extend({
    connection_config: connectionConfigSchema.openapi({
      description: 'As written, with possible secrets hidden.',
    }),
    health_check_url: z.string().optional(),
  })
  .openapi('ServerDetail');

export const serverListSchema = z
  .object({ servers: z.array(serverSchema), total: z.number() })
  .openapi('ServerList');

export const healthAnswerSchema = z
  .object({
    ...serverInfoSchema.shape,
    health: healthSchema.optional(),
    history: z.array(
      z.object({
        at: timeSchema,
        status: z.enum(['ok', 'slow', 'failing', 'down']),
        response_time_ms: z.number().optional(),
        calls: z.number(),
        errors: z.number(),
      }),
    ),
  })
  .openapi('ServerHealth');

export const connectAnswerSchema = z
  .object({ status: serverStatusSchema, message: z.string() })
  .openapi('ConnectAnswer');

export const disconnectAnswerSchema = z
  .object({ status: serverStatusSchema, pending_requests: z.number() })
  .openapi('DisconnectAnswer');

export const serverParam = z.object({
  id: z
    .string()
    .min(1)
    .max(400)
    .openapi({ param: { name: 'id', in: 'path' }, description: 'Id or name of a server.' }),
});
