import type { CatalogueView, ListKind } from '../catalogue/contract.ts';
import type { CompactMode } from './compact-mode.ts';
import type { SessionLists } from './session-lists.ts';

export interface ListNewsOptions {
  readonly lists: SessionLists;
  readonly compact: CompactMode;
  /** The lists as they are now. */
  readonly view: () => CatalogueView | undefined;
  /** Its client may be sent notices. */
  readonly mayTell: () => boolean;
  readonly tell: (kinds: ReadonlySet<ListKind>) => void;
  /** What is known of its lists is other now, for a reason that only this knows. */
  readonly changed: () => void;
}

/** Tells a client which of its lists are others now, whatever made them so. */
export class ListNews {
  readonly #options: ListNewsOptions;

  constructor(options: ListNewsOptions) {
    this.#options = options;
  }

  /** Servers offer other things, or it may have other things of them. */
  catalogueChanged(kinds: ReadonlySet<ListKind>): void {
    const { compact, lists, view } = this.#options;
    compact.reconsider();
    this.#tell(lists.toAnnounce(kinds, view()));
  }

  /** Of a change of what it may have, the catalogue tells. */
  profilesChanged(): void {
    if (!this.#options.compact.reconsider()) return;
    this.outdated();
    this.#options.changed();
  }

  /** Its bridge tells what it holds. */
  learnHeld(params: unknown): void {
    const { lists, view, changed } = this.#options;
    if (lists.learn(params, view())) this.outdated();
    changed();
  }

  /** Of what it holds and is no longer so. */
  outdated(): void {
    this.#tell(this.#stale());
  }

  /** Again, and of its tools in any case. */
  remind(): void {
    const stale = this.#stale();
    this.#tell(stale.size > 0 ? stale : new Set(['tools']));
  }

  #stale(): ReadonlySet<ListKind> {
    const { lists, view } = this.#options;
    return lists.stale(view());
  }

  #tell(kinds: ReadonlySet<ListKind>): void {
    if (this.#options.mayTell()) this.#options.tell(kinds);
  }
}
