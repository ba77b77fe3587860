import { randomUUID } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { identityName, isOpenTo, type OpenClients, openToAll } from '../catalogue/open-clients.ts';
import type { AccessStore } from '../store/state/access-store.ts';
import type { AccessTables } from './access-tables.ts';

export interface AccessLoaderOptions {
  readonly store: Pick<AccessStore, 'load' | 'beginAnew'>;
  readonly tables: AccessTables;
  readonly clock: Clock;
  /** Clients with full access as bridges know them: the only source left when the database cannot be read. */
  readonly fallbackClients: () => Promise<OpenClients>;
}

type LoadState =
  | { readonly kind: 'loading' | 'ready' }
  | { readonly kind: 'unreadable'; readonly open: OpenClients };

/**
 * Reads the stored access data and knows whether that worked. If it did not, local clients that had full
 * access when it was last written keep it, and nobody else has any: the hub keeps serving without its
 * database.
 */
export class AccessLoader {
  readonly #options: AccessLoaderOptions;
  #state: LoadState = { kind: 'loading' };

  constructor(options: AccessLoaderOptions) {
    this.#options = options;
  }

  get isReady(): boolean {
    return this.#state.kind === 'ready';
  }

  /** Identities that are known in this state are stand-ins and are not stored. */
  get isUnreadable(): boolean {
    return this.#state.kind === 'unreadable';
  }

  /** Errors are not reported here: the store that found them reports them. */
  async load(): Promise<void> {
    const { store, tables, clock, fallbackClients } = this.#options;
    try {
      tables.fill(await store.load(), clock.now());
      this.#state = { kind: 'ready' };
    } catch {
      this.#state = { kind: 'unreadable', open: await fallbackClients() };
    }
  }

  /** Reads again after the stored rows have been replaced. */
  async reload(): Promise<void> {
    const { store, tables, clock } = this.#options;
    tables.refill(await store.beginAnew(), clock.now());
    this.#state = { kind: 'ready' };
  }

  /**
   * Continues with what could be salvaged. Resolves to the names of clients that did not have full access.
   */
  async beginAnew(): Promise<readonly string[]> {
    const { store, tables, clock } = this.#options;
    const stored = await store.beginAnew();
    if (this.isReady) {
      tables.storeAll();
      return [];
    }
    for (const { id } of tables.identities()) tables.dropIdentity(id);
    tables.fill(stored, clock.now());
    const { others, names } = this.#state.kind === 'unreadable' ? this.#state.open : openToAll;
    this.#state = { kind: 'ready' };
    return others ? names : [];
  }

  /** Returns the client with one of these names while nothing can be read; undefined if it has to wait. */
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
