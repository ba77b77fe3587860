import { systemClock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { chooseProfile } from '../catalogue/client-facts.ts';
import { defaultDataDir } from '../store/files/data-dir.ts';
import { ClientConnector } from './connector.ts';
import type { Connector } from './contract.ts';
import type { BridgeProgram } from './launcher/launcher.ts';
import { type Machine, thisMachine } from './machine.ts';
import { listProcesses } from './running/process-list.ts';
import type { HttpTarget } from './table/entry-shape.ts';

interface ConnectorPorts {
  readonly logger: Logger;
  readonly inherited?: Readonly<Record<string, string | undefined>>;
}

interface ConnectorSettings {
  readonly dataDir: string;
  /** Starts the bridge from a client's config; without it no client can be connected. */
  readonly bridge?: BridgeProgram;
  /** The `.mcpb` bundle that comes with this program. */
  readonly bundle?: string;
  /** The machine whose client configs are edited; this machine by default. */
  readonly machine?: Machine;
}

/** Connects clients to the hub of a data folder, which need not run in this program. */
export function createHubConnector(
  { logger, inherited = process.env }: ConnectorPorts,
  settings: ConnectorSettings,
  endpoint: () => HttpTarget,
): Connector {
  const machine = settings.machine ?? thisMachine(inherited);
  return new ClientConnector({
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
    processes: machine.processes ?? (() => listProcesses(process.platform)),
  });
}
