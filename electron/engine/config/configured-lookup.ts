import type { ConfigStore, ConfiguredServer } from './contract.ts';

/** Returns the server with a key, as the config has it now. */
export type ConfiguredLookup = (key: string) => ConfiguredServer | undefined;

/** Builds an index for every config, since this is called for every tool call. */
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
