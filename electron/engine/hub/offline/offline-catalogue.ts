import { readCatalogueFile } from '../../catalogue/catalogue-file.ts';
import type { Catalogue } from '../../catalogue/contract.ts';
import { readConfigFile, validateConfigText } from '../../config/store/read-config.ts';
import type { DataPaths } from '../../store/files/data-dir.ts';

/**
 * Returns the configured servers with the tools that they last listed; undefined if the files cannot be read.
 */
export async function offlineCatalogue(
  paths: Pick<DataPaths, 'config' | 'catalogue'>,
): Promise<Catalogue | undefined> {
  const reading = await readConfigFile(paths.config);
  if (reading.kind !== 'text') return undefined;
  const config = validateConfigText(paths.config, reading.text);
  if (!('servers' in config)) return undefined;
  const cached = await readCatalogueFile(paths.catalogue);
  const known = cached.kind === 'catalogue' ? [...cached.catalogue.servers, ...cached.catalogue.off] : [];
  const keys = config.servers.map(({ key }) => key);
  const servers = known.filter(({ key }) => keys.includes(key));
  const silent = keys.filter((key) => servers.every((server) => server.key !== key));
  return { revision: 0, servers, off: [], silent };
}
