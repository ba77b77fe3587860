import { z } from '@hono/zod-openapi';
import { approvalAnswerSchema } from '../../../../shared/model/access/access.ts';

export const approvalSchema = z
  .object({
    id: z.string(),
    agent_id: z.string(),
    agent_name: z.string(),
    server_id: z.string(),
    tool_name: z.string(),
    risk: z.enum(['low', 'high']),
    arguments_text: z.string().openapi({ description: 'Secrets are masked; long texts are cut.' }),
    asked_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
    behind: z
      .number()
      .openapi({ description: 'Number of calls by the same agent to the same tool waiting behind it.' }),
  })
  .openapi('Approval');

export const approvalParam = z.object({
  id: z
    .string()
    .min(1)
    .max(255)
    .openapi({ param: { name: 'id', in: 'path' } }),
});

export const approvalAnswerBody = z.strictObject({ answer: approvalAnswerSchema }).openapi('ApprovalAnswer');
