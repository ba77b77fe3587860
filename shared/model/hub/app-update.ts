import { z } from 'zod';
import { problemSchema } from '../../error/problem-schema.ts';

/** A newer version, as the update server announces it. */
const offerSchema = z.object({
  version: z.string(),
  /** Publication time in epoch milliseconds. */
  publishedAt: z.number().optional(),
  /** Download size in bytes. */
  size: z.number().optional(),
  /** Release notes as plain text. */
  notes: z.string().optional(),
});
export type UpdateOffer = Readonly<z.infer<typeof offerSchema>>;

/**
 * Reasons why the app cannot update itself:
 *
 * - `no-feed`: the build has no update address.
 * - `not-installed`: it runs from a folder or an archive that cannot be replaced in place.
 */
export const updateOffReasons = ['no-feed', 'not-installed'] as const;
export type UpdateOffReason = (typeof updateOffReasons)[number];

/** State of app updates. Nothing is downloaded or installed without the user's consent. */
export const appUpdateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('off'), reason: z.enum(updateOffReasons) }),
  /** No newer version is known; `checkedAt` is absent before the first check. */
  z.object({ kind: z.literal('current'), checkedAt: z.number().optional() }),
  z.object({ kind: z.literal('checking') }),
  z.object({ kind: z.literal('available'), offer: offerSchema }),
  /** `percent` is a whole number. */
  z.object({ kind: z.literal('downloading'), offer: offerSchema, percent: z.number() }),
  /** Downloaded and verified. */
  z.object({ kind: z.literal('ready'), offer: offerSchema }),
  /** The hub stops; the app restarts as the new version. */
  z.object({ kind: z.literal('installing'), offer: offerSchema }),
  /** With an offer, its download or installation failed; otherwise the check failed. */
  z.object({ kind: z.literal('failed'), problem: problemSchema, offer: offerSchema.optional() }),
]);
export type AppUpdate = Readonly<z.infer<typeof appUpdateSchema>>;
