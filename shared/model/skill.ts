import { z } from 'zod';

/** How sure it is that a tool has a skill: of a hundred answers that say 0.8, about eighty are right. */
export const skillShareSchema = z.object({ id: z.string(), confidence: z.number().min(0).max(1) });
export type SkillShare = Readonly<z.infer<typeof skillShareSchema>>;

/** Skills a tool has at most. */
export const mostSkills = 3;

/** From this confidence on the surest skill of a tool is its primary one. */
export const primaryConfidence = 0.5;

/** Something that tools are good for. */
export const skillSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** Made by accepting a suggestion; the others come with the program. */
  own: z.literal(true).optional(),
  /** How many tools have it. */
  tools: z.number(),
});
export type Skill = Readonly<z.infer<typeof skillSchema>>;

/** What one tool was found to be good for. */
export const toolSkillsSchema = z.object({
  serverKey: z.string(),
  name: z.string(),
  isClassified: z.boolean(),
  skills: z.array(skillShareSchema).readonly(),
  primarySkill: z.string().optional(),
  by: z.enum(['rules', 'model', 'person', 'nobody']),
});
export type ToolSkills = Readonly<z.infer<typeof toolSkillsSchema>>;

/** A skill that is not in the list and that some tools seem to need. Its texts may come from a model. */
export const skillSuggestionSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** Up to some dozen of those it was made for. */
  tools: z.array(z.object({ serverKey: z.string(), name: z.string() })).readonly(),
  by: z.enum(['rules', 'model']),
});
export type SkillSuggestion = Readonly<z.infer<typeof skillSuggestionSchema>>;

/** What becomes of a suggestion; `reopen` takes the others back. */
export const decisionSchema = z.enum(['accept', 'dismiss', 'reopen']);
export type Decision = z.infer<typeof decisionSchema>;

export const skillsViewSchema = z.object({
  skills: z.array(skillSchema).readonly(),
  /** Tools that nobody could classify. */
  unclassified: z.number(),
  /** To be looked at. */
  suggestions: z.array(skillSuggestionSchema).readonly(),
  /** Absent while nothing is being classified. */
  progress: z.object({ done: z.number(), total: z.number() }).optional(),
});
export type SkillsView = Readonly<z.infer<typeof skillsViewSchema>>;
