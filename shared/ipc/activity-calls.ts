import { z } from 'zod';
import {
  activityAddedSchema,
  activityCountsSchema,
  activityDetailSchema,
  activityFilterSchema,
  activityFormats,
  activityPageSchema,
} from '../model/activity.ts';
import { activeCallSchema } from '../model/call.ts';
import { type IpcRows, nothing } from './parts.ts';

/**
 * Calls about activity records, one row each; see `contract.ts`. The setting `recordActivity` turns recording
 * on and off; saved records can be queried either way.
 */
export const activityCalls = {
  'activity.query': {
    input: z.object({
      filter: activityFilterSchema,
      /** Returns only records older than this id: the last one of the previous page. */
      before: z.number().optional(),
      limit: z.int().min(1).max(500),
    }),
    output: activityPageSchema,
  },
  'activity.counts': { input: z.object({ filter: activityFilterSchema }), output: activityCountsSchema },
  /** Rejects with `activity.gone` if the record has been deleted. */
  'activity.get': { input: z.object({ id: z.number() }), output: activityDetailSchema },
  /** Requests that servers are working on. */
  'activity.underway': { input: nothing, output: z.object({ calls: z.array(activeCallSchema).readonly() }) },
  /**
   * Stops a call: the client gets an error saying that it was stopped, the server gets a cancellation. False
   * if the call has already ended or belongs to the tester.
   */
  'activity.stop': { input: z.object({ id: z.number() }), output: z.object({ stopped: z.boolean() }) },
  /** Starts `activity.added` events, until `activity.unwatch`. */
  'activity.watch': { input: nothing, output: nothing },
  'activity.unwatch': { input: nothing, output: nothing },
  /** Opens a dialog for the file; `saved` is false when it was cancelled. */
  'activity.export': {
    input: z.object({ filter: activityFilterSchema, format: z.enum(activityFormats) }),
    output: z.object({ saved: z.boolean(), rows: z.number() }),
  },
  /** Deletes all records; can be undone within 15 s. */
  'activity.clear': { input: nothing, output: z.object({ undoId: z.string() }) },
  /** False if it is too late to undo. */
  'activity.undoClear': {
    input: z.object({ undoId: z.string() }),
    output: z.object({ undone: z.boolean() }),
  },
} as const satisfies IpcRows;

export const activityEvents = {
  /** New records, sent to watchers a few times a second at most. */
  'activity.added': activityAddedSchema,
} as const;
