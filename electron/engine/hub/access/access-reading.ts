import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { everybody, identityName, isOpenTo, type OpenClients } from '../../catalogue/open-clients.ts';
import type { AccessStore } from '../../store/state/access-store.ts';
import type { AccessTables } from './access-tables.ts';

export interface AccessReadingOptions {
  readonly store: Pick<AccessStore, 'load' | 'beginAnew'>;
  readonly tables: AccessTables;
  readonly clock: Clock;
  /** What bridges were told of who may have everything: all there is to go by where nothing can be read. */
  readonly lastResort: () => Promise<OpenClients>;
}

type State =
  | { readonly kind: 'loading' | 'ready' }
  | { readonly kind: 'unreadable'; readonly open: OpenClients };

/**
 * Whether what was kept has been read. Where it cannot be, local clients that might have everything when that was last
 * written down still do, and nobody else has anything: a hub without its database serves on.
 */
export class AccessReading {
  readonly #options: AccessReadingOptions;
  #state: State = { kind: 'loading' };

  constructor(options: AccessReadingOptions) {
    this.#options = options;
  }

  get isReady(): boolean {
    return this.#state.kind === 'ready';
  }

  /** Who is known then is so for want of anything better, and kept nowhere. */
  get isUnreadable(): boolean {
    return this.#state.kind === 'unreadable';
  }

  /** What keeps it from being read is reported where that is found out. */
  async load(): Promise<void> {
    const { store, tables, clock, lastResort } = this.#options;
    try {
      tables.fill(await store.load(), clock.now());
      this.#state = { kind: 'ready' };
    } catch {
      this.#state = { kind: 'unreadable', open: await lastResort() };
    }
  }

  /** Somebody has put other rows in the place of those that were read. */
  async reload(): Promise<void> {
    const { store, tables, clock } = this.#options;
    tables.refill(await store.beginAnew(), clock.now());
    this.#state = { kind: 'ready' };
  }

  /** Goes on with what could be saved. Resolves to the names of clients that could not have everything. */
  async beginAnew(): Promise<readonly string[]> {
    const { store, tables, clock } = this.#options;
    const kept = await store.beginAnew();
    if (this.isReady) {
      tables.keepAll();
      return [];
    }
    for (const { id } of tables.identities()) tables.dropIdentity(id);
    tables.fill(kept, clock.now());
    const { others, names } = this.#state.kind === 'unreadable' ? this.#state.open : everybody;
    this.#state = { kind: 'ready' };
    return others ? names : [];
  }

  /** The client of this name while nothing can be read; undefined where it has to wait. */
  standIn(names: readonly string[]): string | undefined {
    if (this.#state.kind !== 'unreadable' || !isOpenTo(this.#state.open, names)) return undefined;
    const { tables, clock } = this.#options;
    const name = identityName(names);
    const known = tables.byName('client', name);
    if (known !== undefined) return known.id;
    const identityId = tables.freeId();
    const now = clock.now();
    tables.putIdentity({ id: identityId, kind: 'client', name, createdAt: now, hasToken: false });
    const granted = { grantedAt: now, grantedBy: 'the hub' };
    tables.putGrant({ id: randomUUID(), identityId, effect: 'allow', scope: { kind: 'all' }, ...granted });
    return identityId;
  }
}
