import { Emitter } from '../../electron/engine/base/emitter.ts';
import type { Engine } from '../../electron/engine/hub/contract.ts';

/** The profiles of a fake engine: there are none, and it remembers what it was asked for. */
export function fakeProfiles(record: (...call: unknown[]) => Promise<void>): Engine['profiles'] {
  return {
    list: () => ({ profiles: [], clients: {} }),
    create: (name, copyOf) => record('profiles.create', name, copyOf),
    rename: (name, newName) => record('profiles.rename', name, newName),
    delete: async (name, force) => {
      await record('profiles.delete', name, force);
      return 'undo-1';
    },
    undo: (undoId) => record('profiles.undo', undoId),
    select: (name, servers) => record('profiles.select', name, servers),
    setTools: (name, serverKey, names, on) => record('profiles.setTools', name, serverKey, names, on),
    assign: (client, profile) => record('profiles.assign', client, profile),
    setCompact: (wish) => record('profiles.setCompact', wish),
    onChange: new Emitter<never>().event,
  };
}
