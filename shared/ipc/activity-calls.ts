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
 * Calls about what went through the hub, one row each; see `contract.ts`. Whether anything is recorded is the setting
 * `recordActivity`. What is kept can be asked for while it is turned off, too.
 */
export const activityCalls = {
  'activity.query': {
    input: z.object({
      filter: activityFilterSchema,
      /** Only those older than this one: the last of the page before. */
      before: z.number().optional(),
      limit: z.int().min(1).max(500),
    }),
    output: activityPageSchema,
  },
  'activity.counts': { input: z.object({ filter: activityFilterSchema }), output: activityCountsSchema },
  /** Rejects with `activity.gone` for a row that is no longer kept. */
  'activity.get': { input: z.object({ id: z.number() }), output: activityDetailSchema },
  /** Requests that servers are at work on. */
  'activity.underway': { input: nothing, output: z.object({ calls: z.array(activeCallSchema).readonly() }) },
  /**
   * Ends one of them: its client is answered that somebody has, its server told to stop. False where it has ended already,
   * or is the tester's own.
   */
  'activity.stop': { input: z.object({ id: z.number() }), output: z.object({ stopped: z.boolean() }) },
  /** From now on `activity.added` events follow until `activity.unwatch`. */
  'activity.watch': { input: nothing, output: nothing },
  'activity.unwatch': { input: nothing, output: nothing },
  /** Opens a dialog for the file; `saved` is false when it was cancelled. */
  'activity.export': {
    input: z.object({ filter: activityFilterSchema, format: z.enum(activityFormats) }),
    output: z.object({ saved: z.boolean(), rows: z.number() }),
  },
  /** Forgets everything; within 15 s it can be taken back. */
  'activity.clear': { input: nothing, output: z.object({ undoId: z.string() }) },
  /** False when it is too late. */
  'activity.undoClear': {
    input: z.object({ undoId: z.string() }),
    output: z.object({ undone: z.boolean() }),
  },
} as const satisfies IpcRows;

export const activityEvents = {
  /** What came, several times a second at most, to whoever watches. */
  'activity.added': activityAddedSchema,
} as const;
