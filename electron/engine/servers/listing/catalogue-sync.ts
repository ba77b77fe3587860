import type { Problem } from '../../../../shared/error/problem.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
import { type CatalogueStore, emptyListing, type ListPart } from '../../catalogue/contract.ts';
import type { ListSpec } from '../../catalogue/listing/list-specs.ts';
import { ListingReader } from '../../catalogue/listing/listing-reader.ts';
import {
  type Connection,
  connectionOf,
  type PreparedUpdate,
  type SupervisedServer,
  type Supervisor,
} from '../contract.ts';
import { FirstStarts } from './first-starts.ts';
import { knownListing, toolDifference } from './known-listing.ts';

export interface CatalogueSyncOptions {
  readonly clock: Clock;
  readonly supervisor: Pick<Supervisor, 'servers' | 'onState' | 'onNotification'>;
  readonly catalogue: CatalogueStore;
  /** Holds back all listings until it resolves. */
  readonly gate?: Promise<void>;
  /**
   * `while-known`: a server that is down keeps its tools listed, so that client lists stay stable while it
   * restarts. `while-connected`: its tools are removed at once (specification, FR-009).
   */
  readonly keep: 'while-known' | 'while-connected';
  readonly onChange: (key: string) => void;
  readonly onListed?: (key: string) => void;
}

/** Keeps the catalogue equal to what the connected servers list. */
export interface CatalogueSync extends Disposable {
  warnings(key: string): readonly Problem[];
  /** Tells whether the tools of a connected server have been listed. */
  knowsTools(key: string): boolean;
  /**
   * Resolves when this list, or all lists, of every enabled server are known as far as possible: servers that
   * have failed, sleep or do not answer are not waited for.
   */
  settled(part?: ListPart): Promise<void>;
  /**
   * Resolves when none of these servers is worth waiting for: each has been listed, has failed or sleeps, or
   * has been starting for a minute. `keys` is evaluated again each time.
   */
  listed(keys: () => readonly string[]): Promise<void>;
  /**
   * Lists a server with a changed config over the connection that is to take over; it is not listed again
   * afterwards. A list that is refused or times out blocks nothing. Rejects if the connection ends.
   */
  prepare(key: string, connection: Connection): Promise<PreparedUpdate>;
}

/** Lists a server whenever it connects or announces a change; one request per list at a time. */
export function createCatalogueSync(options: CatalogueSyncOptions): CatalogueSync {
  return new Sync(options);
}

class Sync implements CatalogueSync {
  readonly #options: CatalogueSyncOptions;
  /** Listings over the connections in use, by server key. */
  readonly #listings = new Map<string, ListingReader>();
  /** Listings over connections that are to take over, by server key. */
  readonly #prepared = new Map<string, ListingReader>();
  /** Start of each server's connect, by `uptime`. */
  readonly #starts = new Map<string, number>();
  /** Servers that exited or hung on a request for a list they do not declare. */
  readonly #skipUndeclared = new Set<string>();
  readonly #warnings = new Map<string, readonly Problem[]>();
  readonly #waiters = new Set<{ readonly part: ListPart | undefined; readonly resolve: () => void }>();
  readonly #firstStarts: FirstStarts;
  readonly #subscriptions: readonly Disposable[];
  #isGated: boolean;

