import { type Disposable, Emitter } from '../../../base/emitter.ts';
import { changedKinds } from '../../../catalogue/catalogue-diff.ts';
import { chooseProfile, defaultListTimeoutMs, hubTimeShare } from '../../../catalogue/client-facts.ts';
import type { Catalogue, CatalogueView, ClientProfile, ListKind } from '../../../catalogue/contract.ts';
import { hasServer } from '../../../catalogue/has-server.ts';
import type { ProfileChoice } from '../../../catalogue/profiles.ts';
import type { RpcError } from '../../../jsonrpc/message.ts';
import type { ClientHandshake } from '../client-handshake.ts';
import type {
  SessionConnection,
  SessionGrants,
  SessionProfiles,
  SessionServices,
} from '../session-contract.ts';
import { profilesUnreadable, profileUnknown } from '../session-errors.ts';
import { CompactMode } from './compact-mode.ts';
import { InstanceListings } from './instance-listings.ts';
import { createSessionLists, type SessionLists } from './session-lists.ts';
import { type FullCatalogue, rawProfileOf } from './views.ts';

export interface SessionCatalogueOptions {
  readonly sessionId: string;
  readonly services: SessionServices & SessionConnection;
  readonly handshake: ClientHandshake;
  /** Aborts when the session ends. */
  readonly ended: AbortSignal;
}

/**
 * The catalogue that one session's client sees: with the listings of its own processes, limited to what was
 * granted and to its profile, in its names, and perhaps with a short list of tools.
 */
export class SessionCatalogue implements Disposable {
  readonly instances: InstanceListings;
  readonly compact: CompactMode;
  readonly lists: SessionLists;
  readonly #services: SessionServices & SessionConnection;
  readonly #handshake: ClientHandshake;
  readonly #grants: SessionGrants | undefined;
  readonly #profiles: SessionProfiles | undefined;
  readonly #changes = new Emitter<ReadonlySet<ListKind>>();
  readonly #subscriptions: readonly Disposable[];
  #choice: ProfileChoice | undefined;
  /** The granted part as it was last read. */
  #lastGranted: Catalogue | undefined;
  /** Fires with the kinds of lists that may have changed. */
  readonly onChange = this.#changes.event;

