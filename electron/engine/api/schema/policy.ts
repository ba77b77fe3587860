import { z } from '@hono/zod-openapi';
import { agentSchema } from './call.ts';

const effectSchema = z.enum(['allow', 'ask', 'deny']);

/** Maximum lifetime of a token in seconds: one day. */
const maxTokenSeconds = 86_400;

/** Accepts `PT1H30M15S` or seconds. */
const durationSchema = z
  .union([
    z.number().int().min(1).max(maxTokenSeconds),
    z
      .string()
      .regex(/^PT(?=\d)(?:\d{1,2}H)?(?:\d{1,4}M)?(?:\d{1,5}S)?$/, 'write PT15M, or seconds')
      .refine((text) => isWithinBounds(secondsOf(text)), 'from one second to a day'),
  ])
  .openapi({
    description: 'Lifetime of the token for a high-risk tool: PT15M, or seconds.',
    example: 'PT15M',
  });
function isWithinBounds(seconds: number): boolean {
  return seconds >= 1 && seconds <= maxTokenSeconds;
}

export function secondsOf(duration: number | string): number {
  if (typeof duration === 'number') return duration;
  const [, hours, minutes, seconds] = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/.exec(duration) ?? [];
  return Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
}

const place = {
  agent_id: agentSchema,
  server_id: z
    .string()
    .min(1)
    .max(400)
    .optional()
    .openapi({ description: 'Optional if tool_name is server:tool.' }),
  tool_name: z.string().min(1).max(1_000).openapi({ description: '* for all tools of the server.' }),
};

export const grantRequestSchema = z
  .strictObject({
    ...place,
    actions: z.array(z.literal('invoke')).min(1).default(['invoke']),
    token_ttl: durationSchema.optional(),
    effect: effectSchema.default('allow'),
    expires_at: z.iso.datetime({ offset: true }).optional(),
  })
  .openapi('PolicyGrantRequest');
export type GrantRequest = z.infer<typeof grantRequestSchema>;

export const revokeRequestSchema = z.strictObject(place).openapi('PolicyRevokeRequest');

export const policyGrantSchema = z
  .object({
    id: z.string(),
    agent_id: z.string(),
    agent_name: z.string(),
    scope: z.enum(['all', 'server', 'tool', 'pattern', 'risk']),
    server_id: z.string().optional(),
    tool_name: z.string(),
    actions: z.array(z.string()),
    effect: effectSchema,
    token_required: z.boolean(),
    token_ttl: z.string(),
    token_id: z.string().nullable(),
    token_expires_at: z.iso.datetime().optional(),
    granted_at: z.iso.datetime(),
    granted_by: z.string(),
    expires_at: z.iso.datetime().optional(),
    warning: z.string().optional().openapi({ description: 'Set if the server has never listed its tools.' }),
  })
  .openapi('PolicyGrant');

export const revokedSchema = z.object({ revoked: z.number() }).openapi('PolicyRevoked');

export const agentParam = z.object({
  agent_id: z
    .string()
    .min(1)
    .max(255)
    .openapi({ param: { name: 'agent_id', in: 'path' } }),
});
export const grantParam = agentParam.extend({
  grant_id: z
    .string()
    .min(1)
    .max(255)
    .openapi({ param: { name: 'grant_id', in: 'path' } }),
});
