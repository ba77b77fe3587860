import type { ListMethod } from '../../../../../shared/model/mcp.ts';
import { chooseProfile, defaultListTimeoutMs } from '../../../catalogue/client-facts.ts';
import type {
  Catalogue,
  CatalogueView,
  ClientProfile,
  NameLookup,
  RawItem,
} from '../../../catalogue/contract.ts';
import { type StatusToolRule, withStatusTool } from '../../../catalogue/status-tool.ts';
import { compactView } from '../../../catalogue/view/compact-view.ts';
import { derivedView } from '../../../catalogue/view/derived-view.ts';
import { itemsOf } from '../../../catalogue/view/list-answer.ts';
import type { NameMemo } from '../../../catalogue/view/named-list.ts';
import { type PreparedList, prepareList } from '../../../catalogue/view/prepared-list.ts';

/** The catalogue that a part was selected from. */
export interface FullCatalogue {
  readonly catalogue: Catalogue;
  /** Name of the profile that selected the part; absent if grants did. */
  readonly profile?: string | undefined;
  /** The catalogue that this one is itself a part of. */
  readonly full?: FullCatalogue | undefined;
}

/** Views of the current catalogue, created once per kind of client and shared by all sessions. */
export interface Views {
  /**
   * `full` returns the catalogue that this one was selected from, so that hidden items can be told from
   * unknown ones.
   */
  of(catalogue: Catalogue, profile: ClientProfile, full?: () => FullCatalogue | undefined): CatalogueView;
  /** Returns the view of one server under its raw names. */
  ofServer(catalogue: Catalogue, serverKey: string, profile: ClientProfile): CatalogueView;
  /** Returns a view with a short list of these tools; see `compactView`. */
  compact(view: CatalogueView, direct: readonly string[]): CatalogueView;
  /** Returns a list whose digest is equal for two views exactly if a client would get the same list. */
  list(view: CatalogueView, method: ListMethod): PreparedList;
  /** Keys of the servers that support tasks. */
  taskServers(catalogue: Catalogue): ReadonlySet<string>;
}

/** `status` decides when the status tool is in the list of all tools; without it, never. */
export function createViews(
  createView: (catalogue: Catalogue, profile: ClientProfile, memo?: NameMemo) => CatalogueView,
  status?: StatusToolRule,
): Views {
  /** By catalogue, because sessions may have their own. */
  const viewsByCatalogue = new WeakMap<Catalogue, Map<string, CatalogueView>>();
  let latest: { readonly catalogue: Catalogue; readonly views: Map<string, CatalogueView> } | undefined;
  const ofOneServer = new WeakSet<CatalogueView>();
  const lists = new WeakMap<CatalogueView, Map<ListMethod, PreparedList>>();
  const compactViews = new WeakMap<CatalogueView, Map<string, CatalogueView>>();
  /** Maps a compact view to the full one, which has the same lists except tools. */
  const fullViews = new WeakMap<CatalogueView, CatalogueView>();
  const taskServers = new WeakMap<Catalogue, ReadonlySet<string>>();
  let latestTasks: { readonly catalogue: Catalogue; readonly keys: ReadonlySet<string> } | undefined;
  const keys = new WeakMap<ClientProfile, string>();
  /** By kind of client; there are few. */
  const memos = new Map<string, NameMemo>();

  function viewsOf(catalogue: Catalogue): Map<string, CatalogueView> {
    if (latest?.catalogue === catalogue) return latest.views;
    const views = getOrCreate(viewsByCatalogue, catalogue, () => new Map<string, CatalogueView>());
    latest = { catalogue, views };
    return views;
  }

  /** Runs for every message, so the key is cached. */
  function keyOf(profile: ClientProfile): string {
    return getOrCreate(keys, profile, () => profileKey(profile));
  }

  function listed(view: CatalogueView, method: ListMethod): readonly RawItem[] {
    const items = itemsOf(view, method);
    const mayHaveStatusTool = status !== undefined && method === 'tools/list' && !ofOneServer.has(view);
    return mayHaveStatusTool ? withStatusTool(items, view.isComplete, status) : items;
  }

  function of(
    catalogue: Catalogue,
    profile: ClientProfile,
    fullOf?: () => FullCatalogue | undefined,
  ): CatalogueView {
    const key = keyOf(profile);
    return getOrCreate(viewsOf(catalogue), key, () => {
      const memo = getOrCreate<string, NameMemo>(memos, key, () => new WeakMap());
      const view = createView(catalogue, profile, memo);
      const full = fullOf?.();
      return full === undefined
        ? view
        : selectedView(view, full, () => of(full.catalogue, profile, () => full.full));
    });
  }

  function compact(view: CatalogueView, direct: readonly string[]): CatalogueView {
    const known = getOrCreate(compactViews, view, () => new Map<string, CatalogueView>());
    return getOrCreate(known, JSON.stringify(direct), () => {
      const short = compactView(view, direct);
      fullViews.set(short, view);
      return short;
    });
  }

  function list(view: CatalogueView, method: ListMethod): PreparedList {
    const full = method === 'tools/list' ? undefined : fullViews.get(view);
    if (full !== undefined) return list(full, method);
    const known = getOrCreate(lists, view, () => new Map<ListMethod, PreparedList>());
    return getOrCreate(known, method, () => prepareList(method, listed(view, method)));
  }

  return {
    of,
    compact,
    list,
    ofServer: (catalogue, key, profile) =>
      getOrCreate(viewsOf(catalogue), `server ${keyOf(profile)} ${key}`, () => {
        const view = createOneServerView(catalogue, key, profile, createView);
        ofOneServer.add(view);
        return view;
      }),
    taskServers(catalogue) {
      if (latestTasks?.catalogue !== catalogue) {
        const keys = getOrCreate(taskServers, catalogue, () => findTaskServers(catalogue));
        latestTasks = { catalogue, keys };
      }
      return latestTasks.keys;
    },
  };
}