  constructor({ sessionId, services, handshake, ended }: SessionCatalogueOptions) {
    this.#services = services;
    this.#handshake = handshake;
    const grants = services.access?.open(sessionId, services.identityId);
    // An endpoint for one server determines exactly what its client gets.
    const profiles = services.only === undefined ? services.profiles : undefined;
    this.#grants = grants;
    this.#profiles = profiles;
    this.instances = new InstanceListings(services.catalogue, services.log, services.gate);
    this.compact = new CompactMode({ services, choice: () => this.choice, names: () => handshake.names });
    this.lists = createSessionLists({
      services,
      awaited: () => this.#awaited,
      timeoutMs: () => this.#listTimeoutMs,
      recorder: services.recorder,
      ended,
    });
    this.#subscriptions = [
      this.instances.onChange(({ kinds }) => this.#changes.fire(kinds)),
      ...(grants === undefined ? [] : [grants.onChange(() => this.#onGrantsChanged())]),
      ...(profiles === undefined ? [] : [profiles.onChange(() => this.#onProfilesChanged())]),
    ];
  }

  get identityId(): string | undefined {
    return this.#grants?.identityId;
  }

  get current(): Catalogue {
    const { choice } = this;
    if (this.#profiles === undefined || choice.kind === 'everything') return this.#granted;
    if (choice.kind === 'selection') return this.#profiles.select(this.#granted, choice.selection);
    return emptyCatalogue;
  }

  /** The catalogue that {@link current} was selected from; undefined if that is all of it. */
  get full(): FullCatalogue | undefined {
    const { choice } = this;
    const catalogue = this.#ungranted;
    const ungranted = catalogue && { catalogue };
    if (choice.kind !== 'selection') return ungranted;
    return { catalogue: this.#granted, profile: choice.selection.name, full: ungranted };
  }

  /** Created once, since the view is looked up for each request. */
  readonly #full = () => this.full;

  /** The complete view; undefined before `initialize`, and once the session has closed. */
  get fullView(): CatalogueView | undefined {
    const profile = this.#handshake.identified?.profile;
    if (profile === undefined) return undefined;
    const { views, only } = this.#services;
    if (only !== undefined) return views.ofServer(this.current, only, profile);
    return views.of(this.current, profile, this.#full);
  }

  /** The view with the list of tools shortened if configured. */
  get view(): CatalogueView | undefined {
    const full = this.fullView;
    return full && this.compact.view(full);
  }

  get choice(): ProfileChoice {
    this.#choice ??= this.#profiles?.choose(this.#services.profile, this.#handshake.names) ?? {
      kind: 'everything',
    };
    return this.#choice;
  }

  /** The error if the client gets nothing at all. */
  get refusal(): RpcError | undefined {
    const { choice } = this;
    if (choice.kind === 'unknown') return profileUnknown(choice.name);
    return choice.kind === 'unreadable' ? profilesUnreadable() : undefined;
  }

  /** Explains why there are no tools; undefined if unknown. Missing grants take precedence. */
  get status(): (() => string) | undefined {
    const { status } = this.#services;
    if (status === undefined) return undefined;
    return () => (this.#hidesAllTools && this.#grants !== undefined ? this.#grants.explain() : status());
  }

  /** Keys of the servers that support tasks. */
  get taskServers(): ReadonlySet<string> {
    return this.#services.views.taskServers(this.current);
  }

  profileOf(clientName: string): ClientProfile {
    const { only, askedStyle, programDefault } = this.#services;
    if (only !== undefined) return rawProfileOf(clientName);
    return chooseProfile({
      clientName,
      programDefault,
      ...(askedStyle === undefined ? {} : { asked: askedStyle }),
    });
  }

  /** Called when the client has sent `initialize`, with which more of its names are known. */
  onInitialize(): void {
    this.#grants?.identify(this.#handshake.names);
    this.#choice = undefined;
    this.compact.update();
  }

  /** Called before a list is sent; from then on the tools in a short list stay the same. */
  beforeList(): Promise<void> {
    const { identified } = this.#handshake;
    return this.compact.beforeList(identified?.client.name ?? '', () => this.fullView);
  }

  /** Checks whether the client may use anything of this server, even before it is listed. */
  sees(serverKey: string): boolean {
    return (this.#grants?.mayUse(serverKey) ?? true) && this.#selects(serverKey);
  }

  /** Checks whether the client may see anything of this server. */
  includes(serverKey: string): boolean {
    if (this.#ungranted !== undefined && !hasServer(this.#granted, serverKey)) return false;
    return this.#selects(serverKey);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#changes.dispose();
    this.#grants?.dispose();
    this.instances.dispose();
  }

  /** The part that was granted: all of it, as the same object, if nothing is withheld. */
  get #granted(): Catalogue {
    const { current } = this.instances;
    this.#lastGranted = this.#grants?.select(current) ?? current;
    return this.#lastGranted;
  }

  /** Whole catalogue, if only a part of it was granted. */
  get #ungranted(): Catalogue | undefined {
    const { current } = this.instances;
    return this.#grants === undefined || this.#grants.select(current) === current ? undefined : current;
  }

  get #hidesAllTools(): boolean {
    return this.#ungranted?.servers.some(({ offer }) => offer.tools.length > 0) === true;
  }

  /** Keys of the servers that are missing from the lists because they were never listed. */
  get #awaited(): readonly string[] {
    const { awaited = [] } = this.current;
    const { only } = this.#services;
    return only === undefined ? awaited : awaited.filter((key) => key === only);
  }

  /** A bridge has spent part of the time on reaching the hub. */
  get #listTimeoutMs(): number {
    const timeoutMs = this.#handshake.identified?.profile.listTimeoutMs ?? defaultListTimeoutMs;
    return this.#services.via === 'bridge' ? timeoutMs * hubTimeShare : timeoutMs;
  }

  #selects(serverKey: string): boolean {
    const { choice } = this;
    if (choice.kind === 'everything') return true;
    return choice.kind === 'selection' && choice.selection.servers.has(serverKey);
  }

  /** Fires only for lists that the changed grants affect, or for all if none was read yet. */
  #onGrantsChanged(): void {
    const before = this.#lastGranted;
    this.#changes.fire(before === undefined ? allKinds : changedKinds(before.servers, this.#granted.servers));
  }

  #onProfilesChanged(): void {
    const before = this.#choice;
    this.#choice = undefined;
    if (before !== undefined && isSame(before, this.choice)) this.#choice = before;
    else this.#changes.fire(allKinds);
  }
}

const emptyCatalogue: Catalogue = { revision: 0, servers: [], off: [] };

const allKinds: ReadonlySet<ListKind> = new Set(['tools', 'resources', 'prompts']);

function isSame(one: ProfileChoice, other: ProfileChoice): boolean {
  if (one.kind === 'selection') return other.kind === 'selection' && one.selection === other.selection;
  if (one.kind === 'unknown') return other.kind === 'unknown' && one.name === other.name;
  return one.kind === other.kind;
}
