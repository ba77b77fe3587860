import { z } from 'zod';
import { problemSchema } from '../error/problem-schema.ts';
import { skillShareSchema } from './skill.ts';

export const searchKinds = ['tool', 'prompt', 'resource'] as const;
export const searchKindSchema = z.enum(searchKinds);
export type SearchKind = z.infer<typeof searchKindSchema>;

/** What a tool says of itself in its annotations; `unstated` where it says nothing, as for what is no tool. */
export const statedRiskSchema = z.enum(['read-only', 'writes', 'destructive', 'unstated']);
export type StatedRisk = z.infer<typeof statedRiskSchema>;

/** Characters; what lies behind is left alone. */
export const longestQuery = 100_000;

/** What is looked for. Every filter that is left out lets everything through. */
export const searchQuerySchema = z.object({
  query: z.string().max(longestQuery),
  kinds: z.array(searchKindSchema).readonly().optional(),
  /** Keys of servers. */
  servers: z.array(z.string()).readonly().optional(),
  /** Ids of skills; what has one of them. */
  skills: z.array(z.string()).readonly().optional(),
  risks: z.array(statedRiskSchema).readonly().optional(),
  /** Without what is turned off or held, and what only servers offer that are switched off. */
  enabledOnly: z.boolean().optional(),
  /** Only what servers offer that are connected now. */
  connectedOnly: z.boolean().optional(),
  limit: z.int().min(1).max(200),
});
export type SearchQuery = Readonly<z.infer<typeof searchQuerySchema>>;

export const matchFieldSchema = z.enum([
  'name',
  'server',
  'title',
  'description',
  'parameter',
  'keyword',
  'skill',
]);
export type MatchField = z.infer<typeof matchFieldSchema>;

/** Why something was found. */
export const fieldMatchSchema = z.object({
  field: matchFieldSchema,
  /** The text that the ranges are in, where the hit itself does not carry it. */
  text: z.string().optional(),
  /** From and to, in UTF-16 units, ascending and apart. */
  ranges: z.array(z.tuple([z.number(), z.number()])).readonly(),
});
export type FieldMatch = Readonly<z.infer<typeof fieldMatchSchema>>;

export const searchHitSchema = z.object({
  kind: searchKindSchema,
  serverKey: z.string(),
  /** As its server named it; the URI, or its template, of a resource. */
  name: z.string(),
  title: z.string().optional(),
  /** Cut after some hundred characters. */
  description: z.string().optional(),
  /** Neither it nor its server is turned off, and it is not held. */
  enabled: z.boolean(),
  risk: statedRiskSchema,
  /** 0 to 1; 1 is what carries the very name that was asked for. */
  score: z.number().min(0).max(1),
  matched: z.array(fieldMatchSchema).readonly(),
  /** False for a tool that could not be classified, and for what is no tool. */
  isClassified: z.boolean(),
  /** The surest first. */
  skills: z.array(skillShareSchema).readonly(),
  /** The surest, if it is likely rather than not. */
  primarySkill: z.string().optional(),
});
export type SearchHit = Readonly<z.infer<typeof searchHitSchema>>;

export const searchResultSchema = z.object({
  /** The best first, whatever servers they are of. */
  hits: z.array(searchHitSchema).readonly(),
  /** How many there are without the limit. */
  total: z.number(),
  /** What was looked through, after the filters by server and state. */
  searched: z.object({ servers: z.number(), tools: z.number() }),
  /**
   * Whether meaning counted beside words; `starting` while its model is being loaded, `failed` where it should have counted
   * and its provider did not answer.
   */
  meaning: z.enum(['off', 'used', 'starting', 'failed']),
});
export type SearchResult = Readonly<z.infer<typeof searchResultSchema>>;

const endpoint = {
  /** Where it is; the key, where it wants one, is the value of a stored secret and named here only. */
  url: z.url({ protocol: /^https?$/ }),
  model: z.string().min(1),
  secret: z.string().min(1).optional(),
};

/** Who classifies: rules of the hub's own, or a model that is asked. What it costs is the user's to decide. */
export const classifierSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('rules') }),
  z.object({ kind: z.literal('openai'), ...endpoint }),
  z.object({ kind: z.literal('anthropic'), ...endpoint }),
  /** The model of a client that is connected and offers sampling. */
  z.object({ kind: z.literal('sampling') }),
]);
export type Classifier = Readonly<z.infer<typeof classifierSchema>>;

/** Who turns texts into vectors, so that meaning counts in a search. */
export const meaningSourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('off') }),
  z.object({ kind: z.literal('openai'), ...endpoint }),
  z.object({ kind: z.literal('ollama'), ...endpoint }),
  /** A folder of this machine with an ONNX model and its tokenizer; nothing is sent anywhere and nothing is loaded from elsewhere. */
  z.object({ kind: z.literal('folder'), folder: z.string().min(1).max(4_096) }),
]);
export type MeaningSource = Readonly<z.infer<typeof meaningSourceSchema>>;

/** How far meaning is. Vectors are made once and kept; the count is of different texts. */
export const meaningStateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('off') }),
  /** Chosen, and nobody has searched since the hub began. */
  z.object({ kind: z.literal('resting') }),
  /** The model is being loaded. */
  z.object({ kind: z.literal('starting') }),
  z.object({ kind: z.enum(['learning', 'ready']), known: z.number(), total: z.number() }),
  z.object({ kind: z.literal('failed'), problem: problemSchema }),
]);
export type MeaningState = Readonly<z.infer<typeof meaningStateSchema>>;

/** Something that is to be asked once, to see whether it answers. */
export const searchTrialSchema = z.discriminatedUnion('part', [
  z.object({ part: z.literal('classifier'), source: classifierSchema }),
  z.object({ part: z.literal('meaning'), source: meaningSourceSchema }),
]);
export type SearchTrial = Readonly<z.infer<typeof searchTrialSchema>>;

/** Also the form of `search.json`. */
export const searchSettingsSchema = z.object({
  classifier: classifierSchema.default({ kind: 'rules' }),
  meaning: meaningSourceSchema.default({ kind: 'off' }),
});
export type SearchSettings = Readonly<z.infer<typeof searchSettingsSchema>>;
