import { z } from '@hono/zod-openapi';
import { maxSkills } from '../../../../shared/model/skill.ts';
import { serverInfoSchema } from './server.ts';

const idSchema = z.string().min(1).max(200);
const serverIdSchema = z.string().min(1).max(400);

export const skillSchema = z
  .object({
    id: z.string().openapi({ example: 'issue_tracking' }),
    name: z.string(),
    description: z.string(),
    custom: z.boolean().openapi({ description: 'Made by accepting a suggestion.' }),
    tool_count: z.number().openapi({ description: 'Tools that have it.' }),
    primary_tool_count: z.number().openapi({ description: 'Tools of which it is the primary skill.' }),
  })
  .openapi('Skill');

export const skillListSchema = z
  .object({
    skills: z.array(skillSchema),
    total: z.number(),
    metadata: z.object({
      total_tools: z.number(),
      classified_tools: z.number(),
      unclassified_tools: z.number(),
      open_suggestions: z.number().optional().openapi({ description: 'For the administrator.' }),
      classification: z.object({
        status: z.enum(['IDLE', 'RUNNING']),
        progress: z
          .object({ done: z.number(), total: z.number() })
          .optional()
          .openapi({ description: 'For the administrator, while it runs: tools of all servers.' }),
      }),
    }),
  })
  .openapi('SkillList');

export const toolSkillsSchema = z
  .object({
    id: z.string(),
    name: z.string().openapi({ example: 'github-mcp.create_issue' }),
    original_name: z.string(),
    source_server: serverInfoSchema,
    is_classified: z.boolean(),
    skills: z
      .array(z.object({ id: z.string(), confidence: z.number() }))
      .openapi({ description: 'Most confident first; confidence is 0 to 1.' }),
    primary_skill_id: z.string().nullable(),
    classified_by: z.enum(['rules', 'model', 'person']).nullable(),
  })
  .openapi('ToolSkills');

export const skillToolsSchema = z
  .object({ skill: skillSchema, tools: z.array(toolSkillsSchema), total: z.number() })
  .openapi('SkillTools');

export const skillQuery = z.object({
  server_id: serverIdSchema.optional().openapi({ description: 'Name or id: its tools only.' }),
});

export const skillParam = z.object({
  id: idSchema.openapi({ param: { name: 'id', in: 'path' }, description: 'Id of a skill.' }),
});

export const suggestionParam = z.object({
  id: idSchema.openapi({ param: { name: 'id', in: 'path' }, description: 'Id of a suggestion.' }),
});

export const correctionSchema = z
  .strictObject({
    skill_ids: z
      .array(idSchema)
      .max(maxSkills)
      .refine((ids) => new Set(ids).size === ids.length, 'a skill must not be named twice')
      .openapi({ description: 'The first is the primary skill; an empty list means that none fits.' }),
  })
  .openapi('SkillCorrection');

export const suggestionListSchema = z
  .object({
    suggestions: z.array(
      z
        .object({
          id: z.string(),
          name: z.string(),
          description: z.string(),
          suggested_by: z.enum(['rules', 'model']),
          tools: z
            .array(z.object({ name: z.string(), original_name: z.string(), server_name: z.string() }))
            .openapi({ description: 'Some of its tools.' }),
        })
        .openapi('SkillSuggestion'),
    ),
    total: z.number(),
  })
  .openapi('SkillSuggestionList');

export const decidedSchema = z
  .object({ id: z.string(), status: z.enum(['ACCEPTED', 'DISMISSED', 'OPEN']) })
  .openapi('SkillDecision');

export const reclassifySchema = z
  .strictObject({
    server_filter: z
      .array(serverIdSchema)
      .min(1)
      .max(1_000)
      .optional()
      .openapi({ description: 'Names or ids of servers; all by default.' }),
  })
  .openapi('ReclassifyRequest');

export const reclassifyAnswerSchema = z
  .object({
    status: z.literal('ACCEPTED'),
    servers: z.number(),
    tools: z
      .number()
      .openapi({ description: 'Tools that are classified again, without the corrected ones.' }),
  })
  .openapi('ReclassifyAnswer');
