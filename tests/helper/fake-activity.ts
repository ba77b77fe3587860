import { Emitter } from '../../electron/engine/base/emitter.ts';
import type { Engine } from '../../electron/engine/hub/contract.ts';
import type { ActivityAdded } from '../../shared/model/activity.ts';

/** The part of a fake engine that records: nothing ever happened. */
export function fakeActivity(
  record: (...call: unknown[]) => Promise<void>,
  added = new Emitter<ActivityAdded>(),
): Engine['activity'] {
  const none = { kinds: [], clients: [], servers: [], names: [], methods: [], outcomes: [] };
  return {
    query: async (query) => {
      await record('activity.query', query);
      return { rows: [], hasMore: false };
    },
    counts: async () => ({ total: 0, kept: 0, ...none }),
    get: async (id) => ({ row: { id, at: 1, kind: 'call', outcome: 'ok' }, isCut: false }),
    underway: () => [],
    stop: () => false,
    onAdded: added.event,
    export: async (wish) => {
      await record('activity.export', wish);
      return 3;
    },
    clear: async () => {
      await record('activity.clear');
      return 'cleared-1';
    },
    undoClear: async (undoId) => {
      await record('activity.undoClear', undoId);
      return true;
    },
    record: (on) => void record('activity.record', on),
  };
}
