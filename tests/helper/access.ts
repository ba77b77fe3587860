import { AccessService } from '../../electron/engine/access/access-service.ts';
import type { AccessChange, AccessStore, StoredAccess } from '../../electron/engine/access/access-store.ts';
import { ApprovalQueue } from '../../electron/engine/access/approval-queue.ts';
import { Authorizer } from '../../electron/engine/access/authorizer.ts';
import { SessionsAccess } from '../../electron/engine/access/sessions-access.ts';
import type { Clock } from '../../electron/engine/base/clock.ts';
import type { Catalogue } from '../../electron/engine/catalogue/contract.ts';
import { type OpenClients, openToAll } from '../../electron/engine/catalogue/open-clients.ts';
import type { Grant, GrantScope, NewClients } from '../../shared/model/access/access.ts';

/** Keeps nothing but what it was told, in order. */
export function memoryStore(stored: StoredAccess = { identities: [], grants: [], tokens: [] }) {
  const changes: AccessChange[] = [];
  const store: AccessStore = {
    load: async () => stored,
    beginAnew: async () => stored,
    add: (change) => void changes.push(change),
    flush: async () => true,
  };
  return { store, changes };
}

export interface AccessBench {
  readonly newClients?: NewClients;
  readonly catalogue?: () => Catalogue;
  readonly store?: AccessStore;
  readonly lastResort?: OpenClients;
  readonly book?: AccessService;
}

async function readBook(clock: Clock, { store = memoryStore().store, lastResort = openToAll }: AccessBench) {
  const book = new AccessService({
    store,
    clock,
    tokenTtl: () => 15 * 60_000,
    fallbackClients: async () => lastResort,
  });
  await book.load();
  return book;
}

/** Access control in memory, from the same parts as in a hub. */
export async function accessBench(clock: Clock, options: AccessBench = {}) {
  const { newClients = 'everything', catalogue = () => ({ revision: 0, servers: [], off: [] }) } = options;
  const book = options.book ?? (await readBook(clock, options));
  const standings = new Authorizer({ service: book, clock, cacheTtl: () => 5 * 60_000 });
  const desk = new ApprovalQueue({ service: book, authorizer: standings, clock });
  const sessions = new SessionsAccess({
    service: book,
    authorizer: standings,
    approvals: desk,
    newClients: () => newClients,
    catalogue,
    show: () => '{}',
  });
  return { book, standings, desk, sessions };
}

export const all: GrantScope = { kind: 'all' };

/** A grant that somebody made once. */
export function aGrant(other: Partial<Grant> = {}): Grant {
  return { id: 'g', identityId: 'i', effect: 'allow', scope: all, grantedAt: 0, grantedBy: 'test', ...other };
}
