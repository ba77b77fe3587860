import { Emitter } from '../../electron/engine/base/emitter.ts';
import type { Engine } from '../../electron/engine/hub/contract.ts';
import type { ConnectClient } from '../../shared/model/connect.ts';

/** The part of a fake engine that connects clients: it has none, and remembers what it was asked for. */
export function fakeConnect(record: (...call: unknown[]) => Promise<void>): Engine['connect'] {
  return {
    list: async () => [],
    setFile: (id, file) => record('connect.setFile', id, file),
    preview: async (id) => {
      await record('connect.preview', id);
      const text = { entryKey: 'patchbay', entryText: '{}', language: 'json' as const };
      return { id, previewId: 'p1', ...text, files: [], running: [], mustQuit: false };
    },
    apply: async (id, previewId) => {
      await record('connect.apply', id, previewId);
      return [];
    },
    prove: async (id) => {
      await record('connect.prove', id);
      return { ok: true, at: 1, milliseconds: 5, file: '', command: '', steps: [], transcript: [] };
    },
    quitClient: async (id) => {
      await record('connect.quitClient', id);
      return true;
    },
    undo: async (id) => {
      await record('connect.undo', id);
      return [];
    },
    takeBack: async () => [],
    accept: (id) => record('connect.accept', id),
    journal: async () => [],
    snippet: async () => ({ shown: { text: 'shown', language: 'json' }, whole: 'whole' }),
    bundleFile: async () => '/bundle.mcpb',
    check: () => record('connect.check'),
    onChange: new Emitter<never>().event,
  };
}

/** A client that was found and not connected; `changes` make it any other. */
export function connectClient(id: string, changes: Partial<ConnectClient> = {}): ConnectClient {
  return {
    id,
    title: id,
    kind: 'editor',
    status: 'found',
    files: [],
    canLocate: true,
    wipes: 0,
    pickup: 'by-itself',
    pickupText: 'It notices by itself.',
    bundle: false,
    suggestBundle: false,
    canUndo: false,
    clientNames: [],
    limits: { nameLength: 64, hearsChanges: true },
    ...changes,
  };
}
