import { z } from 'zod';
import { problemSchema } from '../../error/problem-schema.ts';

/**
 * Source of the encryption key for stored secrets: the system's keychain, our own key file, or
 * `PATCHBAY_KEY`.
 */
export const secretKeepers = ['keychain', 'key-file', 'key-env'] as const;
export type SecretKeeper = (typeof secretKeepers)[number];

/** State of the hub. */
export const hubViewSchema = z.object({
  version: z.string(),
  pid: z.number(),
  startedAt: z.number(),
  dataDir: z.string(),
  configFile: z.string(),
  /**
   * Base URL of the HTTP endpoint, for example `http://127.0.0.1:7420/mcp`; absent while it is not served.
   */
  endpoint: z.string().optional(),
  /** Revision of the current catalogue. */
  revision: z.number(),
  /** Absent while the hub is not running. */
  secretsKeptBy: z.enum(secretKeepers).optional(),
  /** Problems of the hub itself: config file broken, port in use, disk full. */
  problems: z.array(problemSchema).readonly(),
});
export type HubView = Readonly<z.infer<typeof hubViewSchema>>;

/** Label of the evidence that an earlier config can be restored. */
export const lastGoodLabel = 'last good config';
