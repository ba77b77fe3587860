import type { Problems } from '../base/problems.ts';
import type { ConfigState } from '../config/contract.ts';
import type { HubEndpoints } from './endpoints.ts';
import type { HubListener } from './hub-listener.ts';
import type { HubResources } from './hub-resources.ts';
import type { HubServers } from './servers.ts';

/** Applies the config to servers and catalogue, now and on every change. */
export function followConfig(
  { config, environment, secrets, guard }: HubResources,
  { catalogue, supervisor, health }: HubServers,
  problems: Problems,
  listener: HubListener,
): void {
  const arrange = ({ servers }: ConfigState) => {
    catalogue.setServers(servers);
    guard.configChanged();
    supervisor.apply(servers);
    health.settingsChanged();
  };
  const follow = (state: ConfigState) => {
    if (state.isUnknown) catalogue.markUnsure();
    else arrange(state);
    problems.set('config', state.problem);
    listener.configChanged(state);
  };
  config.onChange(follow);
  config.onDigest((digest) => catalogue.setConfigDigest(digest));
  follow(config.state);
  if (config.digest !== undefined) catalogue.setConfigDigest(config.digest);
  // Restarts servers whose target changes with a secret, or with a variable that the login shell reports
  // late.
  secrets.onChange(() => void config.reload());
  void environment.whole
    .then((wasIncomplete) => (wasIncomplete ? config.reload() : undefined))
    .catch(() => undefined);
}

/** Drops state about calls when its client or server disappears. */
export function followClients(
  { config, configured }: HubResources,
  { tracker }: HubServers,
  { sessions, resilience }: HubEndpoints,
  listener: HubListener,
): void {
  let before = config.state.servers;
  config.onChange(({ servers: after }) => {
    // A new server may reuse the key of a removed one and must start with closed circuits.
    for (const { key } of before) if (configured(key) === undefined) resilience.circuits.reset(key);
    before = after;
  });
  resilience.circuits.onChange((key) => listener.serverChanged(key));
  sessions.onChange((clients) => tracker.retainSessions(new Set(clients.map(({ id }) => id))));
}
