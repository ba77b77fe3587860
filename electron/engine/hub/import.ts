import type { Connector } from '../clients/contract.ts';
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
}

export interface ImportEngineOptions {
  /** Throws ProblemError while no hub runs. */
  readonly open: () => ImportingHub;
  readonly connector: Pick<Connector, 'list' | 'preview' | 'apply' | 'takeBack'>;
  readonly ports: Pick<EnginePorts, 'inherited'>;
  readonly settings: Pick<EngineConfig, 'dataDir' | 'machine'>;
}

/**
 * Imports servers for the engine. Read entries are forgotten with the hub they were read for. The importer is
 * loaded on first use.
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
      readApps: async (client) => (await importer()).readApps(client),
      readFiles: async (files) => (await importer()).readFiles(files),
      parse: async (text) => (await importer()).parse(text),
      add: async (choices) => (await importer()).add(choices),
      previewMove: async (wish) => (await importer()).previewMove(wish),
      move: async (wish) => (await importer()).move(wish),
      undo: async (undoId) => (await importer()).undo(undoId),
      close: (session) => void made?.importer.then((opened) => opened.close(session)),
    },
  };
}

/** Creates an importer for a config and its vault. */
export async function importerOf(
  { config, secrets }: ImportingHub,
  { connector, ports, settings }: Omit<ImportEngineOptions, 'open'>,
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
    connector,
  });
}
