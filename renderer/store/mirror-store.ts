import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ApprovalRequest } from '../../shared/model/access/access.ts';
import type { ClientView } from '../../shared/model/client/client.ts';
import type { ProfilesView } from '../../shared/model/client/profile.ts';
import type { HubView } from '../../shared/model/hub/hub.ts';
import type { ProcessUsage, ServerView } from '../../shared/model/server/server.ts';
import type { ToolSummary } from '../../shared/model/tool/tool.ts';
import type { Settings } from '../../shared/schema/settings.ts';
import { groupBy } from '../lib/group-by.ts';

/** Servers by key, and their order in the config file. */
export interface ServersMirror {
  readonly byKey: Readonly<Record<string, ServerView>>;
  readonly order: readonly string[];
}

/**
 * The window's copy of the engine's state. Only the bridge folder writes it, from events of the main process.
 */
export interface Mirrors {
  readonly hub: StoreApi<HubView | undefined>;
  readonly servers: StoreApi<ServersMirror>;
  readonly tools: StoreApi<Readonly<Record<string, readonly ToolSummary[]>>>;
  readonly clients: StoreApi<readonly ClientView[]>;
  readonly profiles: StoreApi<ProfilesView>;
  /** Calls that wait for approval, oldest first. */
  readonly approvals: StoreApi<readonly ApprovalRequest[]>;
  readonly settings: StoreApi<Settings | undefined>;
  readonly usage: StoreApi<Readonly<Record<string, ProcessUsage>>>;
}

export function createMirrors(): Mirrors {
  return {
    hub: createStore(() => undefined as HubView | undefined),
    servers: createStore((): ServersMirror => ({ byKey: {}, order: [] })),
    tools: createStore((): Readonly<Record<string, readonly ToolSummary[]>> => ({})),
    clients: createStore((): readonly ClientView[] => []),
    profiles: createStore((): ProfilesView => ({ profiles: [], clients: {} })),
    approvals: createStore((): readonly ApprovalRequest[] => []),
    settings: createStore(() => undefined as Settings | undefined),
    usage: createStore((): Readonly<Record<string, ProcessUsage>> => ({})),
  };
}

/** Merges a change: changed servers are replaced, others keep their objects, removed ones are dropped. */
export function mergeServers(
  current: ServersMirror,
  change: { readonly servers: readonly ServerView[]; readonly order: readonly string[] },
): ServersMirror {
  const changed = new Map(change.servers.map((server) => [server.key, server]));
  const entries = change.order.flatMap((key) => {
    const server = changed.get(key) ?? current.byKey[key];
    return server === undefined ? [] : [[key, server] as const];
  });
  return { byKey: Object.fromEntries(entries), order: entries.map(([key]) => key) };
}

/** Groups tools by server. */
export function groupTools(tools: readonly ToolSummary[]): Readonly<Record<string, readonly ToolSummary[]>> {
  return groupBy(tools, (tool) => tool.serverKey);
}
