import { z } from 'zod';
import { problemSchema } from '../error/problem-schema.ts';
import { compactSettingsSchema } from '../schema/compact-schema.ts';
import { nameStyles } from './client.ts';
import { compactSources } from './compact.ts';
import { toolDifferenceSchema } from './server-update.ts';

/** What brings a client up to date, or gets it tools that it can use. */
export const clientFixSchema = z.object({
  /**
   * `notify`: it listens to changes and may be told again. `restart`: it keeps its first list until it is started anew.
   * `fewer-tools`: it gets more than it can use. `compact`: so it does, and a short list would spare it that.
   */
  kind: z.enum(['notify', 'restart', 'fewer-tools', 'compact']),
  sentence: z.string(),
});
export type ClientFix = Readonly<z.infer<typeof clientFixSchema>>;

/** A tool as one client is told it. */
export const clientToolSchema = z.object({
  /** Undefined for a tool of the hub itself. */
  serverKey: z.string().optional(),
  name: z.string(),
  wireName: z.string(),
  /** Calls of this client in the last 30 days. */
  calls: z.number(),
});
export type ClientTool = Readonly<z.infer<typeof clientToolSchema>>;

/** The truth about one client: what it holds, what it would get now, what it uses. */
export const clientDetailSchema = z.object({
  id: z.string(),
  name: z.string(),
  title: z.string().optional(),
  connected: z.boolean(),
  nameStyle: z.enum(nameStyles),
  /** Longest name in characters that it can use; absent where names are not cut to fit. */
  longestName: z.number().optional(),
  /** Tools beyond this number are trouble for it. */
  toolCap: z.number().optional(),
  honoursListChanged: z.boolean(),
  /** Of the list it holds; absent if it holds none. */
  heldRevision: z.number().optional(),
  revision: z.number(),
  /**
   * `none`: it holds no list. `current`: what it would get now. `outdated`: another one, see `difference`. `unknown`: another
   * one, of which only that is known.
   */
  list: z.enum(['none', 'current', 'outdated', 'unknown']),
  /** What it would see come, go and change if it asked now, by the names it knows. */
  difference: toolDifferenceSchema.optional(),
  /** In the order of its list. */
  tools: z.array(clientToolSchema).readonly(),
  /** Items that are left out of its lists, with the reason. */
  leftOut: z.array(problemSchema).readonly(),
  /** Tools that nobody gets: switched off, held. */
  withheld: z.object({ disabled: z.number(), held: z.number() }),
  /** Day since which calls are counted, at most 30 ago, in epoch milliseconds; absent where none was counted yet. */
  countedSince: z.number().optional(),
  /** Its list of tools as a short one. */
  compact: z.object({
    /** Who says that it is one; absent while it is whole. */
    by: z.enum(compactSources).optional(),
    /** As they are, or would be if it were switched on. */
    settings: compactSettingsSchema,
    /** Tools that it may have, in its list or not. */
    tools: z.number(),
  }),
  fixes: z.array(clientFixSchema).readonly(),
});
export type ClientDetail = Readonly<z.infer<typeof clientDetailSchema>>;

/** Tokens that a model reads of each tool, by the name the client is told, counted as o200k. */
export const clientWeightSchema = z.object({
  total: z.number(),
  byName: z.record(z.string(), z.number()),
  /** Its own list, whole and short, and what it reads and writes beside that. */
  compact: z.object({
    whole: z.number(),
    short: z.number(),
    /** To find one tool, read its definition and name it in a call, on average. */
    perTool: z.number(),
  }),
});
export type ClientWeight = Readonly<z.infer<typeof clientWeightSchema>>;

/** A client that has called tools lately and is not connected now. */
export const knownClientSchema = z.object({
  /** For {@link clientDetailSchema}. */
  id: z.string(),
  name: z.string(),
  /** In the last 30 days. */
  calls: z.number(),
  lastUsedAt: z.number(),
});
export type KnownClient = Readonly<z.infer<typeof knownClientSchema>>;
