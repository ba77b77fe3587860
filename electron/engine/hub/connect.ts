import { systemClock } from '../base/clock.ts';
import { chooseProfile } from '../catalogue/client-table.ts';
import { createConnector } from '../clients/connector.ts';
import type { Connector } from '../clients/contract.ts';
import { thisMachine } from '../clients/machine.ts';
import { listProcesses } from '../clients/running/process-list.ts';
import { clientTable } from '../clients/table/client-table.ts';
import type { HttpTarget } from '../clients/table/entry-shape.ts';
import { defaultDataDir } from '../store/data-dir.ts';
import type { EngineConfig, EnginePorts } from './contract.ts';

/** Returns the names of the servers that an app starts itself, as far as its config files can be read. */
export async function serversStartedByApp(
  connector: Pick<Connector, 'list'>,
  client: string,
  { inherited = process.env }: Pick<EnginePorts, 'inherited'>,
): Promise<readonly string[]> {
  const { readApps } = await import('../import/read-apps.ts');
  const row = clientTable.find(({ id }) => id === client);
  const files = (await connector.list()).find(({ id }) => id === client)?.files ?? [];
  if (row === undefined || files.length === 0) return [];
  const apps = files.map(({ file }) => ({ row, file }));
  return (await readApps(apps, thisMachine(inherited))).servers.map(({ key }) => key);
}

/** Connects clients to the hub of a data folder, which need not run in this program. */
export function createHubConnector(
  { logger, inherited = process.env }: Pick<EnginePorts, 'logger' | 'inherited'>,
  settings: Pick<EngineConfig, 'dataDir' | 'bridge' | 'bundle' | 'machine'>,
  endpoint: () => HttpTarget,
): Connector {
  const machine = settings.machine ?? thisMachine(inherited);
  return createConnector({
    dataDir: settings.dataDir,
    ownDataDir: settings.dataDir !== defaultDataDir({}),
    machine,
    clock: systemClock,
    log: logger,
    bridge: settings.bridge,
    bundle: settings.bundle,
    rule: (clientName) =>
      chooseProfile({ programDefault: 'safe', ...(clientName === undefined ? {} : { clientName }) }),
    endpoint,
    processes: () => listProcesses(process.platform),
  });
}
