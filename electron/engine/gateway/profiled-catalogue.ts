import { type Disposable, Emitter } from '../base/emitter.ts';
import type { Catalogue, CatalogueChange, CatalogueStore, ListKind } from '../catalogue/contract.ts';
import { hasServer } from '../catalogue/has-server.ts';
import type { ProfileChoice } from '../catalogue/profiles.ts';
import type { RpcError } from '../rpc/message.ts';
import type { SessionProfiles } from './session-contract.ts';
import { profilesUnreadable, profileUnknown } from './session-errors.ts';

/** The catalogue that a part was selected from. */
export interface FullCatalogue {
  readonly catalogue: Catalogue;
  /** Name of the profile that selected the part; absent if grants did. */
  readonly profile?: string;
  /** The catalogue that this one is itself a part of. */
  readonly whole?: FullCatalogue;
}

export interface VisibleCatalogueOptions {
  /** The session's catalogue before the profile is applied; `whole` is what that is a part of. */
  readonly whole: Pick<CatalogueStore, 'current' | 'onChange'> & { readonly whole?: Catalogue | undefined };
  readonly profiles: SessionProfiles | undefined;
  readonly requested: string | undefined;
  /** Names of the client; more are known after `initialize`. */
  readonly clients: () => readonly string[];
}

/** The part of the catalogue that the session's profile selects. */
export class VisibleCatalogue implements Disposable {
  readonly #options: VisibleCatalogueOptions;
  readonly #changes = new Emitter<CatalogueChange>();
  readonly #subscriptions: readonly Disposable[];
  readonly onChange = this.#changes.event;
  #choice: ProfileChoice | undefined;

  constructor(options: VisibleCatalogueOptions) {
    this.#options = options;
    const { whole, profiles } = options;
    const listed = whole.onChange(({ kinds }) => this.#changes.fire({ catalogue: this.current, kinds }));
    const chosen = profiles?.onChange(() => this.#choose());
    this.#subscriptions = chosen === undefined ? [listed] : [listed, chosen];
  }

  get current(): Catalogue {
    const { whole, profiles } = this.#options;
    const { choice } = this;
    if (profiles === undefined || choice.kind === 'everything') return whole.current;
    if (choice.kind === 'selection') return profiles.select(whole.current, choice.selection);
    return emptyCatalogue;
  }

  /** Undefined if everything is visible. */
  get whole(): FullCatalogue | undefined {
    const { choice } = this;
    const ungranted = this.#options.whole.whole;
    const granted = ungranted === undefined ? undefined : { catalogue: ungranted };
    if (choice.kind !== 'selection') return granted;
    const selected = { catalogue: this.#options.whole.current, profile: choice.selection.name };
    return granted === undefined ? selected : { ...selected, whole: granted };
  }

  get choice(): ProfileChoice {
    const { profiles, requested: asked, clients } = this.#options;
    this.#choice ??= profiles?.choose(asked, clients()) ?? { kind: 'everything' };
    return this.#choice;
  }

  /** The error if the client gets nothing at all. */
  get refusal(): RpcError | undefined {
    const { choice } = this;
    if (choice.kind === 'unknown') return profileUnknown(choice.name);
    return choice.kind === 'unreadable' ? profilesUnreadable() : undefined;
  }

  /** Checks whether the session may see anything of this server. */
  includes(serverKey: string): boolean {
    const { whole } = this.#options;
    if (whole.whole !== undefined && !hasServer(whole.current, serverKey)) return false;
    return this.selects(serverKey);
  }

  /** Checks whether its profile has anything of this server. */
  selects(serverKey: string): boolean {
    const { choice } = this;
    if (choice.kind === 'everything') return true;
    return choice.kind === 'selection' && choice.selection.servers.has(serverKey);
  }

  /** Called when the client has sent `initialize`. */
  onInitialize(): void {
    this.#choice = undefined;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#changes.dispose();
  }

  #choose(): void {
    const before = this.#choice;
    this.#choice = undefined;
    if (before !== undefined && isSame(before, this.choice)) this.#choice = before;
    else this.#changes.fire({ catalogue: this.current, kinds: allKinds });
  }
}

const emptyCatalogue: Catalogue = { revision: 0, servers: [], off: [] };

const allKinds: ReadonlySet<ListKind> = new Set(['tools', 'resources', 'prompts']);

function isSame(one: ProfileChoice, other: ProfileChoice): boolean {
  if (one.kind === 'selection') return other.kind === 'selection' && one.selection === other.selection;
  if (one.kind === 'unknown') return other.kind === 'unknown' && one.name === other.name;
  return one.kind === other.kind;
}
