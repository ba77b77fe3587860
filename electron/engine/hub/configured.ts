import type { ConfigStore, ConfiguredServer } from '../config/contract.ts';

/** The server of a key, as the config says now. */
export type ConfiguredLookup = (key: string) => ConfiguredServer | undefined;

/** Asked at every call: it searches nothing, and is made anew only when the config changes. */
export function createConfiguredLookup(config: Pick<ConfigStore, 'state'>): ConfiguredLookup {
  let known = config.state;
  let byKey = indexOf(known.servers);
  return (key) => {
    if (config.state !== known) {
      known = config.state;
      byKey = indexOf(known.servers);
    }
    return byKey.get(key);
  };
}

function indexOf(servers: readonly ConfiguredServer[]): ReadonlyMap<string, ConfiguredServer> {
  return new Map(servers.map((server) => [server.key, server]));
}
