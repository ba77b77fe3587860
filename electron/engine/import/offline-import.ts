import { finishRestore } from '../backup/restore-journal.ts';
import { systemClock } from '../base/clock.ts';
import { silentLogger } from '../base/logger.ts';
import { createHubConnector } from '../clients/hub-connector.ts';
import { createConfigStore } from '../config/store/store.ts';
import { openSecretStore } from '../secrets/secret-store.ts';
import { openVault } from '../secrets/sign-ins.ts';
import { dataPaths, openDataDir } from '../store/files/data-dir.ts';
import { acquireInstanceLock } from '../store/files/instance-lock.ts';
import type { Importer } from './contract.ts';
import { importerOf } from './import-operations.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Finds servers to import into a data folder on which no hub runs; writes nothing and creates no folder. */
export function offlineImportPreview<T>(
  dataDir: string,
  env: Environment,
  act: (imports: Importer) => Promise<T>,
): Promise<T> {
  return withImporter(dataDir, env, false, act);
}

/**
 * Imports servers into a data folder on which no hub runs, and keeps hubs from starting meanwhile. Rejects
 * with ProblemError, `hub.already_running` while one runs.
 */
export async function offlineImport<T>(
  dataDir: string,
  version: string,
  env: Environment,
  act: (imports: Importer) => Promise<T>,
): Promise<T> {
  const paths = await openDataDir(dataDir);
  const lock = await acquireInstanceLock(paths.hub, version);
  try {
    await finishRestore(paths);
    return await withImporter(paths.dir, env, true, act);
  } finally {
    await lock.release();
  }
}

async function withImporter<T>(
  dataDir: string,
  env: Environment,
  create: boolean,
  act: (imports: Importer) => Promise<T>,
): Promise<T> {
  const paths = dataPaths(dataDir);
  const clock = systemClock;
  const vault = openVault({ ports: {}, paths, env, clock });
  const secrets = await openSecretStore({ vault, file: paths.secrets, clock, onRead: () => {} });
  const config = await createConfigStore({ file: paths.config, env: () => env, secrets, create });
  const ports = { logger: silentLogger, inherited: env };
  const settings = { dataDir };
  const connector = createHubConnector(ports, settings, () => {
    throw new Error('Patchbay is not running, so there is no endpoint');
  });
  try {
    return await act(await importerOf({ config, secrets }, { connector, ports, settings }));
  } finally {
    connector.dispose();
    config.dispose();
    secrets.dispose();
  }
}
