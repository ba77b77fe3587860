import { toProblem } from '../../../../shared/error/problem.ts';
import type { CommandNote } from '../../../../shared/model/audit.ts';
import type { DataPaths } from '../../store/data-dir.ts';
import { readSettings } from '../../store/settings-file.ts';
import { openHubChannel } from '../admin/hub-channel.ts';
import { commandLine } from './command-line.ts';
import { JournalNotes } from './journal-notes.ts';

/** Characters, by `commandNoteSchema`. */
const longestText = 500;

/** What is noted of one operation, before it is known how it ends. */
type Described = Omit<CommandNote, 'outcome'>;

/**
 * Does what a command does to a data folder by itself, and has it noted once it is known how it ended: by the hub that runs there,
 * else for the next one. Rejects with `hub.audit_incomplete` where that cannot be.
 */
export async function notedCommand<T>(
  paths: DataPaths,
  what: Described,
  operate: () => Promise<T>,
): Promise<T> {
  let done: T;
  try {
    done = await operate();
  } catch (error) {
    const { sentence } = toProblem(error);
    // What went wrong first is what somebody has to know.
    await note(paths, { ...what, outcome: 'failed', text: sentence.slice(0, longestText) }).catch(
      () => undefined,
    );
    throw error;
  }
  await note(paths, { ...what, outcome: 'ok' });
  return done;
}

async function note(paths: DataPaths, told: CommandNote): Promise<void> {
  if (await isTold(paths, told)) return;
  // Settings that cannot be read switch nothing off.
  const isOn = await readSettings(paths.settings).then(
    ({ settings }) => settings.audit,
    () => true,
  );
  if (!isOn) return;
  const notes = new JournalNotes();
  notes.add({ ...told, actor: commandLine });
  notes.write(paths.auditJournal);
}

/** A hub that is not there, or does not understand, finds it later. */
async function isTold({ dir }: DataPaths, told: CommandNote): Promise<boolean> {
  try {
    const hub = await openHubChannel(dir);
    try {
      await hub.ask('audit.note', told);
      return true;
    } finally {
      await hub.close();
    }
  } catch {
    return false;
  }
}
