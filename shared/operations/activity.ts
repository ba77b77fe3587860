import { z } from 'zod';
import {
  activityAddedSchema,
  activityCountsSchema,
  activityDetailSchema,
  activityFilterSchema,
  activityFormats,
  activityPageSchema,
} from '../model/activity/activity.ts';
import { activeCallSchema } from '../model/activity/call.ts';
import { operation } from './operation.ts';
import { nothing, undoId } from './parts.ts';

/** Operations on recorded traffic. The setting `recordActivity` turns recording on; what was recorded can be read at any time. */
export const activityOperations = {
  'activity.query': operation({
    input: z.object({
      filter: activityFilterSchema,
      /** Only rows older than this one: the last row of the previous page. */
      before: z.number().optional(),
      limit: z.int().min(1).max(500),
    }),
    output: activityPageSchema,
    doors: ['window'],
  }),
  'activity.counts': operation({
    input: z.object({ filter: activityFilterSchema }),
    output: activityCountsSchema,
    doors: ['window'],
  }),
  /** Rejects with `activity.gone` for a row that is no longer stored. */
  'activity.get': operation({
    input: z.object({ id: z.number() }),
    output: activityDetailSchema,
    doors: ['window'],
  }),
  /** Lists requests that servers are working on. */
  'activity.underway': operation({
    input: nothing,
    output: z.object({ calls: z.array(activeCallSchema).readonly() }),
    doors: ['window'],
  }),
  /**
   * Ends an active call: the client is notified that a person ended it, and the server is asked to stop.
   * Returns false if the call has ended already, or belongs to the tester.
   */
  'activity.stop': operation({
    input: z.object({ id: z.number() }),
    output: z.object({ stopped: z.boolean() }),
    doors: ['window'],
  }),
  /** Writes the rows to a file; returns their number. */
  'activity.write': operation({
    input: z.object({ filter: activityFilterSchema, format: z.enum(activityFormats), file: z.string() }),
    output: z.object({ rows: z.number() }),
    doors: [],
  }),
  /** Deletes everything; it can be undone within 15 s. */
  'activity.clear': operation({ input: nothing, output: undoId, doors: ['window'] }),
  /** Returns false if it is too late. */
  'activity.undoClear': operation({
    input: undoId,
    output: z.object({ undone: z.boolean() }),
    doors: ['window'],
  }),
};

export const activityEvents = {
  /** New rows, several times a second at most, for watchers. */
  'activity.added': activityAddedSchema,
} as const;
