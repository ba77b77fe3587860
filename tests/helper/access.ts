import type { Clock } from '../../electron/engine/base/clock.ts';
import type { Catalogue } from '../../electron/engine/catalogue/contract.ts';
import { everybody, type OpenClients } from '../../electron/engine/catalogue/open-clients.ts';
import { AccessBook } from '../../electron/engine/hub/access/access-book.ts';
import { ApprovalDesk, type ApprovalDeskOptions } from '../../electron/engine/hub/access/approval-desk.ts';
import { SessionsAccess } from '../../electron/engine/hub/access/session-access.ts';
import { Standings } from '../../electron/engine/hub/access/standings.ts';
import { PersonTime } from '../../electron/engine/hub/person-time.ts';
import type {
  AccessChange,
  AccessStore,
  StoredAccess,
} from '../../electron/engine/store/state/access-store.ts';
import type { Grant, GrantScope, NewClients } from '../../shared/model/access.ts';

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
  readonly book?: AccessBook;
  readonly desk?: Partial<ApprovalDeskOptions>;
}

async function readBook(clock: Clock, { store = memoryStore().store, lastResort = everybody }: AccessBench) {
  const book = new AccessBook({
    store,
    clock,
    tokenTtl: () => 15 * 60_000,
    lastResort: async () => lastResort,
  });
  await book.load();
  return book;
}

/** Who may call what, in memory: the same parts as in a hub. */
export async function accessBench(clock: Clock, options: AccessBench = {}) {
  const { newClients = 'everything', catalogue = () => ({ revision: 0, servers: [], off: [] }) } = options;
  const book = options.book ?? (await readBook(clock, options));
  const standings = new Standings({ book, clock, cacheTtl: () => 5 * 60_000 });
  const desk = new ApprovalDesk({ clock, onAsked: () => {}, onEnd: () => {}, ...options.desk });
  const sessions = new SessionsAccess({
    book,
    standings,
    desk,
    persons: new PersonTime(clock),
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
