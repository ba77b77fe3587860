import type { OperationHandlers } from '../base/operation-handlers.ts';
import type { Connector } from '../clients/contract.ts';
import type { Machine } from '../clients/machine.ts';
import { thisMachine } from '../clients/machine.ts';
import type { ConfigStore } from '../config/contract.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import { dataPaths } from '../store/files/data-dir.ts';
import type { Importer } from './contract.ts';

interface ImportingHub {
  readonly config: ConfigStore;
  readonly secrets: SecretStore;
}

export interface ImportOptions {
  readonly connector: Pick<Connector, 'list' | 'preview' | 'apply' | 'takeBack'>;
  readonly ports: { readonly inherited?: Readonly<Record<string, string | undefined>> };
  readonly settings: { readonly dataDir: string; readonly machine?: Machine };
}

/** Loads the importer with its first use. */
export function importOperations(hub: ImportingHub, options: ImportOptions) {
  let made: Promise<Importer> | undefined;
  const importer = () => {
    made ??= importerOf(hub, options);
    return made;
  };
  return {
    'import.readApps': async ({ client }) => (await importer()).readApps(client),
    'import.readFiles': async ({ files }) => (await importer()).readFiles(files),
    'import.parse': async ({ text }) => (await importer()).parse(text),
    'import.add': async (choices) => (await importer()).add(choices),
    'import.previewMove': async (wish) => ({ apps: await (await importer()).previewMove(wish) }),
    'import.move': async (wish) => (await importer()).move(wish),
    'import.undo': async ({ undoId }) => {
      await (await importer()).undo(undoId);
    },
    'import.close': ({ session }) => void made?.then((opened) => opened.close(session)),
  } satisfies Partial<OperationHandlers>;
}

/** Imports servers into a config and its vault. */
export async function importerOf(
  { config, secrets }: ImportingHub,
  { connector, ports, settings }: ImportOptions,
): Promise<Importer> {
  const { createImporter } = await import('./importer.ts');
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
