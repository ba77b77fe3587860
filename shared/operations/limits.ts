import { z } from 'zod';
import { limitViewSchema } from '../model/hub/limits.ts';
import { operation } from './operation.ts';
import { nothing } from './parts.ts';

/** Operations on the configurable limits. */
export const limitOperations = {
  'limits.list': operation({
    input: nothing,
    output: z.array(limitViewSchema).readonly(),
    doors: ['window', 'rest'],
  }),
};
