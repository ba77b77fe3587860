import { z } from 'zod';
import { limitViewSchema } from '../model/limits.ts';
import type { IpcRows } from './parts.ts';
import { nothing } from './parts.ts';

const views = z.array(limitViewSchema).readonly();

/** Calls about the limits that users can set, one row each; see `contract.ts`. */
export const limitCalls = {
  'limits.list': { input: nothing, output: views },
  /**
   * Applies and saves a limit; null restores the default. Rejects with `hub.bad_limit`, which names the
   * limit.
   */
  'limits.set': {
    input: z.object({ name: limitViewSchema.shape.name, value: z.number().nullable() }),
    output: views,
  },
} as const satisfies IpcRows;
