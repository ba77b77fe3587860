import { z } from 'zod';
import { problemSchema } from '../../error/problem-schema.ts';
import { skillShareSchema } from './skill.ts';

export const searchKinds = ['tool', 'prompt', 'resource'] as const;
export const searchKindSchema = z.enum(searchKinds);
export type SearchKind = z.infer<typeof searchKindSchema>;

/** Risk according to the tool's annotations; `unstated` if there are none, and for prompts and resources. */
export const statedRiskSchema = z.enum(['read-only', 'writes', 'destructive', 'unstated']);
export type StatedRisk = z.infer<typeof statedRiskSchema>;

/** In characters; the rest is ignored. */
export const maxQueryLength = 100_000;

/** A search. Omitted filters match everything. */
export const searchQuerySchema = z.object({
  query: z.string().max(maxQueryLength),
  kinds: z.array(searchKindSchema).readonly().optional(),
  /** Server keys. */
  servers: z.array(z.string()).readonly().optional(),
  /** Skill ids; matches items with any of them. */
  skills: z.array(z.string()).readonly().optional(),
  risks: z.array(statedRiskSchema).readonly().optional(),
  /** Excludes disabled and quarantined items, and those that only disabled servers offer. */
  enabledOnly: z.boolean().optional(),
  /** Includes only items of servers that are connected now. */
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

/** Explains a match. */
export const fieldMatchSchema = z.object({
  field: matchFieldSchema,
  /** The text that the ranges refer to, if the hit does not contain it. */
  text: z.string().optional(),
  /** Start and end in UTF-16 units, ascending, not overlapping. */
  ranges: z.array(z.tuple([z.number(), z.number()])).readonly(),
});
export type FieldMatch = Readonly<z.infer<typeof fieldMatchSchema>>;

export const searchHitSchema = z.object({
  kind: searchKindSchema,
  serverKey: z.string(),
  /** Original name; for a resource its URI or URI template. */
  name: z.string(),
  title: z.string().optional(),
  /** Cut after a few hundred characters. */
  description: z.string().optional(),
  /** True if neither it nor its server is disabled, and it is not quarantined. */
  enabled: z.boolean(),
  risk: statedRiskSchema,
  /** From 0 to 1; 1 is an exact match of the name. */
  score: z.number().min(0).max(1),
  matched: z.array(fieldMatchSchema).readonly(),
  /** False for a tool that could not be classified, and for prompts and resources. */
  isClassified: z.boolean(),
  /** Most confident first. */
  skills: z.array(skillShareSchema).readonly(),
  /** The most confident skill, if more likely than not. */
  primarySkill: z.string().optional(),
});
export type SearchHit = Readonly<z.infer<typeof searchHitSchema>>;

export const searchResultSchema = z.object({
  /** Best first, across all servers. */
  hits: z.array(searchHitSchema).readonly(),
  /** Number of matches without the limit. */
  total: z.number(),
  /** Number of items searched, after the filters by server and state. */
  searched: z.object({ servers: z.number(), tools: z.number() }),
  /** Contribution of semantic search; `failed` if its provider did not answer. */
  meaning: z.enum(['off', 'used', 'failed']),
});
export type SearchResult = Readonly<z.infer<typeof searchResultSchema>>;

const endpoint = {
  /** Address of the provider; `secret` is the name of the stored key, if it needs one. */
  url: z.url({ protocol: /^https?$/ }),
  model: z.string().min(1),
  secret: z.string().min(1).optional(),
};

/** Classifier of tools: the hub's own rules, or a model. The user decides about the cost. */
export const classifierSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('rules') }),
  z.object({ kind: z.literal('openai'), ...endpoint }),
  z.object({ kind: z.literal('anthropic'), ...endpoint }),
  /** The model of a connected client that supports sampling. */
  z.object({ kind: z.literal('sampling') }),
]);
export type Classifier = Readonly<z.infer<typeof classifierSchema>>;

/** Provider of embeddings for semantic search. */
export const embeddingSourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('off') }),
  z.object({ kind: z.literal('openai'), ...endpoint }),
  z.object({ kind: z.literal('ollama'), ...endpoint }),
]);
export type EmbeddingSource = Readonly<z.infer<typeof embeddingSourceSchema>>;

/** State of semantic search. Vectors are computed once and stored; counts are of distinct texts. */
export const semanticSearchStateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('off') }),
  /** Configured, but no search has been made since the hub started. */
  z.object({ kind: z.literal('resting') }),
  z.object({ kind: z.enum(['learning', 'ready']), known: z.number(), total: z.number() }),
  z.object({ kind: z.literal('failed'), problem: problemSchema }),
]);
export type SemanticSearchState = Readonly<z.infer<typeof semanticSearchStateSchema>>;

/** A provider to test with one request. */
export const searchTrialSchema = z.discriminatedUnion('part', [
  z.object({ part: z.literal('classifier'), source: classifierSchema }),
  z.object({ part: z.literal('meaning'), source: embeddingSourceSchema }),
]);
export type SearchTrial = Readonly<z.infer<typeof searchTrialSchema>>;

/** Also the format of `search.json`. */
export const searchSettingsSchema = z.object({
  classifier: classifierSchema.default({ kind: 'rules' }),
  meaning: embeddingSourceSchema.default({ kind: 'off' }),
});
export type SearchSettings = Readonly<z.infer<typeof searchSettingsSchema>>;
