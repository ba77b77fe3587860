import type { Disposable } from '../base/emitter.ts';
import { GrantedCatalogue } from './granted-catalogue.ts';
import { OwnOffers } from './own-offers.ts';
import { ProfiledCatalogue } from './profiled-catalogue.ts';
import type { SessionConnection, SessionGrants, SessionSurroundings } from './session-contract.ts';

export interface SessionCatalogueOptions {
  readonly sessionId: string;
  readonly options: SessionSurroundings & SessionConnection;
  /** Names of the client, most reliable first; more are known after `initialize`. */
  readonly names: () => readonly string[];
}

/**
 * The catalogue of one session: with the listings of its own processes, limited to what was granted and to
 * its profile.
 */
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
      // An endpoint for one server determines exactly what its client gets.
      profiles: options.only === undefined ? options.profiles : undefined,
      asked: options.profile,
      clients: names,
    });
  }

  get identityId(): string | undefined {
    return this.#grants?.identityId;
  }

  /** Called when the client has sent `initialize`. */
  introduced(): void {
    this.#grants?.introduce(this.#options.names());
    this.seen.introduced();
  }

  /** Checks whether its client may use anything of this server, even before it is listed. */
  sees(serverKey: string): boolean {
    return (this.#grants?.mayUse(serverKey) ?? true) && this.seen.selects(serverKey);
  }

  /** Explains why there are no tools; undefined if unknown. Missing grants take precedence. */
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
