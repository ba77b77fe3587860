import { z } from 'zod';
import { problemSchema } from '../error/problem-schema.ts';
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

export const serverTransports = ['stdio', 'http', 'sse'] as const;

/** A server as the window, the tray and the log see it: plain data, times in epoch milliseconds. */
export const serverViewSchema = z.object({
  key: z.string(),
  /** Name for people, where it is another than the key. */
  title: z.string().optional(),
  transport: z.enum(serverTransports),
  status: z.enum(serverStatuses),
  /** The user's wish: false while switched off. */
  enabled: z.boolean(),
  /** When `status` last changed. */
  since: z.number(),
  /** When the running connection was established; absent while not connected. */
  connectedAt: z.number().optional(),
  /** What a person sorts their servers by. */
  tags: z.array(z.string()).readonly().optional(),
  favorite: z.literal(true).optional(),
  /** When it starts: with the hub, or at its first call. */
  start: z.enum(['auto', 'on-demand']),
  /** One process for all clients, or one for each. */
  isolation: z.enum(['shared', 'per-client']),
  /** Processes that clients have of their own, for `per-client`. */
  instances: z.number(),
  /** Calls its processes are at work on. */
  activeCalls: z.number(),
  /** Ended because nobody used it, or not started because nobody has; its tools stay listed and a call starts it. */
  asleep: z
    .object({
      since: z.number(),
      /** Bytes its processes held before they ended; absent if that was not measured. */
      memorySaved: z.number().optional(),
    })
    .optional(),
  /** Absent while it does not run. */
  health: serverHealthSchema.optional(),
  /** See {@link serverUpdateSchema}. */
  update: serverUpdateSchema.optional(),
  /** Tools whose circuit is open: calls are refused at once until `until`, epoch milliseconds. */
  openCircuits: z.array(z.object({ tool: z.string(), until: z.number() })).readonly(),
  /** Absent unless it is connecting; `line` is what its program said last. */
  starting: z.object({ line: z.string().optional() }).optional(),
  /** When the next automatic start will be tried; absent if none is planned. */
  nextTryAt: z.number().optional(),
  /** Automatic restarts since the hub started. */
  restarts: z.number(),
  pid: z.number().optional(),
  /** Command line or URL with secrets left out, as typed in the config. */
  target: z.string(),
  /** The file that really runs, after looking it up; stdio only. */
  resolvedCommand: z.string().optional(),
  serverInfo: z.object({ name: z.string(), version: z.string(), title: z.string().optional() }).optional(),
  protocolVersion: z.string().optional(),
  /** What it offers; from the cache while `cached` is true. */
  counts: z.object({
    tools: z.number(),
    disabledTools: z.number(),
    resources: z.number(),
    prompts: z.number(),
  }),
  cached: z.boolean(),
  /** Tools that clients do not get, see `guard.ts`; absent where there are none. */
  heldTools: z.object({ waiting: z.number(), blocked: z.number() }).optional(),
  /** What is wrong, if anything is. */
  problem: problemSchema.optional(),
  /** What it lacks that can be entered; absent where nothing is missing. */
  missing: z.array(missingValueSchema).readonly().optional(),
  /** How its sign-in stands; absent for a server that has never asked for one. */
  auth: z
    .object({
      signedIn: z.boolean(),
      /** The browser is open and its answer awaited. */
      pending: z.boolean(),
      /** When the wait for it began. */
      since: z.number().optional(),
      /** No browser could be opened: the address has to be copied. */
      unopened: z.literal(true).optional(),
      /** Why the last attempt failed. */
      problem: problemSchema.optional(),
    })
    .optional(),
  /** Problems that do not stop it: refused tools, name clashes, unlisted kinds. */
  warnings: z.array(problemSchema).readonly(),
});
export type ServerView = Readonly<z.infer<typeof serverViewSchema>>;

/** Memory of a server's whole process tree, sampled only while somebody looks. */
export const processUsageSchema = z.object({
  key: z.string(),
  /** Bytes of resident memory over all processes. */
  memory: z.number(),
  /** Per cent of one core over all processes. */
  cpu: z.number(),
  processes: z
    .array(
      z.object({
        pid: z.number(),
        parent: z.number(),
        command: z.string(),
        memory: z.number(),
        cpu: z.number(),
        /** When it was started; absent where the system does not tell. */
        startedAt: z.number().optional(),
      }),
    )
    .readonly(),
});
export type ProcessUsage = Readonly<z.infer<typeof processUsageSchema>>;

export const logStreams = ['stderr', 'stdout', 'hub', 'server'] as const;

/** One line of a server's log: its stderr, noise on its stdout, what the hub did, or its MCP log messages. */
export const logLineSchema = z.object({
  /** Grows by one per line of this server, from 1. */
  seq: z.number(),
  at: z.number(),
  stream: z.enum(logStreams),
  text: z.string(),
});
export type LogLine = Readonly<z.infer<typeof logLineSchema>>;
