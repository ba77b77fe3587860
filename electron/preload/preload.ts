import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { callChannel, eventChannel } from '../../shared/ipc/channel.ts';
import type { PatchbayBridge } from '../../shared/ipc/contract.ts';

type Listener = Parameters<PatchbayBridge['on']>[1];

/**
 * The window's only access to the main process: our two channels and no other. The main process checks names
 * and inputs against the contract table, so this file knows no single call.
 */
function createBridge(): PatchbayBridge {
  const listeners = new Map<string, Set<Listener>>();
  ipcRenderer.on(eventChannel, (_event, name: string, payload) => {
    for (const listener of [...(listeners.get(name) ?? [])]) listener(payload);
  });
  return {
    call: (name, input) => ipcRenderer.invoke(callChannel, name, input),
    on(name, listener) {
      // Safe: the main process sends an event only with the payload of its row in the table.
      const entry = ((event) => listener(event as never)) as Listener;
      const group = listeners.get(name) ?? new Set();
      listeners.set(name, group.add(entry));
      return () => void group.delete(entry);
    },
    pathOf: (file) => (file instanceof File ? webUtils.getPathForFile(file) : ''),
  };
}

contextBridge.exposeInMainWorld('patchbay', createBridge());
