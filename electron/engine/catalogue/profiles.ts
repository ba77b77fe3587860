import {
  type CompactSettings,
  type CompactSource,
  defaultCompactSettings,
} from '../../../shared/model/compact.ts';
import type { Catalogue, CatalogueServer, RawItem } from './contract.ts';

/**
 * The selected part of a server: everything, including later additions; only some tools; or all but some.
 * Prompts and resources are always included.
 */
export type ServerSelection =
  | 'all'
  | { readonly only: ReadonlySet<string> }
  | { readonly except: ReadonlySet<string> };

/** A named selection of servers and tools. Everything else is excluded. */
export interface Selection {
  readonly name: string;
  readonly servers: ReadonlyMap<string, ServerSelection>;
  /** Gives clients with this profile short lists, unless they have a setting of their own. */
  readonly compact?: CompactSettings;
}

export interface Profiles {
  readonly byName: ReadonlyMap<string, Selection>;
  /** Profile name by client, identified by its own name or its entry's name. */
  readonly clients: ReadonlyMap<string, string>;
  /** Clients with or without short lists, whatever their profile says; keyed as above. */
  readonly compact: ReadonlyMap<string, CompactSettings | 'off'>;
}

/** The part that a session gets. An unknown profile means nothing, never everything. */
export type ProfileChoice =
  | { readonly kind: 'everything' }
  | { readonly kind: 'selection'; readonly selection: Selection }
  | { readonly kind: 'unknown'; readonly name: string }
  /** The profiles cannot be read. */
  | { readonly kind: 'unreadable' };

/**
 * Chooses the profile of a session. `asked` is the name in the endpoint or the client's entry, and takes
 * precedence over the assigned one.
 */
export function chooseSelection(
  profiles: Profiles | undefined,
  requested: string | undefined,
  clients: readonly string[],
): ProfileChoice {
  if (profiles === undefined) return { kind: 'unreadable' };
  const assigned = clients.map((client) => profiles.clients.get(client)).find((name) => name !== undefined);
  const name = requested ?? assigned;
  if (name === undefined) return { kind: 'everything' };
  const selection = profiles.byName.get(name);
  return selection === undefined ? { kind: 'unknown', name } : { kind: 'selection', selection };
}

/** How a session's list of tools is shortened, and which setting requests it. */
export interface CompactChoice {
  readonly by: CompactSource;
  readonly settings: CompactSettings;
}

/**
 * Returns undefined if the list is complete. `asked` means requested by the endpoint or the client's entry,
 * which takes precedence over the client's setting, and that over the profile's.
 */
export function chooseCompact(
  profiles: Profiles | undefined,
  choice: ProfileChoice,
  clients: readonly string[],
  isRequested: boolean,
): CompactChoice | undefined {
  const assigned = clients.map((client) => profiles?.compact.get(client)).find((one) => one !== undefined);
  const ofProfile = choice.kind === 'selection' ? choice.selection.compact : undefined;
  const own = assigned === 'off' ? undefined : assigned;
  if (isRequested) return { by: 'entry', settings: own ?? ofProfile ?? defaultCompactSettings };
  if (assigned === 'off') return undefined;
  if (own !== undefined) return { by: 'client', settings: own };
  return ofProfile && { by: 'profile', settings: ofProfile };
}

/**
 * Selects parts of catalogues. The same input gives the same object, so that its views are created only once.
 */
export class Selector {
  readonly #catalogues = new WeakMap<Selection, WeakMap<Catalogue, Catalogue>>();
  /** Keeps the identity of selected lists, and with it everything cached for them. */
  readonly #lists = new WeakMap<object, WeakMap<readonly RawItem[], readonly RawItem[]>>();

  select(catalogue: Catalogue, selection: Selection): Catalogue {
    const known = getOrCreate(this.#catalogues, selection, () => new WeakMap<Catalogue, Catalogue>());
    return getOrCreate(known, catalogue, () => ({
      ...catalogue,
      servers: catalogue.servers.flatMap((server) => this.#server(server, selection)),
      off: catalogue.off.flatMap((server) => this.#server(server, selection)),
      silent: (catalogue.silent ?? []).filter((key) => selection.servers.has(key)),
      awaited: (catalogue.awaited ?? []).filter((key) => selection.servers.has(key)),
    }));
  }

  #server(server: CatalogueServer, { servers }: Selection): readonly CatalogueServer[] {
    const selected = servers.get(server.key);
    if (selected === undefined) return [];
    if (selected === 'all') return [server];
    return [{ ...server, offer: { ...server.offer, tools: this.#tools(server.offer.tools, selected) } }];
  }

  #tools(tools: readonly RawItem[], selected: Exclude<ServerSelection, 'all'>): readonly RawItem[] {
    const known = getOrCreate(
      this.#lists,
      selected,
      () => new WeakMap<readonly RawItem[], readonly RawItem[]>(),
    );
    return getOrCreate(known, tools, () => tools.filter(({ name }) => isSelected(selected, String(name))));
  }
}

export function isSelected(selected: ServerSelection, name: string): boolean {
  if (selected === 'all') return true;
  return 'only' in selected ? selected.only.has(name) : !selected.except.has(name);
}

function getOrCreate<K extends object, V>(map: WeakMap<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = make();
  map.set(key, value);
  return value;
}
