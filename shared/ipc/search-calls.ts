import { z } from 'zod';
import {
  meaningStateSchema,
  searchQuerySchema,
  searchResultSchema,
  searchSettingsSchema,
  searchTrialSchema,
} from '../model/search.ts';
import { decisionSchema, mostSkills, skillsViewSchema, toolSkillsSchema } from '../model/skill.ts';
import { type IpcRows, nothing } from './parts.ts';

const tool = z.object({ serverKey: z.string(), name: z.string() });

/** Calls about search and tool skills, one row each; see `contract.ts`. */
export const searchCalls = {
  'search.find': { input: searchQuerySchema, output: searchResultSchema },
  'search.settings': { input: nothing, output: searchSettingsSchema },
  /** Reclassifies tools or recomputes vectors if the provider has changed. */
  'search.configure': { input: searchSettingsSchema, output: nothing },
  /** Initial state; `meaning.changed` events update it. */
  'search.meaning': { input: nothing, output: meaningStateSchema },
  /**
   * Sends one test request to a provider before it is chosen, without data of any tool. Rejects with
   * `search.provider_failed` or `search.model_unusable`.
   */
  'search.test': { input: searchTrialSchema, output: z.object({ milliseconds: z.number() }) },
  /** Initial state; `skills.changed` events update it. */
  'skill.view': { input: nothing, output: skillsViewSchema },
  /** Returns every tool with its skills, filtered by `skill` and `servers`. */
  'skill.tools': {
    input: z.object({ skill: z.string().optional(), servers: z.array(z.string()).optional() }),
    output: z.object({ tools: z.array(toolSkillsSchema).readonly() }),
  },
  /**
   * Sets a tool's skills by hand; later classification does not override them. Rejects with `skill.unknown`.
   */
  'skill.correct': {
    input: tool.extend({ skills: z.array(z.string()).max(mostSkills) }),
    output: nothing,
  },
  /** Removes a manual correction. */
  'skill.release': { input: tool, output: nothing },
  /** Accepts or dismisses a suggested skill; `reopen` reverts either. Rejects with `skill.unknown`. */
  'skill.decide': {
    input: z.object({ suggestion: z.string(), decision: decisionSchema }),
    output: nothing,
  },
  /**
   * Classifies all tools again, or those of some servers, even if their texts are unchanged. Corrections
   * stay.
   */
  'skill.reclassify': { input: z.object({ servers: z.array(z.string()).optional() }), output: nothing },
} as const satisfies IpcRows;

export const searchEvents = {
  'skills.changed': skillsViewSchema,
  'meaning.changed': meaningStateSchema,
} as const;
