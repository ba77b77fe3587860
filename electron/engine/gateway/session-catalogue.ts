import type { Disposable } from '../base/emitter.ts';
import { GrantedCatalogue } from './granted-catalogue.ts';
import { InstanceListings } from './own-offers.ts';
import { VisibleCatalogue } from './profiled-catalogue.ts';
import type { SessionConnection, SessionGrants, SessionServices } from './session-contract.ts';

export interface SessionCatalogueOptions {
  readonly sessionId: string;
  readonly services: SessionServices & SessionConnection;
  /** Names of the client, most reliable first; more are known after `initialize`. */
  readonly names: () => readonly string[];
}

/**
 * The catalogue of one session: with the listings of its own processes, limited to what was granted and to
 * its profile.
 */
export class SessionCatalogue implements Disposable {
  readonly instances: InstanceListings;
  readonly visible: VisibleCatalogue;
  readonly #options: SessionCatalogueOptions;
  readonly #grants: SessionGrants | undefined;
  readonly #granted: GrantedCatalogue | undefined;

  constructor(parts: SessionCatalogueOptions) {
    const { sessionId, services: options, names } = parts;
    this.#options = parts;
    this.instances = new InstanceListings(options.catalogue, options.log, options.gate);
    this.#grants = options.access?.open(sessionId, options.identityId);
    this.#granted = this.#grants && new GrantedCatalogue(this.instances, this.#grants);
    this.visible = new VisibleCatalogue({
      whole: this.#granted ?? this.instances,
      // An endpoint for one server determines exactly what its client gets.
      profiles: options.only === undefined ? options.profiles : undefined,
      requested: options.profile,
      clients: names,
    });
  }

  get identityId(): string | undefined {
    return this.#grants?.identityId;
  }

  /** Called when the client has sent `initialize`. */
  onInitialize(): void {
    this.#grants?.identify(this.#options.names());
    this.visible.onInitialize();
  }

  /** Checks whether its client may use anything of this server, even before it is listed. */
  sees(serverKey: string): boolean {
    return (this.#grants?.mayUse(serverKey) ?? true) && this.visible.selects(serverKey);
  }

  /** Explains why there are no tools; undefined if unknown. Missing grants take precedence. */
  get status(): (() => string) | undefined {
    const { status } = this.#options.services;
    if (status === undefined) return undefined;
    return () => (this.#hidesAllTools && this.#grants !== undefined ? this.#grants.explain() : status());
  }

  dispose(): void {
    this.visible.dispose();
    this.#granted?.dispose();
    this.#grants?.dispose();
    this.instances.dispose();
  }

  get #hidesAllTools(): boolean {
    const hidden = this.#granted?.whole;
    return hidden?.servers.some(({ offer }) => offer.tools.length > 0) === true;
  }
}
