import { randomUUID } from 'node:crypto';
import { ProblemError, problem, toProblem } from '../../../../shared/error/problem.ts';
import type { AppliedFile, UndoneFile } from '../../../../shared/model/client/connect.ts';
import type { Clock } from '../../base/clock.ts';
import { digestOfText } from '../../base/digest.ts';
import { removeFile } from '../../store/files/replace-file.ts';
import { writeBackup } from '../file/backup.ts';
import { readClientFile, writeClientFile } from '../file/client-file.ts';
import type { ConfigFormat, EntryLocation } from '../format/contract.ts';
import type { Connection } from '../journal/connections.ts';
import type { Journal } from '../journal/journal.ts';
import type { NewLine } from '../journal/journal-line.ts';
import type { PlannedEdit } from './plan-edit.ts';
import { type PlannedUndo, planRestoreEntries, planUndo } from './plan-undo.ts';

export interface WriteContext {
  readonly journal: Journal;
  readonly clock: Clock;
  /** Folder for the backups. */
  readonly backups: string;
}

/** Writes a planned edit, recorded before and after. A file that cannot be written is an outcome. */
export async function writeEdit(context: WriteContext, id: string, edit: PlannedEdit): Promise<AppliedFile> {
  const { file, before, after } = edit;
  const write = randomUUID();
  try {
    if (before === after) {
      await recordedWrite(context, id, file, connectLine(id, write, edit, undefined), async () => {});
      return { kind: 'unchanged', file };
    }
    const at = context.clock.now();
    const backup =
      before === undefined ? undefined : await writeBackup(context.backups, { id, file, text: before, at });
    await recordedWrite(context, id, file, connectLine(id, write, edit, backup), () =>
      writeAndCheck(file, after),
    );
    return { kind: 'written', file, write, backup };
  } catch (error) {
    return { kind: 'refused', file, problem: toProblem(error) };
  }
}

/** Removes our entry from a file. A file that cannot be written is an outcome. */
export async function undoConnection(
  context: WriteContext,
  connection: Connection,
  format: ConfigFormat,
): Promise<UndoneFile> {
  const { id, file } = connection;
  return applyUndo(context, connection, planUndo(connection, format), { id, file, action: 'undo' });
}

/**
 * Undoes one write, including our entry if that write added it. A file that cannot be written is an outcome.
 */
export async function undoWrite(
  context: WriteContext,
  connection: Connection,
  write: string,
  format: ConfigFormat,
): Promise<UndoneFile> {
  const { id, file, writes } = connection;
  const line = writes.find((one) => one.write === write);
  if (line === undefined) return { kind: 'nothing', file };
  if (!line.hadEntry) return undoConnection(context, connection, format);
  const keys = (line.taken ?? []).map(({ key }) => key);
  const plan = planRestoreEntries(connection, line, format);
  return applyUndo(context, connection, plan, { id, file, action: 'put-back', of: write, keys });
}

type UndoLine = { readonly id: string; readonly file: string } & (
  | { readonly action: 'undo' }
  | { readonly action: 'put-back'; readonly of: string; readonly keys: string[] }
);

async function applyUndo(
  context: WriteContext,
  { id, file }: Connection,
  planning: Promise<PlannedUndo>,
  line: UndoLine,
): Promise<UndoneFile> {
  try {
    const plan = await planning;
    if (plan.kind === 'nothing') {
      await context.journal.append({ id, file, action: 'forgotten' });
      return { kind: 'nothing', file };
    }
    const after = plan.kind === 'deleted' ? undefined : plan.after;
    const digests = { write: randomUUID(), before: digestOfText(plan.before) };
    const journalLine: WriteLine =
      line.action === 'undo'
        ? { ...line, ...digests, after: after === undefined ? undefined : digestOfText(after) }
        : { ...line, ...digests, after: digestOfText(after ?? '') };
    await recordedWrite(context, id, file, journalLine, () =>
      after === undefined ? removeFile(file) : writeAndCheck(file, after),
    );
    return { kind: plan.kind, file };
  } catch (error) {
    return { kind: 'refused', file, problem: toProblem(error) };
  }
}

type WriteLine = Exclude<Extract<NewLine, { write: string }>, { action: 'settled' }>;

async function recordedWrite(
  { journal }: WriteContext,
  id: string,
  file: string,
  line: WriteLine,
  write: () => Promise<void>,
): Promise<void> {
  await journal.append(line);
  const settled = { id, file, action: 'settled', write: line.write } as const;
  try {
    await write();
  } catch (error) {
    await journal.append({ ...settled, ok: false });
    throw error;
  }
  await journal.append({ ...settled, ok: true });
}

function connectLine(id: string, write: string, edit: PlannedEdit, backup: string | undefined): WriteLine {
  const { file, place, entry, taken, before, after, hadEntry } = edit;
  return {
    id,
    file,
    action: 'connect',
    write,
    ...plainLocation(place),
    entry: { ...entry },
    taken: taken.length === 0 ? undefined : taken.map(plainLocation),
    before: before === undefined ? undefined : digestOfText(before),
    after: digestOfText(after),
    backup,
    hadEntry,
  };
}

function plainLocation({ within, root, key }: EntryLocation) {
  return { ...(within === undefined ? {} : { within: [...within] }), root, key };
}

async function writeAndCheck(file: string, text: string): Promise<void> {
  await writeClientFile(file, text);
  if ((await readClientFile(file)) === text) return;
  const sentence = `${file} was changed by another program while Patchbay was writing it.`;
  throw new ProblemError(
    problem('client.config_changed', sentence, 'Quit that program, then try again.', { file }),
  );
}
