import { z } from 'zod';
import { tones } from '../server/server-look.ts';

/**
 * `call`: a client's request to a server. `question`: a server's request to a client (sampling, elicitation,
 * roots). `notices`: notifications that a server sent to clients, counted. `hub`: events of servers, clients
 * and the hub itself.
 */
export const activityKinds = ['call', 'question', 'notices', 'hub'] as const;
export type ActivityKind = (typeof activityKinds)[number];

/**
 * `ok`: a result. `tool-error`: a result with `isError`. `error`: a JSON-RPC error from the other side.
 * `lost`: the connection closed first. `refused`: never delivered. `note`: information, not a request.
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

/** One recorded event without its payload. Secrets have been removed. */
export const activityRowSchema = z.object({
  /** Increases with time, across restarts. */
  id: z.number(),
  /** Start time in epoch milliseconds. */
  at: z.number(),
  kind: z.enum(activityKinds),
  /** Session id and name of the client. */
  clientId: z.string().optional(),
  clientName: z.string().optional(),
  serverKey: z.string().optional(),
  method: z.string().optional(),
  /** Original name of the tool or prompt, or the resource's URI. */
  name: z.string().optional(),
  outcome: z.enum(activityOutcomes),
  /** Undefined if there was nothing to wait for. */
  milliseconds: z.number().optional(),
  /** Size of the complete messages in bytes. */
  requestBytes: z.number().optional(),
  answerBytes: z.number().optional(),
  /** Number of attempts, if more than one. */
  attempts: z.number().optional(),
  /** The fallback tool that was called instead, as `server:tool`. */
  fallback: z.string().optional(),
  /** True if the call repeated an idempotency key and got the first result again. */
  repeated: z.literal(true).optional(),
  /** Number of notifications that this row stands for. */
  count: z.number().optional(),
  /** An error's message, or a description of the event. */
  text: z.string().optional(),
  tone: z.enum(tones).optional(),
  /** How the client and the server spoke, and why, in words. */
  clientProtocol: z.string().optional(),
  serverProtocol: z.string().optional(),
});
export type ActivityRow = Readonly<z.infer<typeof activityRowSchema>>;

/** A row with its payload: JSON text with secrets masked and long parts cut, each with a note. */
export const activityDetailSchema = z.object({
  row: activityRowSchema,
  arguments: z.string().optional(),
  result: z.string().optional(),
  /** True if anything was cut. */
  isCut: z.boolean(),
});
export type ActivityDetail = Readonly<z.infer<typeof activityDetailSchema>>;

/** Maximum length of a filter text in characters. */
export const maxFilterTextLength = 1_000;

/** Filter for rows; a row must match all given fields. */
export const activityFilterSchema = z.object({
  kind: z.enum(activityKinds).optional(),
  clientName: z.string().optional(),
  serverKey: z.string().optional(),
  /** Name of a tool or prompt, URI of a resource. */
  name: z.string().optional(),
  method: z.string().optional(),
  outcomes: z.array(z.enum(activityOutcomes)).readonly().optional(),
  /**
   * Part of the name, server, client, method or message, or of the recorded payload in the newest
   * `searchedBodies` rows; ASCII letters match in either case.
   */
  text: z.string().max(maxFilterTextLength).optional(),
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

/** Number of rows per filter choice, most frequent first; each filter is counted without itself. */
export const activityCountsSchema = z.object({
  /** Rows that match the whole filter. */
  total: z.number(),
  /** All stored rows. */
  kept: z.number(),
  kinds: counted,
  clients: counted,
  servers: counted,
  names: counted,
  methods: counted,
  outcomes: counted,
});
export type ActivityCounts = Readonly<z.infer<typeof activityCountsSchema>>;

/** Rows added since the last event, oldest first. */
export const activityAddedSchema = z.object({
  rows: z.array(activityRowSchema).readonly(),
  /** Number of added rows left out of this event; a query returns them. */
  skipped: z.number(),
});
export type ActivityAdded = Readonly<z.infer<typeof activityAddedSchema>>;

export const activityFormats = ['jsonl', 'csv'] as const;
export type ActivityFormat = (typeof activityFormats)[number];

/** Limits of what is stored; beyond any of them the oldest rows are deleted. */
export const activityLimits = { days: 7, rows: 100_000, megabytes: 200, searchedBodies: 5_000 } as const;
