import { chooseProfile, defaultListTimeoutMs } from '../catalogue/client-table.ts';
import type { Catalogue, CatalogueView, ClientProfile, NameLookup } from '../catalogue/contract.ts';

/** Returns a client profile with raw server names. */
export function rawProfileOf(clientName: string): ClientProfile {
  return chooseProfile({ clientName, programDefault: 'safe' }).isStrict ? strictProfile : rawProfile;
}

const rawProfile: ClientProfile = {
  style: 'raw',
  budget: 0,
  pattern: /^/,
  listTimeoutMs: defaultListTimeoutMs,
  honoursListChanged: true,
  isStrict: false,
};

const strictProfile: ClientProfile = { ...rawProfile, isStrict: true };

/**
 * Creates the view of one server as a direct client would have it: its own names, and unlisted names are left
 * to the server. Items that the user turned off stay off.
 */
export function createOneServerView(
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
