import { z } from 'zod';
import { nameStyles } from '../model/client/client.ts';
import { listMethods } from '../model/mcp.ts';
import type { HeldListsParams } from './bridge-hello.ts';

/** Schema of any hello, read first so that a newer bridge gets a clear answer instead of a parse error. */
export const wireVersionSchema = z.looseObject({ patchbay: z.int() });

/** First line that a hub accepts on a connection; unknown fields of later bridges are allowed. */
export const bridgeHelloSchema = z.looseObject({
  patchbay: z.int(),
  kind: z.literal('bridge'),
  version: z.string().max(200),
  pid: z.int(),
  client: z.string().max(200).optional(),
  names: z.enum(nameStyles).optional(),
  profile: z.string().max(200).optional(),
  compact: z.boolean().optional(),
  probe: z.boolean().optional(),
  session: z.uuid().optional(),
});

/** Hello of a command instead of a bridge. */
export const adminHelloSchema = z.looseObject({
  patchbay: z.int(),
  kind: z.literal('admin'),
  version: z.string().max(200),
});

/** Params of the held-lists notification. */
export const heldListsSchema = z.object({
  lists: z.partialRecord(z.enum(listMethods), z.string().max(128)),
  announce: z.boolean(),
}) satisfies z.ZodType<HeldListsParams>;
