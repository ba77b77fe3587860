import type { HubView } from '../../../../shared/model/hub/hub.ts';
import type { EngineConfig, EnginePorts } from '../contract.ts';
import type { RunningHub } from '../running-hub.ts';
import { serverOf } from '../views.ts';
import type { ProgramFacts } from './contract.ts';
import { makeSupport } from './make-support.ts';

export interface SupportOptions {
  readonly ports: Pick<EnginePorts, 'secretBox' | 'inherited'>;
  readonly settings: Pick<EngineConfig, 'dataDir'>;
  readonly view: HubView;
}

/** Returns a text with everything needed to find a fault, without secrets; `running` adds what a hub knows. */
export function supportBundle(
  program: ProgramFacts,
  { ports, settings: { dataDir }, view }: SupportOptions,
  running?: RunningHub,
): Promise<string> {
  const { inherited: env = process.env } = ports;
  const common = { dataDir, env, ports, program, hub: view };
  return makeSupport(running === undefined ? common : { ...common, running: liveFacts(running) });
}

function liveFacts(hub: RunningHub) {
  const configured = hub.config.state.servers;
  const servers = configured.flatMap(({ key }) => {
    const view = serverOf(hub, key);
    return view === undefined ? [] : [{ view, log: hub.supervisor.servers.get(key)?.log.lines ?? [] }];
  });
  return { configured, servers, clients: hub.clients() };
}

/** Creates a bundle of a data folder for programs other than its hub. */
export async function offlineSupport(
  dataDir: string,
  version: string,
  env: Readonly<Record<string, string | undefined>>,
  program: ProgramFacts,
): Promise<string> {
  const hub: HubView = {
    version,
    pid: process.pid,
    startedAt: 0,
    dataDir,
    configFile: '',
    revision: 0,
    problems: [],
  };
  return makeSupport({ dataDir, env, ports: {}, program, hub });
}
