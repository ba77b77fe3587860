import { z } from 'zod';
import { limitViewSchema } from '../model/limits.ts';
import type { IpcRows } from './parts.ts';
import { nothing } from './parts.ts';

const views = z.array(limitViewSchema).readonly();

/** Calls about the numbers people may set, one row each; see `contract.ts`. */
export const limitCalls = {
  'limits.list': { input: nothing, output: views },
  /** In force and saved; null takes the setting out. Rejects with `hub.bad_limit`, naming it. */
  'limits.set': {
    input: z.object({ name: limitViewSchema.shape.name, value: z.number().nullable() }),
    output: views,
  },
} as const satisfies IpcRows;
