import type { HubView } from '../../../../shared/model/hub.ts';
import type { EngineConfig, EnginePorts } from '../contract.ts';
import type { RunningHub } from '../running-hub.ts';
import { serverOf } from '../views.ts';
import type { ProgramFacts, SupportEngine } from './contract.ts';
import { makeSupport } from './make-support.ts';

export interface SupportEngineOptions {
  readonly running: () => RunningHub | undefined;
  readonly hub: () => HubView;
  readonly ports: Pick<EnginePorts, 'secretBox' | 'inherited'>;
  readonly settings: Pick<EngineConfig, 'dataDir'>;
}

/** Creates the support part of the engine. */
export function createSupportEngine({ running, hub, ports, settings }: SupportEngineOptions): SupportEngine {
  return {
    async support(program) {
      const opened = running();
      const { inherited: env = process.env } = ports;
      const common = { dataDir: settings.dataDir, env, ports, program, hub: hub() };
      return makeSupport(opened === undefined ? common : { ...common, running: liveFacts(opened) });
    },
  };
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
