import { z } from 'zod';
import { nameStyles } from '../model/client.ts';
import { type HeldListsParams, listMethods } from './bridge-hello.ts';

/** Any hello: read first, so that a newer bridge gets a clear answer instead of a parse error. */
export const wireVersionSchema = z.looseObject({ patchbay: z.int() });

/** What a hub accepts as the first line of a connection; unknown fields of a later bridge are let through. */
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

/** A command instead of a bridge. */
export const adminHelloSchema = z.looseObject({
  patchbay: z.int(),
  kind: z.literal('admin'),
  version: z.string().max(200),
});

/** Parameters of the held-lists notice. */
export const heldListsSchema = z.object({
  lists: z.partialRecord(z.enum(listMethods), z.string().max(128)),
  announce: z.boolean(),
}) satisfies z.ZodType<HeldListsParams>;
