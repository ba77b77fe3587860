import { activityLimits } from '../../../../shared/model/activity/activity.ts';
import { systemClock } from '../../base/clock.ts';
import { createStateDb } from '../../store/db/state-db.ts';
import type { StoredActivityOptions } from '../contract.ts';
import { activityStore } from '../store/activity-store.ts';
import { csvHead } from './csv.ts';
import { linesOf } from './export-rows.ts';

/** See {@link storedActivity}. */
export async function* readStored({ file, format, limit }: StoredActivityOptions): AsyncGenerator<string> {
  const clock = systemClock;
  const state = createStateDb({ file, clock, report: () => {} });
  try {
    // Nothing is written, so no limits are needed.
    const { rows } = activityLimits;
    const bounds = { rows, size: Number.POSITIVE_INFINITY, age: Number.POSITIVE_INFINITY };
    const store = activityStore({ state, clock, bounds });
    if (format === 'csv') yield csvHead;
    let left = limit ?? Number.POSITIVE_INFINITY;
    for await (const lines of linesOf({ store, filter: {}, after: 0, format })) {
      yield lines.slice(0, left).join('');
      left -= lines.length;
      if (left <= 0) return;
    }
  } finally {
    await state.close();
  }
}
