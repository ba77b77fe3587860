import { type Disposable, Emitter } from '../base/emitter.ts';
import type { Logger } from '../base/logger.ts';
import { changedKinds, shareUnchanged } from '../catalogue/catalogue-diff.ts';
import type {
  Catalogue,
  CatalogueChange,
  CatalogueServer,
  CatalogueStore,
  RawItem,
  ServerListing,
  ToolGate,
} from '../catalogue/contract.ts';
import { type ListedConnection, ListingReader } from '../catalogue/offer-listing.ts';
import { strictItems } from '../catalogue/strict-items.ts';
import { validateListing } from '../catalogue/usable-offer.ts';

type SharedCatalogue = Pick<CatalogueStore, 'current' | 'onChange'>;

/** The listing of this session's instance of a server, if it differs from the shared one. */
type InstanceListing = Pick<CatalogueServer, 'offer' | 'setAside' | 'strict' | 'heldTools'>;

/**
 * The catalogue of one session. An instance of its own is assumed to have the shared listing of its server
 * until it reports a change. From then on it is listed itself, and its listing applies to this session while
 * the process lives.
 */
export class InstanceListings implements SharedCatalogue, Disposable {
  readonly #shared: SharedCatalogue;
  readonly #log: Logger;
  readonly #changes = new Emitter<CatalogueChange>();
  readonly #instanceListings = new Map<string, InstanceListing>();
  readonly #readers = new Map<string, ListingReader>();
  readonly #gate: ToolGate | undefined;
  readonly #subscriptions: readonly Disposable[];
  #merged: { readonly shared: Catalogue; readonly catalogue: Catalogue } | undefined;
  readonly onChange = this.#changes.event;

  constructor(shared: SharedCatalogue, log: Logger, gate?: ToolGate) {
    this.#shared = shared;
    this.#log = log;
    this.#gate = gate;
    const listed = shared.onChange(({ kinds }) => this.#changes.fire({ catalogue: this.current, kinds }));
    const judged = gate?.onChange((key) => this.#checkAgain(key));
    this.#subscriptions = judged === undefined ? [listed] : [listed, judged];
  }

  /** Returns the shared catalogue itself while nothing differs. */
  get current(): Catalogue {
    const shared = this.#shared.current;
    if (this.#instanceListings.size === 0) return shared;
    if (this.#merged?.shared !== shared) this.#merged = { shared, catalogue: this.#merge(shared) };
    return this.#merged.catalogue;
  }

  /** Called when the instance reports a changed listing; without a connection, its process has ended. */
  onListingChanged(key: string, connection: ListedConnection | undefined): void {
    const known = this.#readers.get(key);
    if (connection !== undefined && known?.connection === connection) {
      known.refresh();
      return;
    }
    known?.dispose();
    this.#readers.delete(key);
    if (connection === undefined) this.#set(key, undefined);
    else this.#list(key, connection);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#changes.dispose();
    for (const listing of this.#readers.values()) listing.dispose();
    this.#readers.clear();
    for (const key of this.#instanceListings.keys()) this.#gate?.quarantine(key, [], this);
    this.#instanceListings.clear();
  }

  #list(key: string, connection: ListedConnection): void {
    const reader = new ListingReader(connection, {
      previous: () => listingOf(this.current, key),
      onChange: () => void this.#onListed(key, reader),
    });
    this.#readers.set(key, reader);
    reader.start();
  }

  async #onListed(key: string, reader: ListingReader): Promise<void> {
    for (const { sentence } of reader.problems) this.#log.log('debug', sentence, { server: key });
    await this.#gate?.ready;
    const { listing: offer } = reader;
    if (offer !== undefined && this.#readers.get(key) === reader) this.#set(key, this.#check(key, offer));
  }

  /** Returns undefined if it equals the shared listing. */
  #check(key: string, raw: ServerListing): InstanceListing | undefined {
    const shared = listingOf(this.#shared.current, key);
    const usable = validateListing(key, raw);
    const offer = shareUnchanged(shared, usable.offer);
    if (offer === shared) return undefined;
    const heldTools = this.#quarantined(key, offer.tools);
    return { offer, strict: strictItems(offer), heldTools, setAside: usable.setAside };
  }

  #quarantined(key: string, tools: readonly RawItem[]): ReadonlySet<string> {
    return this.#gate?.quarantine(key, tools, this) ?? new Set();
  }

  #checkAgain(key: string): void {
    const own = this.#instanceListings.get(key);
    if (own !== undefined) this.#set(key, { ...own, heldTools: this.#quarantined(key, own.offer.tools) });
  }

  #set(key: string, own: InstanceListing | undefined): void {
    const before = this.current;
    if (own === undefined) this.#gate?.quarantine(key, [], this);
    if (own !== undefined) this.#instanceListings.set(key, own);
    else if (!this.#instanceListings.delete(key)) return;
    this.#merged = undefined;
    const catalogue = this.current;
    const kinds = changedKinds(before.servers, catalogue.servers);
    if (kinds.size > 0) this.#changes.fire({ catalogue, kinds });
  }

  #merge(shared: Catalogue): Catalogue {
    const servers = shared.servers.map((server) => {
      const own = this.#instanceListings.get(server.key);
      return own === undefined ? server : { ...server, ...own };
    });
    return { ...shared, servers };
  }
}

function listingOf({ servers }: Catalogue, key: string): ServerListing | undefined {
  return servers.find((server) => server.key === key)?.offer;
}
