import { z } from 'zod';

const key = z.string();

/** One of several config changes that are made and undone together. */
export const serverChangeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('switch'), key, enabled: z.boolean() }),
  z.object({ kind: z.literal('tools'), key, names: z.array(z.string()).readonly(), enabled: z.boolean() }),
  z.object({ kind: z.literal('tags'), key, tags: z.array(z.string().min(1).max(40)).max(20).readonly() }),
  z.object({ kind: z.literal('favorite'), key, favorite: z.boolean() }),
  z.object({ kind: z.literal('remove'), key }),
]);
export type ServerChange = Readonly<z.infer<typeof serverChangeSchema>>;
