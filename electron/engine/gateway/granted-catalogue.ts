import { type Disposable, Emitter } from '../base/emitter.ts';
import { changedKinds } from '../catalogue/catalogue-diff.ts';
import type { Catalogue, CatalogueChange, CatalogueStore, ListKind } from '../catalogue/contract.ts';
import type { SessionGrants } from './session-contract.ts';

/** The part of the catalogue that the session's client was granted. */
export class GrantedCatalogue implements Pick<CatalogueStore, 'current' | 'onChange'>, Disposable {
  readonly #full: Pick<CatalogueStore, 'current' | 'onChange'>;
  readonly #grants: SessionGrants;
  readonly #changes = new Emitter<CatalogueChange>();
  readonly #subscriptions: readonly Disposable[];
  readonly onChange = this.#changes.event;
  /** The part that was returned last. */
  #lastReturned: Catalogue | undefined;

  constructor(full: Pick<CatalogueStore, 'current' | 'onChange'>, grants: SessionGrants) {
    this.#full = full;
    this.#grants = grants;
    this.#subscriptions = [
      full.onChange(({ kinds }) => this.#changes.fire({ catalogue: this.current, kinds })),
      grants.onChange(() => this.#onGrantsChanged()),
    ];
  }

  /** Returns the full catalogue itself if all of it is granted. */
  get current(): Catalogue {
    this.#lastReturned = this.#grants.select(this.#full.current);
    return this.#lastReturned;
  }

  /** Undefined if everything is granted. */
  get whole(): Catalogue | undefined {
    const whole = this.#full.current;
    return this.#grants.select(whole) === whole ? undefined : whole;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#changes.dispose();
  }

  /** Fires only for lists that the changed grants affect, or for all if none was read yet. */
  #onGrantsChanged(): void {
    const before = this.#lastReturned;
    const catalogue = this.current;
    const kinds = before === undefined ? allKinds : changedKinds(before.servers, catalogue.servers);
    this.#changes.fire({ catalogue, kinds });
  }
}

const allKinds: ReadonlySet<ListKind> = new Set(['tools', 'resources', 'prompts']);
