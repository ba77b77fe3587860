import { z } from '@hono/zod-openapi';
import { errorTypes } from '../http/api-error.ts';
import { serverInfoSchema } from './server.ts';

/** The format of all error answers. */
export const errorSchema = z
  .looseObject({
    error: z.string().openapi({ description: 'One sentence for people.' }),
    error_type: z.enum(errorTypes),
    code: z.string().openapi({ description: 'Stable, for programs.', example: 'server_not_found' }),
    fix: z.string().optional().openapi({ description: 'What to do about it.' }),
    fields: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .openapi({ description: 'The fields that are wrong.' }),
    server: serverInfoSchema.optional(),
  })
  .openapi('Error');
