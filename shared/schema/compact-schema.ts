import { z } from 'zod';
import { type CompactSettings, maxDirectTools } from '../model/compact.ts';

/** Separate from its model, because the bridge also reads profiles but has no schema library. */
export const compactSettingsSchema = z.object({
  direct: z.int().min(0).max(maxDirectTools),
  pinned: z.array(z.string().min(1)).readonly(),
}) satisfies z.ZodType<CompactSettings>;
