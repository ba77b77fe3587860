import { z } from 'zod';
import { type CompactSettings, mostDirect } from '../model/compact.ts';

/** Apart from its model, because the bridge, which reads profiles too, carries no schema library. */
export const compactSettingsSchema = z.object({
  direct: z.int().min(0).max(mostDirect),
  pinned: z.array(z.string().min(1)).readonly(),
}) satisfies z.ZodType<CompactSettings>;
