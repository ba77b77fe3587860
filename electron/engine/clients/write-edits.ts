import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { ProblemError, problem, toProblem } from '../../../shared/error/problem.ts';
import type { AppliedFile, UndoneFile } from '../../../shared/model/connect.ts';
import type { Clock } from '../base/clock.ts';
import { digestOfText } from '../base/digest.ts';
import type { PlannedEdit } from './edit/plan-edit.ts';
import { planUndo } from './edit/plan-undo.ts';
import { backUp } from './file/backup.ts';
import { readClientFile, writeClientFile } from './file/client-file.ts';
import type { ConfigFormat } from './format/contract.ts';
import type { Connection } from './journal/connections.ts';
import type { Journal } from './journal/journal.ts';

export interface WriteContext {
  readonly journal: Journal;
  readonly clock: Clock;
  /** Folder of the copies. */
  readonly backups: string;
}

/** Writes what was planned, noted before and after. A file that cannot be written is an outcome. */
export async function writeEdit(context: WriteContext, id: string, edit: PlannedEdit): Promise<AppliedFile> {
  const { file, before, after } = edit;
  try {
    if (before === after) {
      await noted(context, id, file, connectLine(id, edit, undefined), async () => {});
      return { kind: 'unchanged', file };
    }
    const at = context.clock.now();
    const backup =
      before === undefined ? undefined : await backUp(context.backups, { id, file, text: before, at });
    await noted(context, id, file, connectLine(id, edit, backup), () => writeAndCheck(file, after));
    return { kind: 'written', file, ...(backup === undefined ? {} : { backup }) };
  } catch (error) {
    return { kind: 'refused', file, problem: toProblem(error) };
  }
}

/** Takes our entry out of a file again. A file that cannot be written is an outcome. */
export async function writeUndo(
  context: WriteContext,
  connection: Connection,
  format: ConfigFormat,
): Promise<UndoneFile> {
  const { id, file } = connection;
  try {
    const plan = await planUndo(connection, format);
    if (plan.kind === 'nothing') {
      await context.journal.append({ id, file, action: 'forgotten' });
      return { kind: 'nothing', file };
    }
    const after = plan.kind === 'deleted' ? undefined : plan.after;
    const write = randomUUID();
    const digests = {
      before: digestOfText(plan.before),
      ...(after === undefined ? {} : { after: digestOfText(after) }),
    };
    await noted(context, id, file, { id, file, action: 'undo', write, ...digests }, () =>
      after === undefined ? rm(file) : writeAndCheck(file, after),
    );
    return { kind: plan.kind, file };
  } catch (error) {
    return { kind: 'refused', file, problem: toProblem(error) };
  }
}

type WriteLine = Extract<Parameters<Journal['append']>[0], { write: string; action: 'connect' | 'undo' }>;

async function noted(
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

function connectLine(id: string, edit: PlannedEdit, backup: string | undefined): WriteLine {
  const { file, place, entry, before, after, hadEntry } = edit;
  return {
    id,
    file,
    action: 'connect',
    write: randomUUID(),
    ...place,
    entry: { ...entry },
    ...(before === undefined ? {} : { before: digestOfText(before) }),
    after: digestOfText(after),
    ...(backup === undefined ? {} : { backup }),
    hadEntry,
  };
}

async function writeAndCheck(file: string, text: string): Promise<void> {
  await writeClientFile(file, text);
  if ((await readClientFile(file)) === text) return;
  const sentence = `${file} does not hold what was written to it: another program has written it at the same moment.`;
  throw new ProblemError(
    problem('client.config_changed', sentence, 'Quit that program, then try again.', { file }),
  );
}
