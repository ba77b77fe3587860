import { z } from 'zod';
import { problemSchema } from '../../error/problem-schema.ts';
import { serverHealthSchema } from './health.ts';
import { missingValueSchema } from './missing-value.ts';
import { serverUpdateSchema } from './server-update.ts';

/** The one status model (requirements, rulings). */
export const serverStatuses = [
  'disabled',
  'disconnected',
  'connecting',
  'connected',
  'degraded',
  'needs-auth',
  'error',
] as const;
export type ServerStatus = (typeof serverStatuses)[number];

/**
 * How a server speaks: with sessions (`legacy`), or stateless (`modern`). `version` is the revision in use, `reason`
 * a clause about the server, such as "it does not know server/discover".
 */
export const serverEraSchema = z.object({
  era: z.enum(['legacy', 'modern']),
  reason: z.string(),
  version: z.string(),
});
export type ServerEra = Readonly<z.infer<typeof serverEraSchema>>;

export const serverTransports = ['stdio', 'http', 'sse'] as const;

/** A server for the window, the tray and the log: plain data, times in epoch milliseconds. */
export const serverViewSchema = z.object({
  key: z.string(),
  /** Display name, if it differs from the key. */
  title: z.string().optional(),
  transport: z.enum(serverTransports),
  status: z.enum(serverStatuses),
  /** False if the user has disabled it. */
  enabled: z.boolean(),
  /** When `status` last changed. */
  since: z.number(),
  /** When the running connection was established; absent while not connected. */
  connectedAt: z.number().optional(),
  /** User-defined tags. */
  tags: z.array(z.string()).readonly().optional(),
  favorite: z.literal(true).optional(),
  /** Start mode: with the hub, or at the first call. */
  start: z.enum(['auto', 'on-demand']),
  /** One process for all clients, or one for each. */
  isolation: z.enum(['shared', 'per-client']),
  /** Number of per-client processes. */
  instances: z.number(),
  /** Calls that its processes are working on. */
  activeCalls: z.number(),
  /** Stopped or not started because nobody uses it; its tools stay listed and a call starts it. */
  asleep: z
    .object({
      since: z.number(),
      /** Bytes that its processes used before they stopped; absent if not measured. */
      memorySaved: z.number().optional(),
    })
    .optional(),
  /** Absent while it is not running. */
  health: serverHealthSchema.optional(),
  /** See {@link serverUpdateSchema}. */
  update: serverUpdateSchema.optional(),
  /** Tools whose circuit is open: calls fail immediately until `until`, in epoch milliseconds. */
  openCircuits: z.array(z.object({ tool: z.string(), until: z.number() })).readonly(),
  /** Absent unless it is connecting; `line` is the last line of its output. */
  starting: z.object({ line: z.string().optional() }).optional(),
  /** Time of the next automatic start; absent if none is planned. */
  nextTryAt: z.number().optional(),
  /** Automatic restarts since the hub started. */
  restarts: z.number(),
  pid: z.number().optional(),
  /** Command line or URL as written in the config, without secrets. */
  target: z.string(),
  /** The executable after lookup; stdio only. */
  resolvedCommand: z.string().optional(),
  serverInfo: z.object({ name: z.string(), version: z.string(), title: z.string().optional() }).optional(),
  protocolVersion: z.string().optional(),
  /** How its running connection speaks; absent while it is not connected. */
  era: serverEraSchema.optional(),
  /** Counts of its offers; from the cache while `cached` is true. */
  counts: z.object({
    tools: z.number(),
    disabledTools: z.number(),
    resources: z.number(),
    prompts: z.number(),
  }),
  cached: z.boolean(),
  /** Quarantined tools, see `guard.ts`; absent if there are none. */
  heldTools: z.object({ waiting: z.number(), blocked: z.number() }).optional(),
  /** The current problem, if there is one. */
  problem: problemSchema.optional(),
  /** Missing values that the user can enter; absent if there are none. */
  missing: z.array(missingValueSchema).readonly().optional(),
  /** State of its sign-in; absent if it has never required one. */
  auth: z
    .object({
      signedIn: z.boolean(),
      /** True while the browser is open and its response is pending. */
      pending: z.boolean(),
      /** Start of the wait for the browser. */
      since: z.number().optional(),
      /** Set if no browser could be opened: the user has to copy the address. */
      unopened: z.literal(true).optional(),
      /** Why the last attempt failed. */
      problem: problemSchema.optional(),
    })
    .optional(),
  /** Problems that do not stop it: rejected tools, name clashes, failed lists. */
  warnings: z.array(problemSchema).readonly(),
});
export type ServerView = Readonly<z.infer<typeof serverViewSchema>>;

/** Memory of a server's whole process tree, sampled only while it is displayed. */
export const processUsageSchema = z.object({
  key: z.string(),
  /** Resident memory of all processes in bytes. */
  memory: z.number(),
  /** Percent of one core, over all processes. */
  cpu: z.number(),
  processes: z
    .array(
      z.object({
        pid: z.number(),
        parent: z.number(),
        command: z.string(),
        memory: z.number(),
        cpu: z.number(),
        /** Start time; absent if the system does not report it. */
        startedAt: z.number().optional(),
      }),
    )
    .readonly(),
});
export type ProcessUsage = Readonly<z.infer<typeof processUsageSchema>>;

export const logStreams = ['stderr', 'stdout', 'hub', 'server'] as const;

/**
 * One line of a server's log: its stderr, stray output on its stdout, the hub's actions, or its MCP log
 * messages.
 */
export const logLineSchema = z.object({
  /** Increases by one per line of this server, from 1. */
  seq: z.number(),
  at: z.number(),
  stream: z.enum(logStreams),
  text: z.string(),
});
export type LogLine = Readonly<z.infer<typeof logLineSchema>>;
