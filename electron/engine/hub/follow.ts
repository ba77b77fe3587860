import type { ConfigState } from '../config/contract.ts';
import type { HubEndpoints } from './endpoints.ts';
import type { Ground } from './ground.ts';
import type { ProblemBoard } from './problem-board.ts';
import type { HubListener } from './running-hub.ts';
import type { HubServers } from './servers.ts';

/** Servers and their lists are what the config says, from now on. */
export function followConfig(
  { config, environment, secrets, guard }: Ground,
  { catalogue, supervisor, health }: HubServers,
  problems: ProblemBoard,
  listener: HubListener,
): void {
  const arrange = ({ servers }: ConfigState) => {
    catalogue.arrange(servers);
    guard.configChanged();
    supervisor.apply(servers);
    health.settingsChanged();
  };
  const follow = (state: ConfigState) => {
    if (state.isUnknown) catalogue.doubt();
    else arrange(state);
    problems.set('config', state.problem);
    listener.configChanged(state);
  };
  config.onChange(follow);
  config.onDigest(catalogue.about);
  follow(config.state);
  if (config.digest !== undefined) catalogue.about(config.digest);
  // Secrets and, once the login shell has told them, variables: whose target is another one then starts anew.
  secrets.onChange(() => void config.reload());
  void environment.whole.then((late) => (late ? config.reload() : undefined)).catch(() => undefined);
}

/** What is known of calls goes with the clients and the servers that it is about. */
export function followClients(
  { config, configured }: Ground,
  { calls }: HubServers,
  { sessions, resilience }: HubEndpoints,
  listener: HubListener,
): void {
  let before = config.state.servers;
  config.onChange(({ servers: after }) => {
    // What is held against a server that is no more must not be held against one that gets its name.
    for (const { key } of before) if (configured(key) === undefined) resilience.circuits.reset(key);
    before = after;
  });
  resilience.circuits.onChange((key) => listener.serverChanged(key));
  sessions.onChange((clients) => calls.keepUsers(new Set(clients.map(({ id }) => id))));
}
