import { accessChanges } from '../access/access-operations.ts';
import { createHubConnector } from '../clients/hub-connector.ts';
import { createUsageSampler } from '../servers/process/table/process-usage.ts';
import { dataPaths } from '../store/files/data-dir.ts';
import { HubChecks } from '../tester/checks.ts';
import { HubTester } from '../tester/hub-tester.ts';
import type { EngineConfig, EnginePorts } from './contract.ts';
import { connectionOf, type RunningHub } from './running-hub.ts';
import { pids } from './view/views.ts';

/** Rooms that only operations use; calls work without them. */
export type HubParts = ReturnType<typeof createHubParts>;

export function createHubParts(ports: EnginePorts, config: EngineConfig, running: RunningHub) {
  const { access, catalogue, clock } = running;
  const tester = new HubTester({ hub: running, clock, version: config.version });
  return {
    usage: createUsageSampler({ clock, pids: () => pids(running) }),
    connector: createHubConnector(ports, config, () => connectionOf(running)),
    tester,
    checks: new HubChecks({ file: dataPaths(config.dataDir).checks, clock, tester, catalogue }),
    accessChanged: accessChanges(access, clock),
  };
}
