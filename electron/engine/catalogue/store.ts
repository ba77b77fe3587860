import type { Problem } from '../../../shared/error/problem.ts';
import type { Clock } from '../base/clock.ts';
import { createCoalescer } from '../base/coalescer.ts';
import { Emitter } from '../base/emitter.ts';
import { changedKinds, isSameServers, shareUnchanged } from './catalogue-diff.ts';
import type {
  Catalogue,
  CatalogueChange,
  CatalogueServer,
  CatalogueStore,
  ListKind,
  ServerListing,
  ToolGate,
} from './contract.ts';
import { strictItems } from './strict-items.ts';
import { validateListing } from './usable-offer.ts';

export interface CatalogueStoreOptions {
  readonly clock: Clock;
  /** Milliseconds for which changes are collected before an event fires. */
  readonly coalesceMs?: number;
  /** The last known catalogue, in effect and marked as cached until servers are listed again. */
  readonly stored?: Catalogue;
  /** Checks new listings; by default nothing is quarantined. */
  readonly gate?: ToolGate;
}

/**
 * Owns the listings of all servers. Lists that are received again unchanged keep their identity, and cause
 * neither a new revision nor an event.
 */
export function createCatalogueStore(options: CatalogueStoreOptions): CatalogueStore {
  const changes = new Emitter<CatalogueChange>();
  const known = new Map<string, KnownListing>();
  let current: Catalogue = options.stored ?? { revision: 0, servers: [], off: [] };
  let configured: readonly ConfiguredEntry[] = [
    ...current.servers.map((server) => toConfiguredEntry(server, true)),
    ...current.off.map((server) => toConfiguredEntry(server, false)),
  ];
  let announced = current;
  /**
   * Kinds that changed since the last event, even if they changed back, because a client may have listed in
   * between.
   */
  let unannounced = new Set<ListKind>();
  let outdated = false;
  let settled: ReadonlySet<string> = noNames;
  let isUnsure = false;
  let config = current.config;

  for (const { key, offer, setAside, strict, heldTools, judged } of [...current.servers, ...current.off])
    known.set(key, { offer, setAside, strict, heldTools, ...(judged ? { judged } : {}), cached: true });

  const { gate } = options;
  const judged = gate?.onChange((key) => {
    const offered = known.get(key);
    if (offered === undefined) return;
    known.set(key, { ...offered, heldTools: gate.quarantine(key, offered.offer.tools, known), judged: true });
    touch();
  });

  const notice = createCoalescer(options.clock, options.coalesceMs ?? 50, () => {
    const catalogue = refresh();
    if (catalogue === announced) return;
    const kinds = unannounced;
    announced = catalogue;
    unannounced = new Set();
    changes.fire({ catalogue, kinds });
  });

  function touch(): void {
    outdated = true;
    notice.mark();
  }

  function refresh(): Catalogue {
    if (!outdated) return current;
    outdated = false;
    const servers = serversOf(
      configured.filter(({ enabled }) => enabled),
      known,
    );
    const off = serversOf(
      configured.filter(({ enabled }) => !enabled),
      known,
    );
    const unknown = configured.filter(({ key }) => !known.has(key));
    const silent = unknown.map(({ key }) => key);
    const awaited = unknown.flatMap(({ key, enabled }) => (enabled && !settled.has(key) ? [key] : []));
    if (
      isSameServers(current.servers, servers) &&
      isSameServers(current.off, off) &&
      isSameList(current.silent ?? [], silent) &&
      isSameList(current.awaited ?? [], awaited) &&
      (current.isUnsure ?? false) === isUnsure &&
      current.config === config
    )
      return current;
    const kinds = changedKinds(current.servers, servers);
    for (const kind of kinds) unannounced.add(kind);
    const revision = current.revision + (kinds.size === 0 ? 0 : 1);
    current = { revision, servers, off, silent, awaited, config, ...(isUnsure ? { isUnsure } : {}) };
    return current;
  }

  return {
    get current() {
      return refresh();
    },
    onChange: changes.event,
    setConfigDigest(digest) {
      config = digest;
      touch();
    },
    setServers(servers) {
      const kept = new Set(servers.filter(({ enabled }) => enabled).map(({ key }) => key));
      // A disabled server may change meanwhile, so its listing counts as cached until it is listed again.
      for (const [key, offer] of known) if (!kept.has(key)) known.set(key, { ...offer, cached: true });
      isUnsure = false;
      configured = servers.map(({ key, enabled, disabledTools, enabledTools }) => ({
        key,
        enabled,
        disabledIn: toolSwitches(new Set(disabledTools), enabledTools && new Set(enabledTools)),
      }));
      touch();
    },
    setListing(key, raw) {
      const usable = validateListing(key, raw);
      const offer = shareUnchanged(known.get(key)?.offer, usable.offer);
      const before = known.get(key);
      const strict = before?.offer === offer ? before.strict : strictItems(offer);
      const heldTools = gate?.quarantine(key, offer.tools, known) ?? noNames;
      const judged = gate === undefined ? {} : { judged: true as const };
      known.set(key, { offer, setAside: usable.setAside, strict, heldTools, ...judged, cached: false });
      touch();
    },
    setSettled(keys) {
      settled = keys;
      touch();
    },
    markUnsure() {
      isUnsure = true;
      touch();
    },
    clearListing(key) {
      gate?.quarantine(key, [], known);
      if (known.delete(key)) touch();
    },
    flush: () => notice.flush(),
    dispose() {
      judged?.dispose();
      notice.dispose();
      changes.dispose();
    },
  };
}

const noNames: ReadonlySet<string> = new Set();

interface KnownListing {
  readonly offer: ServerListing;
  readonly setAside: readonly Problem[];
  readonly strict: CatalogueServer['strict'];
  readonly heldTools: CatalogueServer['heldTools'];
  readonly judged?: true;
  readonly cached: boolean;
}

interface ConfiguredEntry {
  readonly key: string;
  readonly enabled: boolean;
  /** Returns the disabled tools of a listing; the same set for the same listing. */
  readonly disabledIn: (offer: ServerListing) => ReadonlySet<string>;
}

function toConfiguredEntry({ key, disabledTools }: CatalogueServer, enabled: boolean): ConfiguredEntry {
  return { key, enabled, disabledIn: toolSwitches(disabledTools, undefined) };
}

/** If only some tools are enabled, all others are disabled, including those added later. */
function toolSwitches(
  disabled: ReadonlySet<string>,
  enabled: ReadonlySet<string> | undefined,
): ConfiguredEntry['disabledIn'] {
  if (enabled === undefined) return () => disabled;
  const known = new WeakMap<ServerListing, ReadonlySet<string>>();
  return (offer) => {
    const found = known.get(offer);
    if (found !== undefined) return found;
    const others = offer.tools.flatMap(({ name }) =>
      typeof name === 'string' && !enabled.has(name) ? [name] : [],
    );
    const off = new Set([...disabled, ...others]);
    known.set(offer, off);
    return off;
  };
}

function serversOf(
  arrangement: readonly ConfiguredEntry[],
  known: ReadonlyMap<string, KnownListing>,
): readonly CatalogueServer[] {
  return arrangement.flatMap(({ key, disabledIn }) => {
    const offered = known.get(key);
    return offered === undefined ? [] : [{ key, disabledTools: disabledIn(offered.offer), ...offered }];
  });
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((key, index) => key === other[index]);
}