/** Distinguishes tools hidden by grants or a profile from unknown ones. */
function selectedView(
  view: CatalogueView,
  { profile }: FullCatalogue,
  fullView: () => CatalogueView,
): CatalogueView {
  return derivedView(view, {
    findTool: (name) => {
      const found = view.findTool(name);
      if (found.kind !== 'unknown') return found;
      const hidden = fullView().findTool(name);
      if (hidden.kind === 'denied') return hidden;
      if (!('target' in hidden)) return found;
      if (profile === undefined) return { kind: 'denied', target: hidden.target };
      return { kind: 'outside', target: hidden.target, profile };
    },
  });
}

function profileKey({ style, budget, pattern, isStrict, propertyNames }: ClientProfile): string {
  return `${style} ${budget} ${pattern} ${isStrict} ${propertyNames}`;
}

function findTaskServers({ servers }: Catalogue): ReadonlySet<string> {
  return new Set(servers.filter(({ offer }) => offer.capabilities.tasks !== undefined).map(({ key }) => key));
}

function getOrCreate<K, V>(
  map: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: () => V,
): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** Returns a client profile with raw server names. */
export function rawProfileOf(clientName: string): ClientProfile {
  const { isStrict, propertyNames } = chooseProfile({ clientName, programDefault: 'safe' });
  return { ...rawProfile, isStrict, ...(propertyNames === undefined ? {} : { propertyNames }) };
}

const rawProfile: ClientProfile = {
  style: 'raw',
  budget: 0,
  pattern: /^/,
  listTimeoutMs: defaultListTimeoutMs,
  honoursListChanged: true,
  isStrict: false,
};

/**
 * Creates the view of one server as a direct client would have it: its own names, and unlisted names are left
 * to the server. Items that the user turned off stay off.
 */
function createOneServerView(
  catalogue: Catalogue,
  serverKey: string,
  profile: ClientProfile,
  createView: (catalogue: Catalogue, profile: ClientProfile) => CatalogueView,
): CatalogueView {
  const servers = catalogue.servers.filter(({ key }) => key === serverKey);
  const off = catalogue.off.filter(({ key }) => key === serverKey);
  const awaited = (catalogue.awaited ?? []).filter((key) => key === serverKey);
  const view = createView({ ...catalogue, servers, off, awaited }, profile);

  /** Accepts only raw names of listed items. */
  function restrict(name: string, lookup: NameLookup): NameLookup {
    const isListed = lookup.kind !== 'unknown' && lookup.target.name === name;
    if (isListed || lookup.kind === 'server-off') return lookup;
    return { kind: 'found', target: { serverKey, name, wireName: name, item: { name } } };
  }

  return {
    ...view,
    findTool: (name) => restrict(name, view.findTool(name)),
    findPrompt: (name) => restrict(name, view.findPrompt(name)),
    findResource: (uri) => ({ serverKey, uri }),
    wireUri: (_key, uri) => uri,
  };
}
