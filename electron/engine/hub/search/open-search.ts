import type { Clock } from '../../base/clock.ts';
import type { CloseStack } from '../../base/close-stack.ts';
import type { CatalogueStore } from '../../catalogue/contract.ts';
import type { ConfiguredLookup } from '../../config/configured-lookup.ts';
import type { SessionRegistry } from '../../gateway/session/session-registry.ts';
import type { Supervisor } from '../../servers/contract.ts';
import type { DataPaths } from '../../store/files/data-dir.ts';
import { dayOf, type ToolUseCounter } from '../client-truth/tool-use.ts';
import type { EnginePorts } from '../contract.ts';
import { type Persistence, usageDays } from '../persistence.ts';
import type { SecretStore } from '../secret-store.ts';
import { HubSearch } from './hub-search.ts';
import { sampleThroughClients } from './sample-through-clients.ts';
import { searchSettingsFile } from './settings-file.ts';

export interface OpenSearchOptions {
  readonly ports: Pick<EnginePorts, 'logger'>;
  readonly clock: Clock;
  readonly opened: CloseStack;
  readonly paths: DataPaths;
  readonly kept: Persistence;
  readonly catalogue: CatalogueStore;
  readonly supervisor: Pick<Supervisor, 'servers'>;
  readonly counter: ToolUseCounter;
  readonly sessions: Pick<SessionRegistry, 'views' | 'find'>;
  readonly secrets: Pick<SecretStore, 'get'>;
  readonly configured: ConfiguredLookup;
}

export function openHubSearch(options: OpenSearchOptions): HubSearch {
  const { ports, clock, opened, paths, kept, catalogue, supervisor, counter } = options;
  const { configured, secrets, sessions } = options;
  const search = new HubSearch({
    clock,
    logger: ports.logger,
    catalogue,
    keeper: kept.skills,
    isConnected: (key) => isReachable(supervisor, key),
    titleOf: (key) => configured(key)?.title,
    uses: () => {
      counter.flush();
      return kept.uses.since(dayOf(clock.now()) - usageDays + 1);
    },
    settings: searchSettingsFile(paths.search, ports.logger),
    askClient: sampleThroughClients(sessions),
    secret: (name) => secrets.get(name),
  });
  opened.defer(() => search.dispose());
  return search;
}

/** Counts sleeping servers as reachable: a call starts them. */
function isReachable({ servers }: Pick<Supervisor, 'servers'>, key: string): boolean {
  const state = servers.get(key)?.state;
  if (state === undefined) return false;
  if (state.status === 'connected' || state.status === 'degraded') return true;
  return state.status === 'disconnected' && state.asleep === true;
}
