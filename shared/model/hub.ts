import { z } from 'zod';
import { problemSchema } from '../error/problem-schema.ts';

/** What encrypts stored secrets: the system's keychain, a key file of our own, or `PATCHBAY_KEY`. */
export const secretKeepers = ['keychain', 'key-file', 'key-env'] as const;
export type SecretKeeper = (typeof secretKeepers)[number];

/** The hub as a whole. */
export const hubViewSchema = z.object({
  version: z.string(),
  pid: z.number(),
  startedAt: z.number(),
  dataDir: z.string(),
  configFile: z.string(),
  /** The base of the HTTP endpoint, for example `http://127.0.0.1:7420/mcp`; absent while it is not served. */
  endpoint: z.string().optional(),
  /** Revision of the catalogue now served. */
  revision: z.number(),
  /** Absent while the hub does not run. */
  secretsKeptBy: z.enum(secretKeepers).optional(),
  /** What is wrong with the hub itself: config file broken, port taken, data folder full. */
  problems: z.array(problemSchema).readonly(),
});
export type HubView = Readonly<z.infer<typeof hubViewSchema>>;

/** Labels the evidence of a broken config that an earlier one can be restored. */
export const lastGoodLabel = 'last good config';
