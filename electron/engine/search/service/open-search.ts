import type { Clock } from '../../base/clock.ts';
import type { CloseStack } from '../../base/close-stack.ts';
import type { Logger } from '../../base/logger.ts';
import type { CatalogueStore } from '../../catalogue/contract.ts';
import type { ConfiguredLookup } from '../../config/configured-lookup.ts';
import type { SessionRegistry } from '../../gateway/session/session-registry.ts';
import type { Supervisor } from '../../servers/contract.ts';
import type { DataPaths } from '../../store/files/data-dir.ts';
import type { SkillStorage, VectorStorage } from '../contract.ts';
import type { ToolCalls } from './recent-uses.ts';
import { sampleThroughClients } from './sample-through-clients.ts';
import { SearchService } from './search-service.ts';
import { searchSettingsFile } from './settings-file.ts';

export interface OpenSearchOptions {
  readonly ports: { readonly logger: Logger };
  readonly clock: Clock;
  readonly opened: CloseStack;
  readonly paths: Pick<DataPaths, 'search'>;
  readonly kept: { readonly skills: SkillStorage & VectorStorage };
  readonly catalogue: CatalogueStore;
  readonly supervisor: Pick<Supervisor, 'servers'>;
  readonly sessions: Pick<SessionRegistry, 'views' | 'find'>;
  readonly secrets: { get(name: string): string | undefined };
  readonly configured: ConfiguredLookup;
  /** Returns the calls of the last weeks. */
  readonly uses: () => Promise<readonly ToolCalls[]>;
}

export function openSearch(options: OpenSearchOptions): SearchService {
  const { ports, clock, opened, paths, kept, catalogue, supervisor, uses } = options;
  const { configured, secrets, sessions } = options;
  const search = new SearchService({
    clock,
    logger: ports.logger,
    catalogue,
    keeper: kept.skills,
    isConnected: (key) => isReachable(supervisor, key),
    titleOf: (key) => configured(key)?.title,
    uses,
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
