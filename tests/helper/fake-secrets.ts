import { Emitter } from '../../electron/engine/base/emitter.ts';
import type { Engine } from '../../electron/engine/hub/contract.ts';

type Record = (...call: unknown[]) => Promise<void>;

/** The vault of a fake engine: it is empty, and remembers what it was asked for. */
export function fakeSecrets(record: Record): Engine['secrets'] {
  return {
    list: () => ({ secrets: [], missing: [] }),
    set: (name, value, replace) => record('secrets.set', name, value, replace),
    delete: (name, force) => record('secrets.delete', name, force),
    onChange: new Emitter<never>().event,
  };
}

/** Takes values for a fake engine. */
export function fakeValues(record: Record): Engine['values'] {
  return {
    enter: async (key, place) => {
      await record('values.enter', key, place);
      return { undoId: 'u1', secret: 'API_KEY' };
    },
    setClient: async (key, client) => {
      await record('values.setClient', key, client);
      return { undoId: 'u2' };
    },
    undo: (undoId) => record('values.undo', undoId),
  };
}

const preview = { session: 's1', title: 'Text', entries: [], inputs: [], issues: [], apps: [] };

/** The importing part of a fake engine: it finds nothing, and remembers what it was asked for. */
export function fakeImports(record: Record): Engine['imports'] {
  const read = async (...call: unknown[]) => {
    await record(...call);
    return preview;
  };
  return {
    readApps: (client) => read('imports.readApps', client),
    readFiles: (files) => read('imports.readFiles', files),
    parse: (text) => read('imports.parse', text),
    add: async (choices) => {
      await record('imports.add', choices);
      return { added: [], failed: [], secrets: [], waiting: [] };
    },
    previewMove: async () => [],
    move: async (choices) => {
      await record('imports.move', choices);
      return { apps: [], undoId: 'u1' };
    },
    undo: (undoId) => record('imports.undo', undoId),
    close: (session) => void record('imports.close', session),
  };
}
