import { type Disposable, Emitter } from '../base/emitter.ts';
import type { Logger } from '../base/logger.ts';
import { changedKinds, shareUnchanged } from '../catalogue/catalogue-diff.ts';
import type {
  Catalogue,
  CatalogueChange,
  CatalogueServer,
  CatalogueStore,
  Offer,
  RawItem,
  ToolGate,
} from '../catalogue/contract.ts';
import { type ListedConnection, OfferListing } from '../catalogue/offer-listing.ts';
import { strictItems } from '../catalogue/strict-items.ts';
import { usableOffer } from '../catalogue/usable-offer.ts';

type SharedCatalogue = Pick<CatalogueStore, 'current' | 'onChange'>;

/** The listing of this session's instance of a server, if it differs from the shared one. */
type OwnOffer = Pick<CatalogueServer, 'offer' | 'setAside' | 'strict' | 'heldTools'>;

/**
 * The catalogue of one session. An instance of its own is assumed to have the shared listing of its server
 * until it reports a change. From then on it is listed itself, and its listing applies to this session while
 * the process lives.
 */
export class OwnOffers implements SharedCatalogue, Disposable {
  readonly #shared: SharedCatalogue;
  readonly #log: Logger;
  readonly #changes = new Emitter<CatalogueChange>();
  readonly #offers = new Map<string, OwnOffer>();
  readonly #listings = new Map<string, OfferListing>();
  readonly #gate: ToolGate | undefined;
  readonly #subscriptions: readonly Disposable[];
  #merged: { readonly shared: Catalogue; readonly catalogue: Catalogue } | undefined;
  readonly onChange = this.#changes.event;

  constructor(shared: SharedCatalogue, log: Logger, gate?: ToolGate) {
    this.#shared = shared;
    this.#log = log;
    this.#gate = gate;
    const listed = shared.onChange(({ kinds }) => this.#changes.fire({ catalogue: this.current, kinds }));
    const judged = gate?.onChange((key) => this.#judgeAgain(key));
    this.#subscriptions = judged === undefined ? [listed] : [listed, judged];
  }

  /** Returns the shared catalogue itself while nothing differs. */
  get current(): Catalogue {
    const shared = this.#shared.current;
    if (this.#offers.size === 0) return shared;
    if (this.#merged?.shared !== shared) this.#merged = { shared, catalogue: this.#merge(shared) };
    return this.#merged.catalogue;
  }

  /** Called when the instance reports a changed listing; without a connection, its process has ended. */
  changed(key: string, connection: ListedConnection | undefined): void {
    const known = this.#listings.get(key);
    if (connection !== undefined && known?.connection === connection) {
      known.refresh();
      return;
    }
    known?.dispose();
    this.#listings.delete(key);
    if (connection === undefined) this.#set(key, undefined);
    else this.#list(key, connection);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#changes.dispose();
    for (const listing of this.#listings.values()) listing.dispose();
    this.#listings.clear();
    for (const key of this.#offers.keys()) this.#gate?.held(key, [], this);
    this.#offers.clear();
  }

  #list(key: string, connection: ListedConnection): void {
    const listing = new OfferListing(connection, {
      previous: () => offerOf(this.current, key),
      onChange: () => void this.#listed(key, listing),
    });
    this.#listings.set(key, listing);
    listing.start();
  }

  async #listed(key: string, listing: OfferListing): Promise<void> {
    for (const { sentence } of listing.problems) this.#log.log('debug', sentence, { server: key });
    await this.#gate?.ready;
    const { offer } = listing;
    if (offer !== undefined && this.#listings.get(key) === listing) this.#set(key, this.#judge(key, offer));
  }

  /** Returns undefined if it equals the shared listing. */
  #judge(key: string, raw: Offer): OwnOffer | undefined {
    const shared = offerOf(this.#shared.current, key);
    const usable = usableOffer(key, raw);
    const offer = shareUnchanged(shared, usable.offer);
    if (offer === shared) return undefined;
    const heldTools = this.#held(key, offer.tools);
    return { offer, strict: strictItems(offer), heldTools, setAside: usable.setAside };
  }

  #held(key: string, tools: readonly RawItem[]): ReadonlySet<string> {
    return this.#gate?.held(key, tools, this) ?? new Set();
  }

  #judgeAgain(key: string): void {
    const own = this.#offers.get(key);
    if (own !== undefined) this.#set(key, { ...own, heldTools: this.#held(key, own.offer.tools) });
  }

  #set(key: string, own: OwnOffer | undefined): void {
    const before = this.current;
    if (own === undefined) this.#gate?.held(key, [], this);
    if (own !== undefined) this.#offers.set(key, own);
    else if (!this.#offers.delete(key)) return;
    this.#merged = undefined;
    const catalogue = this.current;
    const kinds = changedKinds(before.servers, catalogue.servers);
    if (kinds.size > 0) this.#changes.fire({ catalogue, kinds });
  }

  #merge(shared: Catalogue): Catalogue {
    const servers = shared.servers.map((server) => {
      const own = this.#offers.get(server.key);
      return own === undefined ? server : { ...server, ...own };
    });
    return { ...shared, servers };
  }
}

function offerOf({ servers }: Catalogue, key: string): Offer | undefined {
  return servers.find((server) => server.key === key)?.offer;
}
