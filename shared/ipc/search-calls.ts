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

/** Calls about finding things by words and by what they are good for, one row each; see `contract.ts`. */
export const searchCalls = {
  'search.find': { input: searchQuerySchema, output: searchResultSchema },
  'search.settings': { input: nothing, output: searchSettingsSchema },
  /** Classifies anew, or gathers vectors, where that is another one's work from now on. */
  'search.configure': { input: searchSettingsSchema, output: nothing },
  /** `meaning.changed` keeps it fresh. */
  'search.meaning': { input: nothing, output: meaningStateSchema },
  /** Asks a provider once, with nothing of any tool, before it is chosen. Refused with `search.provider_failed` or `search.model_unusable`. */
  'search.test': { input: searchTrialSchema, output: z.object({ milliseconds: z.number() }) },
  /** `skills.changed` keeps it fresh. */
  'skill.view': { input: nothing, output: skillsViewSchema },
  /** Every tool with its skills; `skill` and `servers` narrow it. */
  'skill.tools': {
    input: z.object({ skill: z.string().optional(), servers: z.array(z.string()).optional() }),
    output: z.object({ tools: z.array(toolSkillsSchema).readonly() }),
  },
  /** A person knows better; it stays so whatever is found later. Refused with `skill.unknown`. */
  'skill.correct': {
    input: tool.extend({ skills: z.array(z.string()).max(mostSkills) }),
    output: nothing,
  },
  /** Takes a correction back. */
  'skill.release': { input: tool, output: nothing },
  /** A suggestion becomes a skill, or is not made again; `reopen` takes either back. Refused with `skill.unknown`. */
  'skill.decide': {
    input: z.object({ suggestion: z.string(), decision: decisionSchema }),
    output: nothing,
  },
  /** Everything, or what some servers offer, also where its texts are as they were. Corrections stay. */
  'skill.reclassify': { input: z.object({ servers: z.array(z.string()).optional() }), output: nothing },
} as const satisfies IpcRows;

export const searchEvents = {
  'skills.changed': skillsViewSchema,
  'meaning.changed': meaningStateSchema,
} as const;
