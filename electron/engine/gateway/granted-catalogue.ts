import { type Disposable, Emitter } from '../base/emitter.ts';
import type { Catalogue, CatalogueChange, CatalogueStore, ListKind } from '../catalogue/contract.ts';
import type { SessionGrants } from './session-contract.ts';

/** The catalogue as far as the session's client was granted it. */
export class GrantedCatalogue implements Pick<CatalogueStore, 'current' | 'onChange'>, Disposable {
  readonly #whole: Pick<CatalogueStore, 'current' | 'onChange'>;
  readonly #grants: SessionGrants;
  readonly #changes = new Emitter<CatalogueChange>();
  readonly #subscriptions: readonly Disposable[];
  readonly onChange = this.#changes.event;

  constructor(whole: Pick<CatalogueStore, 'current' | 'onChange'>, grants: SessionGrants) {
    this.#whole = whole;
    this.#grants = grants;
    this.#subscriptions = [
      whole.onChange(({ kinds }) => this.#changes.fire({ catalogue: this.current, kinds })),
      grants.onChange(() => this.#changes.fire({ catalogue: this.current, kinds: allKinds })),
    ];
  }

  /** The whole one, itself, where all of it is granted. */
  get current(): Catalogue {
    return this.#grants.select(this.#whole.current);
  }

  /** Undefined where all of it is granted. */
  get whole(): Catalogue | undefined {
    const whole = this.#whole.current;
    return this.#grants.select(whole) === whole ? undefined : whole;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#changes.dispose();
  }
}

const allKinds: ReadonlySet<ListKind> = new Set(['tools', 'resources', 'prompts']);
