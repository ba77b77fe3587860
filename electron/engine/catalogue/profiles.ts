import { type CompactSettings, type CompactSource, plainCompact } from '../../../shared/model/compact.ts';
import type { Catalogue, CatalogueServer, RawItem } from './contract.ts';

/** Of one server: all of it, also what it offers later; some tools; or all but some. Its prompts and resources go with it. */
export type ServerSelection =
  | 'all'
  | { readonly only: ReadonlySet<string> }
  | { readonly except: ReadonlySet<string> };

/** A named selection of servers and tools. What it does not name is not in it. */
export interface Selection {
  readonly name: string;
  readonly servers: ReadonlyMap<string, ServerSelection>;
  /** Clients that have it get short lists, unless they were told otherwise themselves. */
  readonly compact?: CompactSettings;
}

export interface Profiles {
  readonly byName: ReadonlyMap<string, Selection>;
  /** Name of the profile of each client that has one, by what the client calls itself or its entry is called. */
  readonly clients: ReadonlyMap<string, string>;
  /** Which clients get short lists, and which do not whatever their profile says; named as above. */
  readonly compact: ReadonlyMap<string, CompactSettings | 'off'>;
}

/** What a session gets. A profile that is not known is nothing, never everything. */
export type ProfileChoice =
  | { readonly kind: 'everything' }
  | { readonly kind: 'selection'; readonly selection: Selection }
  | { readonly kind: 'unknown'; readonly name: string }
  /** What profiles there are, and whose, cannot be read. */
  | { readonly kind: 'unreadable' };

/** `asked`: by name, at the endpoint or in the client's entry; it counts before what the client was given. */
export function chooseSelection(
  profiles: Profiles | undefined,
  asked: string | undefined,
  clients: readonly string[],
): ProfileChoice {
  if (profiles === undefined) return { kind: 'unreadable' };
  const given = clients.map((client) => profiles.clients.get(client)).find((name) => name !== undefined);
  const name = asked ?? given;
  if (name === undefined) return { kind: 'everything' };
  const selection = profiles.byName.get(name);
  return selection === undefined ? { kind: 'unknown', name } : { kind: 'selection', selection };
}

/** How a session's list of tools is kept short, and who says so. */
export interface CompactChoice {
  readonly by: CompactSource;
  readonly settings: CompactSettings;
}

/**
 * Undefined where its list is whole. `asked`: by the endpoint or the client's entry; it counts before what the client was
 * given, and that before what its profile says.
 */
export function chooseCompact(
  profiles: Profiles | undefined,
  choice: ProfileChoice,
  clients: readonly string[],
  asked: boolean,
): CompactChoice | undefined {
  const given = clients.map((client) => profiles?.compact.get(client)).find((one) => one !== undefined);
  const ofProfile = choice.kind === 'selection' ? choice.selection.compact : undefined;
  const own = given === 'off' ? undefined : given;
  if (asked) return { by: 'entry', settings: own ?? ofProfile ?? plainCompact };
  if (given === 'off') return undefined;
  if (own !== undefined) return { by: 'client', settings: own };
  return ofProfile && { by: 'profile', settings: ofProfile };
}

/** The part of a catalogue that is selected. The same for the same two, so that views of it are made once. */
export class Selector {
  readonly #catalogues = new WeakMap<Selection, WeakMap<Catalogue, Catalogue>>();
  /** A list that is selected from again keeps its identity, and with it all that is known of it. */
  readonly #lists = new WeakMap<object, WeakMap<readonly RawItem[], readonly RawItem[]>>();

  select(catalogue: Catalogue, selection: Selection): Catalogue {
    const known = made(this.#catalogues, selection, () => new WeakMap<Catalogue, Catalogue>());
    return made(known, catalogue, () => ({
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
    const known = made(this.#lists, selected, () => new WeakMap<readonly RawItem[], readonly RawItem[]>());
    return made(known, tools, () => tools.filter(({ name }) => isSelected(selected, String(name))));
  }
}

export function isSelected(selected: ServerSelection, name: string): boolean {
  if (selected === 'all') return true;
  return 'only' in selected ? selected.only.has(name) : !selected.except.has(name);
}

function made<K extends object, V>(map: WeakMap<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = make();
  map.set(key, value);
  return value;
}
