import { z } from 'zod';
import { problemSchema } from '../error/problem-schema.ts';

/** A newer version, as the server of updates announces it. */
const offerSchema = z.object({
  version: z.string(),
  /** When it was published, epoch milliseconds. */
  publishedAt: z.number().optional(),
  /** Bytes to download. */
  size: z.number().optional(),
  /** What is new, as plain text. */
  notes: z.string().optional(),
});
export type UpdateOffer = Readonly<z.infer<typeof offerSchema>>;

/**
 * Why there are no updates from within the app:
 *
 * - `no-feed`: the build was made without an address to ask.
 * - `not-installed`: it runs from a folder or an archive, which nothing can replace in its place.
 */
export const updateOffReasons = ['no-feed', 'not-installed'] as const;
export type UpdateOffReason = (typeof updateOffReasons)[number];

/** How the app stands to newer versions of itself. Nothing is downloaded or installed without a person's word. */
export const appUpdateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('off'), reason: z.enum(updateOffReasons) }),
  /** Nothing newer, as far as is known; `checkedAt` is absent before the first look. */
  z.object({ kind: z.literal('current'), checkedAt: z.number().optional() }),
  z.object({ kind: z.literal('checking') }),
  z.object({ kind: z.literal('available'), offer: offerSchema }),
  /** `percent` is whole. */
  z.object({ kind: z.literal('downloading'), offer: offerSchema, percent: z.number() }),
  /** Downloaded and found to be what was announced. */
  z.object({ kind: z.literal('ready'), offer: offerSchema }),
  /** The hub stops; the app comes back as the new version. */
  z.object({ kind: z.literal('installing'), offer: offerSchema }),
  /** With an offer, that is what failed; else the look for one. */
  z.object({ kind: z.literal('failed'), problem: problemSchema, offer: offerSchema.optional() }),
]);
export type AppUpdate = Readonly<z.infer<typeof appUpdateSchema>>;
