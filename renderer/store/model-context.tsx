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
  if (model === undefined) throw new Error('A component that needs the model stands outside ModelProvider.');
  return model;
}

export function useServers<T>(select: (servers: ServersMirror) => T): T {
  return useStore(useModel().mirrors.servers, select);
}

/** A server's name for people; its key where it has no other, or is gone. */
export function useServerTitle(key: string): string {
  return useServers(({ byKey }) => titleIn(byKey, key));
}

/** The same for any key: for filters, and for words made of several names. */
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

/** Where a server's switch stands: the user's unconfirmed wish, else what the engine says. */
export function useServerSwitch(server: Pick<ServerView, 'key' | 'enabled'>): boolean {
  return useStore(useModel().serverWishes, (wishes) => wishes.byId[server.key]?.enabled ?? server.enabled);
}

/** Where a tool's switch stands. */
export function useToolSwitch(tool: Pick<ToolSummary, 'serverKey' | 'name' | 'enabled'>): boolean {
  return useStore(useModel().toolWishes, (wishes) => wishes.byId[toolId(tool)]?.enabled ?? tool.enabled);
}

/** A text that depends on the time; the component renders again only when the text itself changes. */
export function useTimeText(text: (now: number) => string): string {
  const { ticker } = useModel();
  return useSyncExternalStore(ticker.subscribe, () => text(ticker.now()));
}
