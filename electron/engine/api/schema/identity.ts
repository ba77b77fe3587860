import { z } from '@hono/zod-openapi';
import { identityNameSchema } from '../../../../shared/model/access/access.ts';
import { protocolSchema, timeSchema } from './server.ts';

const kindSchema = z.enum(['client', 'agent']);

export const newIdentitySchema = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .max(200)
      .refine(
        (name) => identityNameSchema.safeParse(name).success,
        'a name must not contain invisible characters',
      ),
    kind: kindSchema.default('agent'),
    owner: z.string().min(1).max(200).optional(),
    expires_at: z.iso.datetime({ offset: true }).optional(),
  })
  .openapi('NewIdentity');

const connectionSchema = z
  .object({
    client_name: z.string().openapi({ description: 'As the client says.' }),
    client_version: z.string(),
    via: z.enum(['bridge', 'http', 'stdio']),
    protocol: protocolSchema.optional().openapi({ description: 'Absent before its first request.' }),
    connected_at: timeSchema,
    last_active_at: timeSchema,
  })
  .openapi('ClientConnection');

export const identityAnswerSchema = z
  .object({
    id: z.string(),
    kind: kindSchema,
    name: z.string(),
    owner: z.string().optional(),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime().optional(),
    revoked_at: z.iso.datetime().optional(),
    has_token: z.boolean(),
    connections: z.array(connectionSchema).openapi({ description: 'Clients that use Patchbay as it now.' }),
  })
  .openapi('Identity');

export const identityTokenSchema = z
  .object({ identity: identityAnswerSchema, token: z.string().openapi({ description: 'Shown only once.' }) })
  .openapi('IdentityToken');

export const identityListSchema = z
  .object({ identities: z.array(identityAnswerSchema), total: z.number() })
  .openapi('IdentityList');

export const identityParam = z.object({
  id: z
    .string()
    .min(1)
    .max(255)
    .openapi({ param: { name: 'id', in: 'path' } }),
});
