import { z } from 'zod';

/** Confidence that a tool has a skill, calibrated: of a hundred values of 0.8, about eighty are right. */
export const skillShareSchema = z.object({ id: z.string(), confidence: z.number().min(0).max(1) });
export type SkillShare = Readonly<z.infer<typeof skillShareSchema>>;

/** Maximum number of skills per tool. */
export const maxSkills = 3;

/** Minimum confidence of a primary skill. */
export const primaryConfidence = 0.5;

/** A purpose that tools serve. */
export const skillSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** Set if it was created by accepting a suggestion; other skills are built in. */
  own: z.literal(true).optional(),
  /** Number of tools with this skill. */
  tools: z.number(),
});
export type Skill = Readonly<z.infer<typeof skillSchema>>;

/** Classification of one tool. */
export const toolSkillsSchema = z.object({
  serverKey: z.string(),
  name: z.string(),
  isClassified: z.boolean(),
  skills: z.array(skillShareSchema).readonly(),
  primarySkill: z.string().optional(),
  by: z.enum(['rules', 'model', 'person', 'nobody']),
});
export type ToolSkills = Readonly<z.infer<typeof toolSkillsSchema>>;

/** A missing skill that some tools seem to need. Its texts may come from a model. */
export const skillSuggestionSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** Some of the tools it was suggested for, up to a few dozen. */
  tools: z.array(z.object({ serverKey: z.string(), name: z.string() })).readonly(),
  by: z.enum(['rules', 'model']),
});
export type SkillSuggestion = Readonly<z.infer<typeof skillSuggestionSchema>>;

/** Decision about a suggestion; `reopen` reverts either. */
export const decisionSchema = z.enum(['accept', 'dismiss', 'reopen']);
export type Decision = z.infer<typeof decisionSchema>;

export const skillsViewSchema = z.object({
  skills: z.array(skillSchema).readonly(),
  /** Number of tools that could not be classified. */
  unclassified: z.number(),
  /** Suggestions to review. */
  suggestions: z.array(skillSuggestionSchema).readonly(),
  /** Absent while no classification is running. */
  progress: z.object({ done: z.number(), total: z.number() }).optional(),
});
export type SkillsView = Readonly<z.infer<typeof skillsViewSchema>>;
