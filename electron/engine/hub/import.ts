import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Connector } from '../clients/contract.ts';
import { createJournal } from '../clients/journal/journal.ts';
import { thisMachine } from '../clients/machine.ts';
import type { ConfigStore } from '../config/contract.ts';
import type { Importer } from '../import/contract.ts';
import { createImporter } from '../import/importer.ts';
import { dataPaths } from '../store/data-dir.ts';
import type { EngineConfig, EnginePorts } from './contract.ts';
import type { ImportEngine } from './import-contract.ts';
import type { SecretStore } from './secret-store.ts';

interface ImportingHub {
  readonly config: ConfigStore;
  readonly secrets: SecretStore;
  readonly clock: Clock;
}

export interface ImportEngineOptions {
  /** Throws ProblemError while no hub runs. */
  readonly open: () => ImportingHub;
  readonly connector: Pick<Connector, 'preview' | 'apply' | 'undo'>;
  readonly ports: Pick<EnginePorts, 'inherited'>;
  readonly settings: Pick<EngineConfig, 'dataDir' | 'machine'>;
}

/** Brings servers along, for the engine. What was read is forgotten with the hub that it was read for. */
export function createImportEngine(options: ImportEngineOptions): ImportEngine {
  let made: { readonly hub: ImportingHub; readonly importer: Importer } | undefined;
  const importer = () => {
    const hub = options.open();
    if (made?.hub !== hub) made = { hub, importer: importerOf(hub, options) };
    return made.importer;
  };
  return {
    imports: {
      sources: async () => importer().sources(),
      read: async (source) => importer().read(source),
      readFile: async (file) => importer().readFile(file),
      parse: async (text) => importer().parse(text),
      add: async (choices) => importer().add(choices),
      undo: async (undoId) => importer().undo(undoId),
      close: (session) => made?.importer.close(session),
    },
  };
}

function importerOf(
  { config, secrets, clock }: ImportingHub,
  { connector, ports, settings }: ImportEngineOptions,
): Importer {
  const { inherited = process.env } = ports;
  return createImporter({
    config,
    vault: {
      get: secrets.get,
      isStored: (name) => secrets.known.some((known) => known.name === name),
      set: secrets.set,
      delete: secrets.delete,
    },
    machine: settings.machine ?? thisMachine(inherited),
    bundles: dataPaths(settings.dataDir).bundles,
    backups: join(settings.dataDir, 'backups'),
    connector,
    journal: createJournal(join(settings.dataDir, 'clients.journal'), clock),
    now: () => clock.now(),
  });
}
