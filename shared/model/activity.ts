import { z } from 'zod';
import { tones } from './server-look.ts';

/**
 * `call`: a client's request of a server. `question`: a server's request of a client (sampling, elicitation, roots).
 * `notices`: what a server told clients of its own accord, counted. `hub`: servers, clients and the hub itself, as they
 * come, go and fail.
 */
export const activityKinds = ['call', 'question', 'notices', 'hub'] as const;
export type ActivityKind = (typeof activityKinds)[number];

/**
 * `ok`: with a result. `tool-error`: with a result in which the tool says that it failed. `error`: with the other side's own
 * error. `lost`: the connection ended meanwhile. `refused`: nobody got it. `note`: nothing was asked, something is told.
 */
export const activityOutcomes = [
  'ok',
  'tool-error',
  'error',
  'timeout',
  'cancelled',
  'lost',
  'refused',
  'note',
] as const;
export type ActivityOutcome = (typeof activityOutcomes)[number];

/** One thing that went through the hub, without what it carried. Secrets have been taken out. */
export const activityRowSchema = z.object({
  /** Grows by time, across restarts. */
  id: z.number(),
  /** Epoch milliseconds, when it began. */
  at: z.number(),
  kind: z.enum(activityKinds),
  /** Session id and name of the client. */
  clientId: z.string().optional(),
  clientName: z.string().optional(),
  serverKey: z.string().optional(),
  method: z.string().optional(),
  /** The tool's or prompt's own name, or the resource's URI. */
  name: z.string().optional(),
  outcome: z.enum(activityOutcomes),
  /** Undefined where nothing was waited for. */
  milliseconds: z.number().optional(),
  /** Bytes of the whole messages. */
  requestBytes: z.number().optional(),
  answerBytes: z.number().optional(),
  /** How often it was sent, where that is not once. */
  attempts: z.number().optional(),
  /** The tool that was asked in its stead, as `server:tool`. */
  fallback: z.string().optional(),
  /** The first answer under its idempotency key was given again. */
  repeated: z.literal(true).optional(),
  /** How many notices this row stands for. */
  count: z.number().optional(),
  /** What is told: an error's message, or what happened. */
  text: z.string().optional(),
  tone: z.enum(tones).optional(),
});
export type ActivityRow = Readonly<z.infer<typeof activityRowSchema>>;

/** A row and what it carried: JSON text in which secrets are masked and long parts are cut, each with a note. */
export const activityDetailSchema = z.object({
  row: activityRowSchema,
  arguments: z.string().optional(),
  result: z.string().optional(),
  /** Something was cut. */
  isCut: z.boolean(),
});
export type ActivityDetail = Readonly<z.infer<typeof activityDetailSchema>>;

/** Characters of a text that rows are filtered by. */
export const longestFilterText = 1_000;

/** Which rows; all that is given has to hold. */
export const activityFilterSchema = z.object({
  kind: z.enum(activityKinds).optional(),
  clientName: z.string().optional(),
  serverKey: z.string().optional(),
  /** A tool's, a prompt's, a resource's. */
  name: z.string().optional(),
  method: z.string().optional(),
  outcomes: z.array(z.enum(activityOutcomes)).readonly().optional(),
  /**
   * Part of its name, server, client, method or message, or of what it carried, as that is kept, in the newest
   * `searchedBodies`; A to Z in either case.
   */
  text: z.string().max(longestFilterText).optional(),
  since: z.number().optional(),
  until: z.number().optional(),
});
export type ActivityFilter = Readonly<z.infer<typeof activityFilterSchema>>;

export const activityPageSchema = z.object({
  /** Newest first. */
  rows: z.array(activityRowSchema).readonly(),
  hasMore: z.boolean(),
});
export type ActivityPage = Readonly<z.infer<typeof activityPageSchema>>;

const counted = z.array(z.object({ value: z.string(), count: z.number() })).readonly();

/** How many rows each choice of a filter would leave, the most frequent first; each counted without its own filter. */
export const activityCountsSchema = z.object({
  /** With the whole filter. */
  total: z.number(),
  /** Without any. */
  kept: z.number(),
  kinds: counted,
  clients: counted,
  servers: counted,
  names: counted,
  methods: counted,
  outcomes: counted,
});
export type ActivityCounts = Readonly<z.infer<typeof activityCountsSchema>>;

/** What came since the last time, oldest first. */
export const activityAddedSchema = z.object({
  rows: z.array(activityRowSchema).readonly(),
  /** More came than is told; a query finds them. */
  skipped: z.number(),
});
export type ActivityAdded = Readonly<z.infer<typeof activityAddedSchema>>;

export const activityFormats = ['jsonl', 'csv'] as const;
export type ActivityFormat = (typeof activityFormats)[number];

/** How much is kept; beyond any of it the oldest goes. */
export const activityBounds = { days: 7, rows: 100_000, megabytes: 200, searchedBodies: 5_000 } as const;
