import { isDeepStrictEqual } from 'node:util';
import type { CompactSettings } from '../../../shared/model/compact.ts';
import type { CatalogueView } from '../catalogue/contract.ts';
import type { CompactChoice, ProfileChoice } from '../catalogue/profiles.ts';
import type { SessionConnection, SessionSurroundings } from './session-contract.ts';

export interface CompactModeOptions {
  readonly session: SessionSurroundings & SessionConnection;
  readonly choice: () => ProfileChoice;
  /** Names of the client, most reliable first. */
  readonly names: () => readonly string[];
}

/** Decides whether a session gets a short list of tools, and which tools are in it. */
export class CompactMode {
  readonly #options: CompactModeOptions;
  #choice: { readonly of: CompactChoice | undefined } | undefined;
  #ranking: readonly string[] = [];
  #ranked: Promise<void> | undefined;
  /** The most used tools of the first list that was sent; they stay for the whole session. */
  #settled: { readonly count: number; readonly ids: readonly string[] } | undefined;
  #made:
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
  reconsider(): boolean {
    const of = this.#choose();
    if (isDeepStrictEqual(of, this.choice)) return false;
    this.#choice = { of };
    return true;
  }

  /** Returns the view that the client gets. */
  view(full: CatalogueView): CatalogueView {
    const { choice } = this;
    if (choice === undefined) return full;
    if (this.#made?.full === full && this.#made.choice === choice) return this.#made.view;
    const view = this.#options.session.views.compact(full, this.direct(full, choice));
    this.#made = { full, choice, view };
    return view;
  }

  /** Loads the client's most used tools, if they matter. */
  async ranked(client: string): Promise<void> {
    const { ranking } = this.#options.session;
    if (ranking === undefined || this.choice === undefined || this.choice.settings.direct === 0) return;
    this.#ranked ??= ranking(client).then((ids) => {
      this.#ranking = ids;
      this.#made = undefined;
    });
    await this.#ranked;
  }

  /** Called before a list is sent; from then on the most used tools stay the same. */
  async beforeList(client: string, full: () => CatalogueView | undefined): Promise<void> {
    await this.ranked(client);
    const view = full();
    if (view !== undefined) this.#settle(view);
  }

  /** Returns the tools that can be called directly, as `server:tool`. */
  direct(full: CatalogueView, { settings }: CompactChoice): readonly string[] {
    const isSettled = this.#settled?.count === settings.direct;
    return directTools(full, settings, isSettled ? (this.#settled?.ids ?? []) : this.#ranking);
  }

  #settle(full: CatalogueView): void {
    const { choice } = this;
    if (choice === undefined || this.#settled?.count === choice.settings.direct) return;
    const { direct: count } = choice.settings;
    this.#settled = { count, ids: firstFound(full, this.#ranking, count) };
  }

  #choose(): CompactChoice | undefined {
    const { session, choice, names } = this.#options;
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
  whole: CatalogueView,
  { direct, pinned }: CompactSettings,
  used: readonly string[],
): readonly string[] {
  return [...new Set([...pinned, ...firstFound(whole, used, direct)])];
}

function firstFound(whole: CatalogueView, ids: readonly string[], count: number): readonly string[] {
  return ids.filter((id) => whole.findTool(id).kind === 'found').slice(0, count);
}
