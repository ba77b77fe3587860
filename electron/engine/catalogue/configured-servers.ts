import type { CatalogueServer, CatalogueStore, ServerListing } from './contract.ts';

/** A server of the config, with its tools that are turned off. */
export interface ConfiguredEntry {
  readonly key: string;
  readonly enabled: boolean;
  /** Returns the disabled tools of a listing; the same set for the same listing. */
  readonly disabledIn: (offer: ServerListing) => ReadonlySet<string>;
}

export function storedEntry({ key, disabledTools }: CatalogueServer, enabled: boolean): ConfiguredEntry {
  return { key, enabled, disabledIn: toolSwitches(disabledTools, undefined) };
}

type ConfiguredServer = Parameters<CatalogueStore['setServers']>[0][number];

export function configuredEntry({
  key,
  enabled,
  disabledTools,
  enabledTools,
}: ConfiguredServer): ConfiguredEntry {
  const disabledIn = toolSwitches(new Set(disabledTools), enabledTools && new Set(enabledTools));
  return { key, enabled, disabledIn };
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
