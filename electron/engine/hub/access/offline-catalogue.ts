import { readCatalogueFile } from '../../catalogue/catalogue-file.ts';
import type { Catalogue } from '../../catalogue/contract.ts';
import { judgeText, readConfigFile } from '../../config/reading.ts';
import type { DataPaths } from '../../store/data-dir.ts';

/**
 * Returns the configured servers with the tools that they last listed; undefined if the files cannot be read.
 */
export async function offlineCatalogue(
  paths: Pick<DataPaths, 'config' | 'catalogue'>,
): Promise<Catalogue | undefined> {
  const reading = await readConfigFile(paths.config);
  if (reading.kind !== 'text') return undefined;
  const good = judgeText(paths.config, reading.text);
  if (!('servers' in good)) return undefined;
  const kept = await readCatalogueFile(paths.catalogue);
  const known = kept.kind === 'catalogue' ? [...kept.catalogue.servers, ...kept.catalogue.off] : [];
  const keys = good.servers.map(({ key }) => key);
  const servers = known.filter(({ key }) => keys.includes(key));
  const silent = keys.filter((key) => servers.every((server) => server.key !== key));
  return { revision: 0, servers, off: [], silent };
}
