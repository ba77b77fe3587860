import type { Disposable } from '../base/emitter.ts';
import { GrantedCatalogue } from './granted-catalogue.ts';
import { OwnOffers } from './own-offers.ts';
import { ProfiledCatalogue } from './profiled-catalogue.ts';
import type { SessionConnection, SessionGrants, SessionSurroundings } from './session-contract.ts';

export interface SessionCatalogueOptions {
  readonly sessionId: string;
  readonly options: SessionSurroundings & SessionConnection;
  /** What the client is known as, the surest first; more once it has introduced itself. */
  readonly names: () => readonly string[];
}

/** What one session sees of the catalogue: with what its own processes offer, as far as it was granted, and its profile goes. */
export class SessionCatalogue implements Disposable {
  readonly own: OwnOffers;
  readonly seen: ProfiledCatalogue;
  readonly #options: SessionCatalogueOptions;
  readonly #grants: SessionGrants | undefined;
  readonly #granted: GrantedCatalogue | undefined;

  constructor(parts: SessionCatalogueOptions) {
    const { sessionId, options, names } = parts;
    this.#options = parts;
    this.own = new OwnOffers(options.catalogue, options.log, options.gate);
    this.#grants = options.access?.open(sessionId, options.identityId);
    this.#granted = this.#grants && new GrantedCatalogue(this.own, this.#grants);
    this.seen = new ProfiledCatalogue({
      whole: this.#granted ?? this.own,
      // An address of one server says exactly what its client gets.
      profiles: options.only === undefined ? options.profiles : undefined,
      asked: options.profile,
      clients: names,
    });
  }

  get identityId(): string | undefined {
    return this.#grants?.identityId;
  }

  /** The client has said who it is. */
  introduced(): void {
    this.#grants?.introduce(this.#options.names());
    this.seen.introduced();
  }

  /** Whether its client may have anything of this server, of which nothing need be known yet. */
  sees(serverKey: string): boolean {
    return (this.#grants?.mayUse(serverKey) ?? true) && this.seen.selects(serverKey);
  }

  /** Why there are no tools; undefined where nobody can say. Where nothing was granted, that is what is wrong. */
  get status(): (() => string) | undefined {
    const { status } = this.#options.options;
    if (status === undefined) return undefined;
    return () => (this.#hidesAll && this.#grants !== undefined ? this.#grants.explain() : status());
  }

  dispose(): void {
    this.seen.dispose();
    this.#granted?.dispose();
    this.#grants?.dispose();
    this.own.dispose();
  }

  get #hidesAll(): boolean {
    const hidden = this.#granted?.whole;
    return hidden?.servers.some(({ offer }) => offer.tools.length > 0) === true;
  }
}
