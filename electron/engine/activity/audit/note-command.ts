import { toProblem } from '../../../../shared/error/problem.ts';
import type { CommandNote } from '../../../../shared/model/activity/audit.ts';
import { commandLine } from '../../base/command-line-actor.ts';
import { openHubChannel } from '../../gateway/socket/hub-channel.ts';
import type { DataPaths } from '../../store/files/data-dir.ts';
import { readSettings } from '../../store/files/settings-file.ts';
import { JournalNotes } from './journal-notes.ts';

/** Characters; limited by `commandNoteSchema`. */
const maxText = 500;

/** Note of an operation whose outcome is not known yet. */
type UnfinishedNote = Omit<CommandNote, 'outcome'>;

/**
 * Runs a command that changes a data folder itself and records its outcome: through the hub that runs there,
 * otherwise in the journal for the next one. Rejects with `hub.audit_incomplete` if that fails.
 */
export async function withCommandNote<T>(
  paths: DataPaths,
  description: UnfinishedNote,
  operate: () => Promise<T>,
): Promise<T> {
  let done: T;
  try {
    done = await operate();
  } catch (error) {
    const { sentence } = toProblem(error);
    // The first error is the one that the user needs to see.
    await note(paths, { ...description, outcome: 'failed', text: sentence.slice(0, maxText) }).catch(
      () => undefined,
    );
    throw error;
  }
  await note(paths, { ...description, outcome: 'ok' });
  return done;
}

async function note(paths: DataPaths, commandNote: CommandNote): Promise<void> {
  if (await isSentToHub(paths, commandNote)) return;
  // Unreadable settings turn nothing off.
  const isOn = await readSettings(paths.settings).then(
    ({ settings }) => settings.audit,
    () => true,
  );
  if (!isOn) return;
  const notes = new JournalNotes();
  notes.add({ ...commandNote, actor: commandLine });
  notes.write(paths.auditJournal);
}

/** Returns false if no hub runs or it does not know the request; the note then goes to the journal. */
async function isSentToHub({ dir }: DataPaths, commandNote: CommandNote): Promise<boolean> {
  try {
    const hub = await openHubChannel(dir);
    try {
      await hub.ask('audit.note', commandNote);
      return true;
    } finally {
      await hub.close();
    }
  } catch {
    return false;
  }
}
