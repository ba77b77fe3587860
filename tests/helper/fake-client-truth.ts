import type { Engine } from '../../electron/engine/hub/contract.ts';

/** What a fake engine knows of clients: that each of them gets nothing. */
export function fakeClientTruth(record: (...call: unknown[]) => Promise<void>): Engine['clientTruth'] {
  return {
    detail: async (id) => {
      await record('clientTruth.detail', id);
      return {
        id,
        name: 'claude-ai',
        connected: true,
        nameStyle: 'safe',
        honoursListChanged: true,
        revision: 1,
        list: 'none',
        tools: [],
        leftOut: [],
        withheld: { disabled: 0, held: 0 },
        compact: { settings: { direct: 0, pinned: [] }, tools: 0 },
        fixes: [],
      };
    },
    weigh: async (id) => {
      await record('clientTruth.weigh', id);
      return { total: 0, byName: {}, compact: { whole: 0, short: 0, perTool: 0 } };
    },
    notify: (id) => void record('clientTruth.notify', id),
    known: async () => [],
  };
}
