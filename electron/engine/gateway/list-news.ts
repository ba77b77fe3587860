import type { CatalogueView, ListKind } from '../catalogue/contract.ts';
import type { CompactMode } from './compact-mode.ts';
import type { SessionLists } from './session-lists.ts';

export interface ListChangeNotifierOptions {
  readonly lists: SessionLists;
  readonly compact: CompactMode;
  /** The current view. */
  readonly view: () => CatalogueView | undefined;
  /** Tells whether the client may be sent notifications. */
  readonly mayNotify: () => boolean;
  readonly notify: (kinds: ReadonlySet<ListKind>) => void;
  /** Called when the state of the lists changed for a reason that only this class knows. */
  readonly onChanged: () => void;
}

/** Notifies a client of changed lists, whatever changed them. */
export class ListChangeNotifier {
  readonly #options: ListChangeNotifierOptions;

  constructor(options: ListChangeNotifierOptions) {
    this.#options = options;
  }

  /** Called when the listings of servers or the client's access to them changed. */
  onCatalogueChanged(kinds: ReadonlySet<ListKind>): void {
    const { compact, lists, view } = this.#options;
    compact.update();
    this.#notify(lists.toAnnounce(kinds, view()));
  }

  /** Handles changed profiles; a changed selection is reported by the catalogue. */
  onProfilesChanged(): void {
    if (!this.#options.compact.update()) return;
    this.notifyOutdated();
    this.#options.onChanged();
  }

  /** Called when the bridge reports the lists that the client has. */
  onClientLists(params: unknown): void {
    const { lists, view, onChanged: changed } = this.#options;
    if (lists.onClientLists(params, view())) this.notifyOutdated();
    changed();
  }

  /** Notifies the client of its outdated lists. */
  notifyOutdated(): void {
    this.#notify(this.#outdated());
  }

  /** Notifies the client again, of its tools in any case. */
  notifyAgain(): void {
    const stale = this.#outdated();
    this.#notify(stale.size > 0 ? stale : new Set(['tools']));
  }

  #outdated(): ReadonlySet<ListKind> {
    const { lists, view } = this.#options;
    return lists.outdated(view());
  }

  #notify(kinds: ReadonlySet<ListKind>): void {
    if (this.#options.mayNotify()) this.#options.notify(kinds);
  }
}
