import { isDeepStrictEqual } from 'node:util';
import type { CompactSettings } from '../../../shared/model/compact.ts';
import type { CatalogueView } from '../catalogue/contract.ts';
import type { CompactChoice, ProfileChoice } from '../catalogue/profiles.ts';
import type { SessionConnection, SessionSurroundings } from './session-contract.ts';

export interface CompactModeOptions {
  readonly session: SessionSurroundings & SessionConnection;
  readonly choice: () => ProfileChoice;
  /** What the client is known as, the surest first. */
  readonly names: () => readonly string[];
}

/** Whether one session's list of tools is a short one, and which tools stand in it. */
export class CompactMode {
  readonly #options: CompactModeOptions;
  #choice: { readonly of: CompactChoice | undefined } | undefined;
  #ranking: readonly string[] = [];
  #ranked: Promise<void> | undefined;
  /** Once a list has been sent, those that were most used then stay in it while the session lasts. */
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

  /** Profiles, or who has which, may be others now; true where the list may be another one for it. */
  reconsider(): boolean {
    const of = this.#choose();
    if (isDeepStrictEqual(of, this.choice)) return false;
    this.#choice = { of };
    return true;
  }

  /** The view as its client gets it. */
  view(full: CatalogueView): CatalogueView {
    const { choice } = this;
    if (choice === undefined) return full;
    if (this.#made?.full === full && this.#made.choice === choice) return this.#made.view;
    const view = this.#options.session.views.compact(full, this.direct(full, choice));
    this.#made = { full, choice, view };
    return view;
  }

  /** Resolves when it is known what the client uses most, where that counts. */
  async ranked(client: string): Promise<void> {
    const { ranking } = this.#options.session;
    if (ranking === undefined || this.choice === undefined || this.choice.settings.direct === 0) return;
    this.#ranked ??= ranking(client).then((ids) => {
      this.#ranking = ids;
      this.#made = undefined;
    });
    await this.#ranked;
  }

  /** A list is about to be sent: what stands in it is not exchanged for other things any more. */
  async beforeList(client: string, full: () => CatalogueView | undefined): Promise<void> {
    await this.ranked(client);
    const view = full();
    if (view !== undefined) this.#settle(view);
  }

  /** What can be called directly, by `server:tool`. */
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
    // One server is as if its client were connected to it.
    if (find === undefined || only !== undefined) return undefined;
    return profiles?.compact(choice(), names(), compact === true);
  }
}

/** What stands in a short list beside the search, by `server:tool`: what is pinned, then what was used most. */
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
