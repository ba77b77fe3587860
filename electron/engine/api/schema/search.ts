import { z } from '@hono/zod-openapi';
import { serverInfoSchema } from './server.ts';

export const searchRequestSchema = z
  .strictObject({
    query: z.string().min(1).max(10_000),
    include_external: z.boolean().default(true).openapi({ description: "False: Patchbay's own tools only." }),
    server_filter: z
      .array(z.string().min(1).max(400))
      .max(1_000)
      .optional()
      .openapi({ description: 'Names or ids of servers.' }),
    limit: z.int().min(1).max(200).default(10),
  })
  .openapi('SearchRequest');

export const searchResultSchema = z
  .object({
    query: z.string(),
    tools: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        original_name: z.string(),
        title: z.string().optional(),
        description: z.string(),
        score: z.number().min(0).max(1),
        source_server: serverInfoSchema,
        is_classified: z.boolean(),
        skill_ids: z.array(z.string()),
        primary_skill_id: z.string().nullable(),
      }),
    ),
    metadata: z.object({ servers_searched: z.number(), total_tools_searched: z.number() }),
  })
  .openapi('SearchResult');
