import type { ActivityFormat } from '../../../shared/model/activity.ts';
import type { IpcHandlers } from './dispatcher.ts';
import type { HandlerContext } from './handlers.ts';

/** Handles the calls of `activity-calls.ts`, in the same order. */
export function activityHandlers({ engine, system, watches }: HandlerContext) {
  const { activity } = engine;
  return {
    'activity.query': (query) => activity.query(query),
    'activity.counts': ({ filter }) => activity.counts(filter),
    'activity.get': ({ id }) => activity.get(id),
    'activity.underway': () => ({ calls: activity.underway() }),
    'activity.stop': ({ id }) => ({ stopped: activity.stop(id) }),
    'activity.watch': () => watches.watchActivity(true),
    'activity.unwatch': () => watches.watchActivity(false),
    'activity.export': async ({ filter, format }) => {
      const file = await system.chooseTarget('Export activity', exportName(format));
      if (file === undefined) return { saved: false, rows: 0 };
      return { saved: true, rows: await activity.export({ filter, format, file }) };
    },
    'activity.clear': async () => ({ undoId: await activity.clear() }),
    'activity.undoClear': async ({ undoId }) => ({ undone: await activity.undoClear(undoId) }),
  } satisfies Partial<IpcHandlers>;
}

function exportName(format: ActivityFormat): string {
  return `patchbay-activity.${format}`;
}
