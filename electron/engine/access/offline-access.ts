import { toProblem } from '../../../shared/error/problem.ts';
import type { AccessAnswer, AccessCommand } from '../../../shared/model/access/access-command.ts';
import { JournalNotes } from '../activity/audit/journal-notes.ts';
import { readCatalogueFile } from '../catalogue/catalogue-file.ts';
import type { Catalogue } from '../catalogue/contract.ts';
import { readOpenClients } from '../catalogue/open-clients.ts';
import { Limits } from '../config/limits/limits.ts';
import { readConfigFile, validateConfigText } from '../config/store/read-config.ts';
import { withOfflineState } from '../store/db/offline-state.ts';
import type { DataPaths } from '../store/files/data-dir.ts';
import { changeSettingsFile, readSettings } from '../store/files/settings-file.ts';
import { runAccessCommand } from './access-commands.ts';
import { AccessService } from './access-service.ts';
import { accessStore } from './access-store.ts';
import { describeAccessEvent } from './describe-access-event.ts';

/**
 * Runs a command on the files of a hub that is not running, and prevents one from starting meanwhile. Rejects
 * with ProblemError: `hub.already_running` while one runs.
 */
export async function offlineAccess(
  dataDir: string,
  version: string,
  command: AccessCommand,
): Promise<AccessAnswer> {
  return withOfflineState(dataDir, version, async ({ paths, clock, mark, state }) => {
    const { settings } = await readSettings(paths.settings);
    const tokenTtl = () => new Limits().current.tokenTtlMinutes * 60_000;
    const service = new AccessService({
      store: accessStore(state, clock, mark),
      clock,
      tokenTtl,
      fallbackClients: () => readOpenClients(paths.openClients),
    });
    service.tables.askDestructive = settings.askDestructive;
    const catalogue = await offlineCatalogue(paths);
    const notes = new JournalNotes();
    service.onEvent((event) => notes.add({ ...describeAccessEvent(event), actor: event.by, at: event.at }));
    await service.load();
    const answer = await runAccessCommand(
      {
        service,
        newClients: settings.newClients,
        clock,
        catalogue: () => catalogue,
        saveAskDestructive: (askDestructive) => changeSettingsFile(paths.settings, { askDestructive }),
      },
      command,
    );
    return settings.audit ? withNotes(answer, () => notes.write(paths.auditJournal)) : answer;
  });
}

/** Returns the answer even if its note cannot be written: a new token is shown only this once. */
function withNotes(answer: AccessAnswer, write: () => void): AccessAnswer {
  try {
    write();
    return answer;
  } catch (error) {
    if (answer.token === undefined) throw error;
    const { sentence, fix } = toProblem(error);
    return { ...answer, note: `${sentence} ${fix}` };
  }
}

/**
 * Returns the configured servers with the tools that they last listed; undefined if the files cannot be read.
 */
async function offlineCatalogue(
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
