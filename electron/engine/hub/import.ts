import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Connector } from '../clients/contract.ts';
import { createJournal } from '../clients/journal/journal.ts';
import { thisMachine } from '../clients/machine.ts';
import type { ConfigStore } from '../config/contract.ts';
import type { Importer } from '../import/contract.ts';
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

/**
 * Brings servers along, for the engine. What was read is forgotten with the hub that it was read for. What does it is loaded
 * with its first use.
 */
export function createImportEngine(options: ImportEngineOptions): ImportEngine {
  let made: { readonly hub: ImportingHub; readonly importer: Promise<Importer> } | undefined;
  const importer = () => {
    const hub = options.open();
    if (made?.hub !== hub) made = { hub, importer: importerOf(hub, options) };
    return made.importer;
  };
  return {
    imports: {
      sources: async () => (await importer()).sources(),
      read: async (source) => (await importer()).read(source),
      readFile: async (file) => (await importer()).readFile(file),
      parse: async (text) => (await importer()).parse(text),
      add: async (choices) => (await importer()).add(choices),
      undo: async (undoId) => (await importer()).undo(undoId),
      close: (session) => void made?.importer.then((opened) => opened.close(session)),
    },
  };
}

async function importerOf(
  { config, secrets, clock }: ImportingHub,
  { connector, ports, settings }: ImportEngineOptions,
): Promise<Importer> {
  const { createImporter } = await import('../import/importer.ts');
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