  constructor(options: CatalogueSyncOptions) {
    this.#options = options;
    const { supervisor, gate } = options;
    this.#firstStarts = new FirstStarts(options.clock);
    this.#isGated = gate !== undefined;
    void gate?.then(() => this.#openGate());
    this.#subscriptions = [
      supervisor.onState(({ server }) => this.#follow(server)),
      supervisor.onNotification(({ key, connection, notification }) => {
        const capability = listChanges.get(notification.method);
        if (capability !== undefined) this.#listChanged(key, connection, capability);
      }),
    ];
  }

  warnings(key: string): readonly Problem[] {
    return this.#warnings.get(key) ?? [];
  }

  knowsTools(key: string): boolean {
    return this.#listings.get(key)?.knowsTools === true;
  }

  settled(part?: ListPart): Promise<void> {
    if (this.#isSettled(part)) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.add({ part, resolve }));
  }

  listed(keys: () => readonly string[]): Promise<void> {
    this.#notifyWaiters();
    return this.#firstStarts.settled(keys);
  }

  async prepare(key: string, connection: Connection): Promise<PreparedUpdate> {
    const { catalogue, gate } = this.#options;
    const listing = this.#listingOf(key, connection);
    this.#prepared.get(key)?.dispose();
    this.#prepared.set(key, listing);
    listing.start();
    await listing.whenKnown();
    await gate;
    if (listing.closeError !== undefined) throw listing.closeError;
    const offer = listing.listing ?? emptyListing;
    return {
      difference: toolDifference(knownListing(catalogue, key), offer),
      commit: () => {
        this.#prepared.delete(key);
        this.#use(key, listing);
        this.#changed(key, listing);
      },
    };
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    for (const listing of [...this.#listings.values(), ...this.#prepared.values()]) listing.dispose();
    this.#listings.clear();
    this.#prepared.clear();
    this.#firstStarts.dispose();
    for (const { resolve } of this.#waiters) resolve();
    this.#waiters.clear();
  }

  #follow(server: SupervisedServer): void {
    const { key, state } = server;
    const connection = connectionOf(server);
    if (state.status === 'connecting') this.#starts.set(key, this.#options.clock.uptime());
    if (connection === undefined) this.#disconnected(server);
    else if (this.#listings.get(key)?.connection !== connection) this.#begin(key, connection);
    this.#notifyWaiters();
  }

  #listChanged(key: string, connection: Connection | undefined, capability: ListSpec['capability']): void {
    const listing = this.#listings.get(key);
    // Ignores old connections that are only draining.
    if (connection === undefined || connection === listing?.connection) listing?.refresh(capability);
  }

  #disconnected({ key, state }: SupervisedServer): void {
    const { supervisor, catalogue, keep } = this.#options;
    const listing = this.#listings.get(key);
    const problem = 'problem' in state ? state.problem : undefined;
    const isSilent = problem?.code === 'server.unhealthy' && listing?.awaitsUndeclared === true;
    if (problem !== undefined && (isSilent || listing?.closedDuringUndeclared === true))
      this.#skipUndeclared.add(key);
    listing?.dispose();
    this.#listings.delete(key);
    if (keep === 'while-connected') catalogue.clearListing(key);
    if (supervisor.servers.has(key)) return;
    this.#warnings.delete(key);
    this.#starts.delete(key);
    this.#skipUndeclared.delete(key);
    this.#prepared.get(key)?.dispose();
    this.#prepared.delete(key);
  }

  #begin(key: string, connection: Connection): void {
    const listing = this.#listingOf(key, connection);
    this.#use(key, listing);
    listing.start();
  }

  #listingOf(key: string, connection: Connection): ListingReader {
    const { clock, catalogue } = this.#options;
    const listing = new ListingReader(connection, {
      clock,
      waitMs: this.#timeoutFor(key),
      requestsUndeclared: !this.#skipUndeclared.has(key),
      previous: () => knownListing(catalogue, key),
      onStorm: (spec) =>
        this.#options.supervisor.servers.get(key)?.log.append('hub', frequentChangesNote(spec)),
      onChange: () => this.#changed(key, listing),
    });
    return listing;
  }

  /** Scales with the start time: on a slow machine, answers are slow too. */
  #timeoutFor(key: string): number {
    const start = this.#starts.get(key);
    const taken = start === undefined ? 0 : this.#options.clock.uptime() - start;
    return Math.min(maxTimeoutMs, Math.max(minTimeoutMs, taken));
  }

  #use(key: string, listing: ListingReader): void {
    this.#listings.get(key)?.dispose();
    this.#listings.set(key, listing);
  }

  #openGate(): void {
    this.#isGated = false;
    for (const [key, listing] of this.#listings) this.#changed(key, listing);
  }

  #changed(key: string, listing: ListingReader): void {
    // The server has reconnected or disconnected, or has not taken over yet.
    if (this.#isGated || this.#listings.get(key) !== listing) return;
    const { catalogue, onChange, onListed } = this.#options;
    const { listing: offer } = listing;
    if (offer !== undefined) catalogue.setListing(key, offer);
    this.#warnings.set(key, listing.problems);
    onChange(key);
    this.#notifyWaiters();
    if (listing.isKnown() && listing.knowsTools) onListed?.(key);
  }

  #isSettled(part: ListPart | undefined): boolean {
    return [...this.#options.supervisor.servers.values()].every((server) => this.#hasSettled(server, part));
  }

  #hasSettled(server: SupervisedServer, part?: ListPart): boolean {
    if (connectionOf(server) !== undefined)
      return !this.#isGated && this.#listings.get(server.key)?.isKnown(part) === true;
    return server.state.status !== 'connecting' && !isFirstStart(server);
  }

  #notifyWaiters(): void {
    const { supervisor, catalogue } = this.#options;
    const servers = [...supervisor.servers.values()];
    const settled = new Set(servers.filter((server) => this.#hasSettled(server)).map(({ key }) => key));
    catalogue.setSettled(settled);
    this.#firstStarts.expect(servers.map(({ key }) => key).filter((key) => !settled.has(key)));
    for (const waiter of this.#waiters) {
      if (!this.#isSettled(waiter.part)) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
  }
}

/** Milliseconds that others wait for a server that has answered no list, see `OfferListingOptions`. */
const minTimeoutMs = 2_000;
const maxTimeoutMs = 5_000;

const listChanges: ReadonlyMap<string, ListSpec['capability']> = new Map([
  ['notifications/tools/list_changed', 'tools'],
  ['notifications/resources/list_changed', 'resources'],
  ['notifications/prompts/list_changed', 'prompts'],
]);

function frequentChangesNote({ method }: ListSpec): string {
  return `The server keeps reporting that its list has changed. Until the reports stop, Patchbay sends ${method} less often, at least every 30 s.`;
}

/** True while waiting for the first start, not for a retry or for a first use. */
function isFirstStart({ state, restarts }: SupervisedServer): boolean {
  if (state.status !== 'disconnected' || state.asleep === true) return false;
  return restarts === 0 && state.problem === undefined;
}
