import { z } from 'zod';
import {
  searchQuerySchema,
  searchResultSchema,
  searchSettingsSchema,
  searchTrialSchema,
  semanticSearchStateSchema,
} from '../model/search.ts';
import { decisionSchema, maxSkills, skillsViewSchema, toolSkillsSchema } from '../model/skill.ts';
import { hubNote, operation, toolNote } from './operation.ts';
import { nothing } from './parts.ts';

const tool = z.object({ serverKey: z.string(), name: z.string() });

/** Operations on search and on the skills of tools. */
export const searchOperations = {
  'search.find': operation({
    input: searchQuerySchema,
    output: searchResultSchema,
    doors: ['window', 'cli'],
  }),
  'search.settings': operation({ input: nothing, output: searchSettingsSchema, doors: ['window'] }),
  /** Classifies again, or gathers vectors again, where another provider does it from now on. */
  'search.configure': operation({
    input: searchSettingsSchema,
    output: nothing,
    doors: ['window'],
    audit: ({ classifier, meaning }) => [
      hubNote('configure-search', `skills by ${classifier.kind}, semantic search by ${meaning.kind}`),
    ],
  }),
  /** `meaning.changed` keeps it up to date. */
  'search.meaning': operation({ input: nothing, output: semanticSearchStateSchema, doors: ['window'] }),
  /** Asks a provider once, with nothing of any tool, before it is chosen. Rejects with `search.provider_failed`. */
  'search.test': operation({
    input: searchTrialSchema,
    output: z.object({ milliseconds: z.number() }),
    doors: ['window'],
  }),
  /** `skills.changed` keeps it up to date. */
  'skill.view': operation({ input: nothing, output: skillsViewSchema, doors: ['window', 'rest'] }),
  /** Lists every tool with its skills; `skill` and `servers` narrow it. */
  'skill.tools': operation({
    input: z.object({ skill: z.string().optional(), servers: z.array(z.string()).optional() }),
    output: z.object({ tools: z.array(toolSkillsSchema).readonly() }),
    doors: ['window', 'rest'],
  }),
  /** Sets the skills of a tool by hand; they stay whatever is found later. Rejects with `skill.unknown`. */
  'skill.correct': operation({
    input: tool.extend({ skills: z.array(z.string()).max(maxSkills) }),
    output: nothing,
    doors: ['window', 'rest'],
    audit: ({ serverKey, name, skills }) => [
      toolNote('set-skills', serverKey, name, skills.length === 0 ? 'None.' : skills.join(', ')),
    ],
  }),
  /** Reverts a correction. */
  'skill.release': operation({
    input: tool,
    output: nothing,
    doors: ['window', 'rest'],
    audit: ({ serverKey, name }) => [toolNote('release-skills', serverKey, name)],
  }),
  /** Makes a suggestion a skill, or dismisses it for good; `reopen` reverts either. Rejects with `skill.unknown`. */
  'skill.decide': operation({
    input: z.object({ suggestion: z.string(), decision: decisionSchema }),
    output: nothing,
    doors: ['window', 'rest'],
    audit: ({ suggestion, decision }) => [hubNote(`${decision}-skill`, suggestion)],
  }),
  /** Classifies all tools again, or those of some servers, also where their texts have not changed. Corrections stay. */
  'skill.reclassify': operation({
    input: z.object({ servers: z.array(z.string()).optional() }),
    output: nothing,
    doors: ['window', 'rest'],
    audit: ({ servers }) => [hubNote('find-skills-anew', servers?.join(', ') ?? 'of all servers')],
  }),
};

export const searchEvents = {
  'skills.changed': skillsViewSchema,
  'meaning.changed': semanticSearchStateSchema,
} as const;
