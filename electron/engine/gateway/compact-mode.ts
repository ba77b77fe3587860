import { isDeepStrictEqual } from 'node:util';
import type { CompactSettings } from '../../../shared/model/compact.ts';
import type { CatalogueView } from '../catalogue/contract.ts';
import type { CompactChoice, ProfileChoice } from '../catalogue/profiles.ts';
import type { SessionConnection, SessionServices } from './session-contract.ts';

export interface CompactModeOptions {
  readonly services: SessionServices & SessionConnection;
  readonly choice: () => ProfileChoice;
  /** Names of the client, most reliable first. */
  readonly names: () => readonly string[];
}

/** Decides whether a session gets a short list of tools, and which tools are in it. */
export class CompactMode {
  readonly #options: CompactModeOptions;
  #choice: { readonly of: CompactChoice | undefined } | undefined;
  #ranking: readonly string[] = [];
  #rankingLoaded: Promise<void> | undefined;
  /** The most used tools of the first list that was sent; they stay for the whole session. */
  #firstRanking: { readonly count: number; readonly ids: readonly string[] } | undefined;
  #cachedView:
    | { readonly full: CatalogueView; readonly choice: CompactChoice; readonly view: CatalogueView }
    | undefined;

  constructor(options: CompactModeOptions) {
    this.#options = options;
  }

  get choice(): CompactChoice | undefined {
    this.#choice ??= { of: this.#choose() };
    return this.#choice.of;
  }

  /** Chooses again after profiles or their assignment changed. Returns true if the choice changed. */
  update(): boolean {
    const of = this.#choose();
    if (isDeepStrictEqual(of, this.choice)) return false;
    this.#choice = { of };
    return true;
  }

  /** Returns the view that the client gets. */
  view(full: CatalogueView): CatalogueView {
    const { choice } = this;
    if (choice === undefined) return full;
    if (this.#cachedView?.full === full && this.#cachedView.choice === choice) return this.#cachedView.view;
    const view = this.#options.services.views.compact(full, this.direct(full, choice));
    this.#cachedView = { full, choice, view };
    return view;
  }

  /** Loads the client's most used tools, if they matter. */
  async loadRanking(client: string): Promise<void> {
    const { ranking } = this.#options.services;
    if (ranking === undefined || this.choice === undefined || this.choice.settings.direct === 0) return;
    this.#rankingLoaded ??= ranking(client).then((ids) => {
      this.#ranking = ids;
      this.#cachedView = undefined;
    });
    await this.#rankingLoaded;
  }

  /** Called before a list is sent; from then on the most used tools stay the same. */
  async beforeList(client: string, full: () => CatalogueView | undefined): Promise<void> {
    await this.loadRanking(client);
    const view = full();
    if (view !== undefined) this.#fixRanking(view);
  }

  /** Returns the tools that can be called directly, as `server:tool`. */
  direct(full: CatalogueView, { settings }: CompactChoice): readonly string[] {
    const isSettled = this.#firstRanking?.count === settings.direct;
    return directTools(full, settings, isSettled ? (this.#firstRanking?.ids ?? []) : this.#ranking);
  }

  #fixRanking(full: CatalogueView): void {
    const { choice } = this;
    if (choice === undefined || this.#firstRanking?.count === choice.settings.direct) return;
    const { direct: count } = choice.settings;
    this.#firstRanking = { count, ids: firstFound(full, this.#ranking, count) };
  }

  #choose(): CompactChoice | undefined {
    const { services: session, choice, names } = this.#options;
    const { profiles, find, only, compact } = session;
    // An endpoint for one server behaves like a direct connection.
    if (find === undefined || only !== undefined) return undefined;
    return profiles?.compact(choice(), names(), compact === true);
  }
}

/**
 * Returns the tools in a short list besides the hub's own, as `server:tool`: the pinned ones, then the most
 * used ones.
 */
export function directTools(
  view: CatalogueView,
  { direct, pinned }: CompactSettings,
  used: readonly string[],
): readonly string[] {
  return [...new Set([...pinned, ...firstFound(view, used, direct)])];
}

function firstFound(view: CatalogueView, ids: readonly string[], count: number): readonly string[] {
  return ids.filter((id) => view.findTool(id).kind === 'found').slice(0, count);
}
