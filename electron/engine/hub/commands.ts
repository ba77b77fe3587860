import { ProblemError } from '../../../shared/error/problem.ts';
import type { CommandExplanation } from '../../../shared/model/server/command.ts';
import { hubInstanceId } from '../../../shared/model/server/loop.ts';
import type { Clock } from '../base/clock.ts';
import { unknownServer } from '../catalogue/unknown-names.ts';
import type { ConfiguredLookup } from '../config/configured-lookup.ts';
import type { ConfigStore } from '../config/contract.ts';
import type { Supervisor } from '../servers/contract.ts';
import { createCommandExplainer } from '../servers/environment/command-explainer.ts';
import { defaultFolder } from '../servers/environment/default-folder.ts';
import type { EngineConfig, EnginePorts } from './contract.ts';
import type { HubEnvironment } from './hub-environment.ts';

export interface HubCommandsOptions {
  readonly ports: EnginePorts;
  readonly settings: EngineConfig;
  readonly clock: Clock;
  readonly environment: HubEnvironment;
  readonly config: ConfigStore;
  readonly configured: ConfiguredLookup;
  readonly supervisor: Supervisor;
}

/** Explains which file a server's command runs, and in which environment it is looked up. */
export interface HubCommands {
  explain(key: string): Promise<CommandExplanation>;
  /** Resolves to the names of the changed variables; the config is expanded with them at once. */
  reloadEnvironment(): Promise<readonly string[]>;
  /**
   * Reloads the environment before a start that the user asked for: a missing command may have been installed
   * since.
   */
  refreshIfMissing(key: string): Promise<void>;
}

export function openHubCommands(options: HubCommandsOptions): HubCommands {
  const { ports, settings, clock, environment, config, configured, supervisor } = options;
  const explainer = createCommandExplainer({
    clock,
    env: ports.env,
    ...(ports.environment === undefined ? {} : { environment: ports.environment }),
    instanceId: hubInstanceId(settings.dataDir),
    defaultCwd: defaultFolder(),
  });
  const reloadEnvironment = async () => {
    const changed = await environment.reload();
    if (changed.length > 0) await config.reload();
    return changed;
  };
  return {
    explain: async (key) => {
      const server = configured(key);
      if (server === undefined) throw new ProblemError(unknownServer(key));
      return explainer.explain(server);
    },
    reloadEnvironment,
    refreshIfMissing: async (key) => {
      const state = supervisor.servers.get(key)?.state;
      const problem = state !== undefined && 'problem' in state ? state.problem : undefined;
      // A failing login shell is reported elsewhere; the start is tried anyway.
      if (problem?.code === 'server.command_not_found') await reloadEnvironment().catch(() => undefined);
    },
  };
}
