import { z } from 'zod';
import { guardModes } from '../model/guard.ts';

/** How a remote server's user signs in, for services that do not take new clients by themselves. */
export const oauthOptionsSchema = z.looseObject({
  /** A client registered by hand. */
  clientId: z.string().min(1).optional(),
  clientSecret: z.string().min(1).optional(),
  /** Address of a client id metadata document of one's own. */
  clientMetadataUrl: z.string().optional(),
  scopes: z.array(z.string()).optional(),
  /** Port of the redirect address on this machine, where a fixed one was registered. */
  callbackPort: z.number().int().min(1).max(65_535).optional(),
  /** The redirect address as it was registered, where the service compares more of it than the path. */
  redirectUri: z
    .string()
    .regex(/^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:\/[\w./~-]*)?$/, {
      error: 'must be an address of this machine: http://localhost or http://127.0.0.1, a port, a path',
    })
    .refine((address) => Number(/:(\d{1,5})(?:\/|$)/.exec(address)?.[1] ?? 0) < 65_536, {
      error: 'must be an address with a port below 65536',
    })
    .optional(),
  /** False: the service is not told which server the token is for, where it refuses that on a page of its own. */
  resource: z.boolean().optional(),
});

const milliseconds = z.number().int().positive();

/** Our own options of an entry; they sit under its `patchbay` key so that other programs ignore them. */
export const entryOptionsSchema = z.looseObject({
  /** `always` (default): restart after a crash, with backoff. `never`: stay down until told. */
  restart: z.enum(['always', 'never']).optional(),
  /** `auto` (default): starts with the hub. `on-demand`: at its first call; its tools stay listed from the cache. */
  start: z.enum(['auto', 'on-demand']).optional(),
  /** Milliseconds without a call after which it is put to sleep; `false`: never. Ten minutes for `on-demand`, else never. */
  idleStop: z
    .union([milliseconds, z.literal(false)], {
      error: 'must be a whole number of milliseconds greater than 0, or false',
    })
    .optional(),
  /** `shared` (default): one process for all clients. `per-client`: one for each session, ending with it. */
  isolation: z.enum(['shared', 'per-client']).optional(),
  /** Processes there may be at one time for `per-client`, 32 by default; a client beyond them is refused. */
  maxInstances: z.number().int().positive().optional(),
  /** Asked with GET instead of a ping; any 2xx answer is good. */
  healthCheckUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** Milliseconds between health checks, 30,000 by default, and for the answer, 5,000 by default. */
  healthInterval: milliseconds.optional(),
  healthTimeout: milliseconds.optional(),
  /** Calls under way at one time; more wait their turn. No limit by default. */
  concurrency: z.number().int().positive().optional(),
  /** By tool: canonical ids (`server:tool`) asked in this order when it cannot be called. */
  fallback: z.record(z.string(), z.array(z.string())).optional(),
  /** Names of tools switched off; they leave every list and are refused at call time. */
  disabledTools: z.array(z.string()).optional(),
  /** Names of the only tools that clients may have; any other one is as good as switched off. */
  enabledTools: z.array(z.string()).optional(),
  /** What becomes of tools whose definition is new or has changed; `changes` by default. See {@link guardModes}. */
  guard: z.enum(guardModes).optional(),
  /** Name for people; the key stays what tools are called by. */
  title: z.string().optional(),
  /** What a person sorts their servers by. */
  tags: z.array(z.string()).optional(),
  /** Stands before the others in lists. */
  favorite: z.boolean().optional(),
  oauth: oauthOptionsSchema.optional(),
});

/** Checks of a whole entry run even when one of its fields is wrong. */
const always = {
  when: ({ value }: { readonly value: unknown }) =>
    typeof value === 'object' && value !== null && !Array.isArray(value),
};

const isRemote = (type: string | undefined) => type !== undefined && type !== 'stdio';

/**
 * One entry of `mcpServers` as it stands in a file, before variables are expanded. Unknown keys are kept.
 * Exactly one of `command` and `url` says which kind of server it is.
 */
export const serverEntrySchema = z
  .looseObject({
    type: z.enum(['stdio', 'http', 'sse', 'streamable-http', 'streamableHttp', 'streamable_http']).optional(),
    command: z.string().min(1, 'command must not be empty').optional(),
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.string()).optional(),
    cwd: z.string().optional(),
    envFile: z.string().optional(),
    url: z.string().min(1, 'url must not be empty').optional(),
    headers: z.record(z.string(), z.string()).optional(),
    disabled: z.boolean().optional(),
    /** Milliseconds allowed for one call; none by default. */
    timeout: z.number().positive().optional(),
    patchbay: entryOptionsSchema.optional(),
  })
  // These hold beside whatever else is wrong, so that all errors are told at once.
  .refine((entry) => entry.command !== undefined || entry.url !== undefined, {
    ...always,
    path: ['command'],
    error: 'command (or url) is required',
  })
  .refine((entry) => entry.command === undefined || entry.url === undefined, {
    ...always,
    path: ['url'],
    error: 'command and url exclude each other',
  })
  .refine((entry) => entry.type !== 'stdio' || entry.command !== undefined || entry.url === undefined, {
    ...always,
    path: ['type'],
    error: 'type stdio needs a command, not a url',
  })
  .refine((entry) => !isRemote(entry.type) || entry.url !== undefined || entry.command === undefined, {
    ...always,
    path: ['type'],
    error: 'this type needs a url, not a command',
  });

export type ServerEntry = z.infer<typeof serverEntrySchema>;

/** A server key: any non-empty text without `:`, which separates key and tool in a canonical id. */
export const serverKeySchema = z
  .string()
  .min(1, 'a server key must not be empty')
  .refine(
    (key) => !key.includes(':'),
    'a server key must not contain ":", which separates key and tool name',
  );
