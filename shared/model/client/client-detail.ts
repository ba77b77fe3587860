import { z } from 'zod';
import { problemSchema } from '../../error/problem-schema.ts';
import { compactSettingsSchema } from '../../schema/compact-schema.ts';
import { toolDifferenceSchema } from '../server/server-update.ts';
import { nameStyles } from './client.ts';
import { compactSources } from './compact.ts';

/** A suggested action for a client whose tool list is outdated or too long. */
export const clientFixSchema = z.object({
  /**
   * `notify`: the client handles list changes and can be notified again. `restart`: it keeps its first list
   * until it is restarted. `fewer-tools`: it gets more tools than it can use. `compact`: the same, and a
   * compact list would solve it.
   */
  kind: z.enum(['notify', 'restart', 'fewer-tools', 'compact']),
  sentence: z.string(),
});
export type ClientFix = Readonly<z.infer<typeof clientFixSchema>>;

/** A tool as one client sees it. */
export const clientToolSchema = z.object({
  /** Undefined for the hub's own tools. */
  serverKey: z.string().optional(),
  name: z.string(),
  wireName: z.string(),
  /** Calls by this client in the last 30 days. */
  calls: z.number(),
});
export type ClientTool = Readonly<z.infer<typeof clientToolSchema>>;

/** Details of one client: the list it has, the list it would get now, the tools it uses. */
export const clientDetailSchema = z.object({
  id: z.string(),
  name: z.string(),
  title: z.string().optional(),
  connected: z.boolean(),
  nameStyle: z.enum(nameStyles),
  /** Maximum length of a tool name in characters; absent if names are not shortened for this client. */
  longestName: z.number().optional(),
  /** The client has problems with more tools than this. */
  toolCap: z.number().optional(),
  honoursListChanged: z.boolean(),
  /** Revision of the list that the client has; absent if it has none. */
  heldRevision: z.number().optional(),
  revision: z.number(),
  /**
   * `none`: the client has no list. `current`: its list is up to date. `outdated`: its list differs, see
   * `difference`. `unknown`: its list differs, the details are not known.
   */
  list: z.enum(['none', 'current', 'outdated', 'unknown']),
  /** Tools that would be added, removed or changed if it listed again, by the names it knows. */
  difference: toolDifferenceSchema.optional(),
  /** In list order. */
  tools: z.array(clientToolSchema).readonly(),
  /** Items left out of its lists, each with the reason. */
  leftOut: z.array(problemSchema).readonly(),
  /** Tools hidden from all clients: disabled or quarantined. */
  withheld: z.object({ disabled: z.number(), held: z.number() }),
  /**
   * First day of the call counts, at most 30 days ago, in epoch milliseconds; absent if nothing has been
   * counted.
   */
  countedSince: z.number().optional(),
  /** Compact mode of its tool list. */
  compact: z.object({
    /** Source of the setting; absent while compact mode is off. */
    by: z.enum(compactSources).optional(),
    /** The current settings, or the ones that turning it on would use. */
    settings: compactSettingsSchema,
    /** Number of tools available to it, listed or not. */
    tools: z.number(),
  }),
  fixes: z.array(clientFixSchema).readonly(),
});
export type ClientDetail = Readonly<z.infer<typeof clientDetailSchema>>;

/** Estimates of the tokens that a model reads per tool, by wire name. */
export const clientWeightSchema = z.object({
  total: z.number(),
  byName: z.record(z.string(), z.number()),
  /** Tokens of the full list, of the compact list, and of the lookups it adds. */
  compact: z.object({
    whole: z.number(),
    short: z.number(),
    /** Average tokens to find one tool, read its definition and name it in a call. */
    perTool: z.number(),
  }),
});
export type ClientWeight = Readonly<z.infer<typeof clientWeightSchema>>;

/** A client that called tools recently and is not connected now. */
export const knownClientSchema = z.object({
  /** Id to pass to `client.detail`. */
  id: z.string(),
  name: z.string(),
  /** Calls in the last 30 days. */
  calls: z.number(),
  lastUsedAt: z.number(),
});
export type KnownClient = Readonly<z.infer<typeof knownClientSchema>>;
