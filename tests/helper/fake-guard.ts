import { Emitter } from '../../electron/engine/base/emitter.ts';
import type { Engine } from '../../electron/engine/hub/contract.ts';

/** The guard of a fake engine: it holds nothing, and remembers what it was asked for. */
export function fakeGuard(record: (...call: unknown[]) => Promise<void>): Engine['guard'] {
  return {
    list: () => ({ held: [] }),
    review: async (serverKey, name, digest) => {
      await record('guard.review', serverKey, name, digest);
      return { serverKey, name, digest: 'd', state: 'approved', parts: [], isBeforeLost: false, flags: [] };
    },
    decide: async (serverKey, tools, decision) => {
      await record('guard.decide', serverKey, tools, decision);
      return 'undo-1';
    },
    undo: (undoId) => record('guard.undo', undoId),
    onChange: new Emitter<never>().event,
  };
}
