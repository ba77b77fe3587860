import { toProblem } from '../../../../shared/error/problem.ts';
import type { AccessAnswer, AccessCommand } from '../../../../shared/model/access/access-command.ts';
import { runAccessCommand } from '../../access/access-commands.ts';
import { AccessService } from '../../access/access-service.ts';
import { describeAccessEvent } from '../../access/describe-access-event.ts';
import { JournalNotes } from '../../activity/audit/journal-notes.ts';
import { readOpenClients } from '../../catalogue/open-clients.ts';
import { Limits } from '../../config/limits/limits.ts';
import { withOfflineState } from '../../store/db/offline-state.ts';
import { changeSettingsFile, readSettings } from '../../store/files/settings-file.ts';
import { accessStore } from '../../store/state/access-store.ts';
import { offlineCatalogue } from './offline-catalogue.ts';

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
