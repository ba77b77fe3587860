import type { Clock } from '../base/clock.ts';
import { type Coalescer, createCoalescer } from '../base/coalescer.ts';
import { type Disposable, Emitter, type Event } from '../base/emitter.ts';
import { changedKinds, isSameServers } from './catalogue-diff.ts';
import { type ConfiguredEntry, configuredEntry, storedEntry } from './configured-servers.ts';
import type {
  Catalogue,
  CatalogueChange,
  CatalogueStore,
  ListKind,
  ServerListing,
  ToolGate,
} from './contract.ts';
import { KnownListings } from './known-listings.ts';

export interface LiveCatalogueOptions {
  readonly clock: Clock;
  /** Milliseconds for which changes are collected before an event fires. */
  readonly coalesceMs?: number;
  /** The last known catalogue, in effect and marked as cached until servers are listed again. */
  readonly stored?: Catalogue;
  /** Checks new listings; by default nothing is quarantined. */
  readonly gate?: ToolGate;
}

/**
 * Owns the listings of all servers. Lists that are received again unchanged keep their identity, and cause
 * neither a new revision nor an event.
 */
export class LiveCatalogue implements CatalogueStore {
  readonly #changes = new Emitter<CatalogueChange>();
  readonly #listings: KnownListings;
  readonly #judged: Disposable | undefined;
  readonly #notice: Coalescer;
  #configured: readonly ConfiguredEntry[];
  #current: Catalogue;
  #isOutdated = false;
  #announced: Catalogue;
  /**
   * Kinds that changed since the last event, even if they changed back, because a client may have listed in
   * between.
   */
  #unannounced = new Set<ListKind>();
  #settled: ReadonlySet<string> = new Set();
  #isUnsure = false;
  #config: string | undefined;

  constructor({ clock, coalesceMs = 50, stored, gate }: LiveCatalogueOptions) {
    this.#current = stored ?? { revision: 0, servers: [], off: [] };
    this.#announced = this.#current;
    const { servers, off, config } = this.#current;
    this.#config = config;
    this.#configured = [
      ...servers.map((server) => storedEntry(server, true)),
      ...off.map((server) => storedEntry(server, false)),
    ];
    this.#listings = new KnownListings(gate, [...servers, ...off]);
    this.#judged = this.#listings.followGate(() => this.#touch());
    this.#notice = createCoalescer(clock, coalesceMs, () => this.#announce());
  }

  get current(): Catalogue {
    if (!this.#isOutdated) return this.#current;
    this.#isOutdated = false;
    const next = this.#build();
    if (isSameCatalogue(this.#current, next)) return this.#current;
    const kinds = changedKinds(this.#current.servers, next.servers);
    for (const kind of kinds) this.#unannounced.add(kind);
    const revision = this.#current.revision + (kinds.size === 0 ? 0 : 1);
    this.#current = { ...next, revision };
    return this.#current;
  }

  get onChange(): Event<CatalogueChange> {
    return this.#changes.event;
  }

  setConfigDigest(digest: string): void {
    this.#config = digest;
    this.#touch();
  }

  setServers(servers: Parameters<CatalogueStore['setServers']>[0]): void {
    this.#listings.markCached(new Set(servers.flatMap(({ key, enabled }) => (enabled ? [key] : []))));
    this.#isUnsure = false;
    this.#configured = servers.map(configuredEntry);
    this.#touch();
  }

  setListing(key: string, listing: ServerListing): void {
    this.#listings.set(key, listing);
    this.#touch();
  }

  setSettled(keys: ReadonlySet<string>): void {
    this.#settled = keys;
    this.#touch();
  }

  markUnsure(): void {
    this.#isUnsure = true;
    this.#touch();
  }

  clearListing(key: string): void {
    if (this.#listings.clear(key)) this.#touch();
  }

  flush(): void {
    this.#notice.flush();
  }

  dispose(): void {
    this.#judged?.dispose();
    this.#notice.dispose();
    this.#changes.dispose();
  }

  #touch(): void {
    this.#isOutdated = true;
    this.#notice.mark();
  }

  #announce(): void {
    const catalogue = this.current;
    if (catalogue === this.#announced) return;
    const kinds = this.#unannounced;
    this.#announced = catalogue;
    this.#unannounced = new Set();
    this.#changes.fire({ catalogue, kinds });
  }

  /** Returns the catalogue as it is now, with the revision it had. */
  #build(): Catalogue {
    const unknown = this.#configured.filter(({ key }) => !this.#listings.has(key));
    return {
      revision: this.#current.revision,
      servers: this.#listings.serversOf(this.#configured.filter(({ enabled }) => enabled)),
      off: this.#listings.serversOf(this.#configured.filter(({ enabled }) => !enabled)),
      silent: unknown.map(({ key }) => key),
      awaited: unknown.flatMap(({ key, enabled }) => (enabled && !this.#settled.has(key) ? [key] : [])),
      config: this.#config,
      ...(this.#isUnsure ? { isUnsure: true } : {}),
    };
  }
}

/** Compares everything but the revision. */
function isSameCatalogue(one: Catalogue, other: Catalogue): boolean {
  return (
    isSameServers(one.servers, other.servers) &&
    isSameServers(one.off, other.off) &&
    isSameList(one.silent ?? [], other.silent ?? []) &&
    isSameList(one.awaited ?? [], other.awaited ?? []) &&
    one.isUnsure === other.isUnsure &&
    one.config === other.config
  );
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((key, index) => key === other[index]);
}
