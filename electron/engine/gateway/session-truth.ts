import type { Catalogue, CatalogueView } from '../catalogue/contract.ts';
import type { IdentifiedClient } from './acquaintance.ts';
import type { CompactMode } from './compact-mode.ts';
import type { SessionSnapshot } from './session-contract.ts';
import type { SessionLists } from './session-lists.ts';
import type { Views } from './views.ts';

/** State of an initialized session. */
export interface SnapshotFacts extends IdentifiedClient {
  /** The complete view. */
  readonly whole: CatalogueView;
  readonly catalogue: Catalogue;
  readonly compact: Pick<CompactMode, 'choice' | 'view' | 'direct'>;
  readonly lists: Pick<SessionLists, 'clientTools' | 'hasList' | 'outdated' | 'revision'>;
}

export function createSessionSnapshot(facts: SnapshotFacts, views: Pick<Views, 'list'>): SessionSnapshot {
  const { client, profile, whole, catalogue, compact, lists } = facts;
  const { name, title } = client;
  const view = compact.view(whole);
  return {
    client: { name, ...(title === undefined ? {} : { title }) },
    profile,
    view,
    catalogue,
    tools: views.list(view, 'tools/list').items,
    compact: compact.choice,
    fullView: whole,
    direct: (choice) => compact.direct(whole, choice),
    clientTools: lists.clientTools,
    hasToolList: lists.hasList('tools'),
    isStale: lists.outdated(view).has('tools'),
    clientRevision: lists.revision,
  };
}
