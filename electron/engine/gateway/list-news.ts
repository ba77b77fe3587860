import type { CatalogueView, ListKind } from '../catalogue/contract.ts';
import type { CompactMode } from './compact-mode.ts';
import type { SessionLists } from './session-lists.ts';

export interface ListNewsOptions {
  readonly lists: SessionLists;
  readonly compact: CompactMode;
  /** The current view. */
  readonly view: () => CatalogueView | undefined;
  /** Tells whether the client may be sent notifications. */
  readonly mayTell: () => boolean;
  readonly tell: (kinds: ReadonlySet<ListKind>) => void;
  /** Called when the state of the lists changed for a reason that only this class knows. */
  readonly changed: () => void;
}

/** Notifies a client of changed lists, whatever changed them. */
export class ListNews {
  readonly #options: ListNewsOptions;

  constructor(options: ListNewsOptions) {
    this.#options = options;
  }

  /** Called when the listings of servers or the client's access to them changed. */
  catalogueChanged(kinds: ReadonlySet<ListKind>): void {
    const { compact, lists, view } = this.#options;
    compact.reconsider();
    this.#tell(lists.toAnnounce(kinds, view()));
  }

  /** Handles changed profiles; a changed selection is reported by the catalogue. */
  profilesChanged(): void {
    if (!this.#options.compact.reconsider()) return;
    this.outdated();
    this.#options.changed();
  }

  /** Called when the bridge reports the lists that the client has. */
  learnHeld(params: unknown): void {
    const { lists, view, changed } = this.#options;
    if (lists.learn(params, view())) this.outdated();
    changed();
  }

  /** Notifies the client of its outdated lists. */
  outdated(): void {
    this.#tell(this.#stale());
  }

  /** Notifies the client again, of its tools in any case. */
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
