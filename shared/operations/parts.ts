import { z } from 'zod';

export const key = z.object({ key: z.string() });
export const undoId = z.object({ undoId: z.string() });
export const entry = z.record(z.string(), z.unknown());
export const nothing = z.undefined();
