import { z } from 'zod';
import { guardModes } from '../model/tool/guard.ts';

/** Sign-in options of a remote server, for services that do not register clients automatically. */
export const oauthOptionsSchema = z.looseObject({
  /** A client registered by hand. */
  clientId: z.string().min(1).optional(),
  clientSecret: z.string().min(1).optional(),
  /** Address of the user's own client id metadata document. */
  clientMetadataUrl: z.string().optional(),
  scopes: z.array(z.string()).optional(),
  /** Port of the redirect address on this machine, if a fixed one was registered. */
  callbackPort: z.number().int().min(1).max(65_535).optional(),
  /** The registered redirect address, if the service compares more than the path. */
  redirectUri: z
    .string()
    .regex(/^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:\/[\w./~-]*)?$/, {
      error:
        'must be an address on this machine: http://localhost or http://127.0.0.1, with optional port and path',
    })
    .refine((address) => Number(/:(\d{1,5})(?:\/|$)/.exec(address)?.[1] ?? 0) < 65_536, {
      error: 'must be an address with a port below 65536',
    })
    .optional(),
  /**
   * If false, the service is not told which server the token is for; some services reject that parameter with
   * an error page.
   */
  resource: z.boolean().optional(),
});

const milliseconds = z.number().int().positive();

/** Our own options of an entry, under its `patchbay` key so that other programs ignore them. */
export const entryOptionsSchema = z.looseObject({
  /**
   * `always` (default): restart after a crash, with backoff. `never`: stay down until restarted by the user.
   */
  restart: z.enum(['always', 'never']).optional(),
  /** `auto` (default): starts with the hub. `on-demand`: at its first call; its tools stay listed from the cache. */
  start: z.enum(['auto', 'on-demand']).optional(),
  /**
   * Idle time in milliseconds before it is put to sleep; `false`: never. Default: ten minutes for
   * `on-demand`, else never.
   */
  idleStop: z
    .union([milliseconds, z.literal(false)], {
      error: 'must be a whole number of milliseconds greater than 0, or false',
    })
    .optional(),
  /**
   * `shared` (default): one process for all clients. `per-client`: one for each session, stopped with it.
   */
  isolation: z.enum(['shared', 'per-client']).optional(),
  /**
   * How the server is spoken to. `auto` (default): as it says when it is asked. `legacy`: with sessions, without
   * asking. `modern`: stateless, or not at all.
   */
  protocol: z.enum(['auto', 'legacy', 'modern']).optional(),
  /** Maximum number of processes for `per-client`, 32 by default; more clients are refused. */
  maxInstances: z.number().int().positive().optional(),
  /** Checked with GET instead of a ping; any 2xx response is healthy. */
  healthCheckUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** Milliseconds between health checks, 30,000 by default, and their timeout, 5,000 by default. */
  healthInterval: milliseconds.optional(),
  healthTimeout: milliseconds.optional(),
  /** Maximum number of concurrent calls; more are queued. Unlimited by default. */
  concurrency: z.number().int().positive().optional(),
  /**
   * Fallbacks by tool: canonical ids (`server:tool`), tried in this order when the tool cannot be called.
   */
  fallback: z.record(z.string(), z.array(z.string())).optional(),
  /** Names of disabled tools; they are not listed and calls to them are refused. */
  disabledTools: z.array(z.string()).optional(),
  /** Names of the only tools that clients may use; all others count as disabled. */
  enabledTools: z.array(z.string()).optional(),
  /** Treatment of new and changed tool definitions; `changes` by default. See {@link guardModes}. */
  guard: z.enum(guardModes).optional(),
  /** Display name; tool names still use the key. */
  title: z.string().optional(),
  /** User-defined tags. */
  tags: z.array(z.string()).optional(),
  /** Listed before the others. */
  favorite: z.boolean().optional(),
  oauth: oauthOptionsSchema.optional(),
});

/** Runs the checks of a whole entry even if one of its fields is invalid. */
const always = {
  when: ({ value }: { readonly value: unknown }) =>
    typeof value === 'object' && value !== null && !Array.isArray(value),
};

const isRemote = (type: string | undefined) => type !== undefined && type !== 'stdio';

/** No system can hand a null character to a program. */
const programText = z.string().refine((text) => !text.includes('\0'), 'must not contain a null character');

/**
 * One entry of `mcpServers` as it is in a file, before variables are expanded. Unknown keys are kept. Exactly
 * one of `command` and `url` determines the kind of server.
 */
export const serverEntrySchema = z
  .looseObject({
    type: z.enum(['stdio', 'http', 'sse', 'streamable-http', 'streamableHttp', 'streamable_http']).optional(),
    command: programText.min(1, 'command must not be empty').optional(),
    args: z.array(programText).optional(),
    env: z.record(z.string(), programText).optional(),
    cwd: programText.optional(),
    envFile: programText.optional(),
    url: z.string().min(1, 'url must not be empty').optional(),
    headers: z.record(z.string(), z.string()).optional(),
    disabled: z.boolean().optional(),
    /** Timeout of a call in milliseconds; none by default. */
    timeout: z.number().positive().optional(),
    patchbay: entryOptionsSchema.optional(),
  })
  // Checks below run despite other errors, so that all errors are reported at once.
  .refine((entry) => entry.command !== undefined || entry.url !== undefined, {
    ...always,
    path: ['command'],
    error: 'command (or url) is required',
  })
  .refine((entry) => entry.command === undefined || entry.url === undefined, {
    ...always,
    path: ['url'],
    error: 'command and url cannot be used together',
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
