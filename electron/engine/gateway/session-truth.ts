import type { Catalogue, CatalogueView } from '../catalogue/contract.ts';
import type { Acquainted } from './acquaintance.ts';
import type { CompactMode } from './compact-mode.ts';
import type { SessionTruth } from './session-contract.ts';
import type { SessionLists } from './session-lists.ts';
import type { Views } from './views.ts';

/** State of an initialized session. */
export interface TruthFacts extends Acquainted {
  /** The complete view. */
  readonly whole: CatalogueView;
  readonly catalogue: Catalogue;
  readonly compact: Pick<CompactMode, 'choice' | 'view' | 'direct'>;
  readonly lists: Pick<SessionLists, 'heldTools' | 'holds' | 'stale' | 'revision'>;
}

export function sessionTruth(facts: TruthFacts, views: Pick<Views, 'list'>): SessionTruth {
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
    whole,
    direct: (choice) => compact.direct(whole, choice),
    heldTools: lists.heldTools,
    holdsTools: lists.holds('tools'),
    isStale: lists.stale(view).has('tools'),
    heldRevision: lists.revision,
  };
}
