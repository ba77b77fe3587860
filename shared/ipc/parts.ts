import { z } from 'zod';

/** Type of the rows of the contract table. */
export type IpcRows = Readonly<Record<string, { readonly input: z.ZodType; readonly output: z.ZodType }>>;

export const key = z.object({ key: z.string() });
export const entry = z.record(z.string(), z.unknown());
export const nothing = z.undefined();
