import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react';
import { useStore } from 'zustand/react';
import type { ClientView } from '../../shared/model/client.ts';
import type { ServerView } from '../../shared/model/server.ts';
import type { ToolSummary } from '../../shared/model/tool.ts';
import type { ServersMirror } from './mirror-store.ts';
import type { Model } from './model.ts';
import { titleIn } from './server-title.ts';
import { toolId } from './tool-id.ts';
import type { ViewState } from './view-store.ts';

const ModelContext = createContext<Model | undefined>(undefined);

export function ModelProvider({ model, children }: { model: Model; children: ReactNode }) {
  return <ModelContext value={model}>{children}</ModelContext>;
}

export function useModel(): Model {
  const model = useContext(ModelContext);
  if (model === undefined) throw new Error('useModel must be used inside ModelProvider.');
  return model;
}

export function useServers<T>(select: (servers: ServersMirror) => T): T {
  return useStore(useModel().mirrors.servers, select);
}

/** Returns a server's display name; its key if it has none or is gone. */
export function useServerTitle(key: string): string {
  return useServers(({ byKey }) => titleIn(byKey, key));
}

/** Returns a function for the display name of any key, for filters and combined texts. */
export function useTitleOf(): (key: string) => string {
  const byKey = useServers((servers) => servers.byKey);
  return (key) => titleIn(byKey, key);
}

export function useClients(): readonly ClientView[] {
  return useStore(useModel().mirrors.clients, (clients) => clients);
}

export function useView<T>(select: (view: ViewState) => T): T {
  return useStore(useModel().view, select);
}

/** State of a server's switch: the pending change, else the engine's state. */
export function useServerSwitch(server: Pick<ServerView, 'key' | 'enabled'>): boolean {
  return useStore(
    useModel().pendingServerSwitches,
    (wishes) => wishes.byId[server.key]?.enabled ?? server.enabled,
  );
}

/** State of a tool's switch. */
export function useToolSwitch(tool: Pick<ToolSummary, 'serverKey' | 'name' | 'enabled'>): boolean {
  return useStore(
    useModel().pendingToolSwitches,
    (wishes) => wishes.byId[toolId(tool)]?.enabled ?? tool.enabled,
  );
}

/** Returns a time-dependent text; the component renders again only when the text changes. */
export function useTimeText(text: (now: number) => string): string {
  const { ticker } = useModel();
  return useSyncExternalStore(ticker.subscribe, () => text(ticker.now()));
}
