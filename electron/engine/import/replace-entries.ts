import { randomUUID } from 'node:crypto';
import { ProblemError, problem, toProblem } from '../../../shared/error/problem.ts';
import type { ImportResult } from '../../../shared/model/import-session.ts';
import { digestOfText } from '../base/digest.ts';
import { entryIn, withEntry, withoutEntry } from '../clients/edit/entry-edit.ts';
import { understood, withoutMark } from '../clients/edit/plan-edit.ts';
import { backUp } from '../clients/file/backup.ts';
import { readClientFile, writeClientFile } from '../clients/file/client-file.ts';
import type { ConfigFormat } from '../clients/format/contract.ts';
import { formatOf } from '../clients/format/format-of.ts';
import { clientTable } from '../clients/table/client-table.ts';
import type { ImporterOptions } from './contract.ts';
import type { Entry, FoundClient } from './found.ts';

/** A client's file in which our entry stands in the place of others. */
export interface Replaced {
  readonly client: FoundClient;
  readonly root: string;
  readonly format: ConfigFormat;
  /** The file with our entry and the others, and with ours alone. */
  readonly before: string;
  readonly after: string;
  /** What was taken out. */
  readonly entries: ReadonlyMap<string, Entry>;
  /** Our entry was put there by this. */
  readonly connected: boolean;
}

export interface Replacing {
  readonly outcome: NonNullable<ImportResult['replaced']>;
  readonly replaced?: Replaced;
}

/** Puts our one entry into a client's file and takes the named ones out, with a copy of the file as it was. */
export async function replaceEntries(
  options: ImporterOptions,
  client: FoundClient,
  keys: readonly string[],
): Promise<Replacing> {
  const { file } = client;
  try {
    const connected = await connect(options, client);
    const row = clientTable.find(({ id }) => id === client.id);
    if (row === undefined) throw new Error(`no client ${client.id}`);
    const format = await formatOf(row.format);
    const before = withoutMark((await readClientFile(file)) ?? '');
    const { root } = row;
    const entries = new Map<string, Entry>();
    const after = understood(file, () =>
      keys.reduce((text, key) => {
        const entry = entryIn(format, text, { root, key });
        if (entry !== undefined) entries.set(key, entry as Entry);
        return withoutEntry(format, text, { root, key }, false);
      }, before),
    );
    const backup = await backUp(options.backups, { id: client.id, file, text: before, at: options.now() });
    await noted(options, client, { action: 'taken-out', keys: [...entries.keys()], before, after, backup });
    return {
      outcome: { kind: 'written', file, backup },
      replaced: { client, root, format, before, after, entries, connected },
    };
  } catch (error) {
    return { outcome: { kind: 'refused', file, problem: toProblem(error) } };
  }
}

/** Puts the entries back where they were; what has changed since stays. Rejects with ProblemError. */
export async function putBack(options: ImporterOptions, replaced: Replaced): Promise<void> {
  const { client, root, format, before, after, entries, connected } = replaced;
  const text = withoutMark((await readClientFile(client.file)) ?? '');
  const restored =
    text === after
      ? before
      : understood(client.file, () =>
          [...entries].reduce(
            (current, [key, entry]) =>
              entryIn(format, current, { root, key }) === undefined
                ? withEntry(format, current, { root, key }, entry)
                : current,
            text,
          ),
        );
  await noted(options, client, {
    action: 'put-back',
    keys: [...entries.keys()],
    before: text,
    after: restored,
  });
  if (connected) await options.connector.undo(client.id);
}

interface Write {
  readonly action: 'taken-out' | 'put-back';
  readonly keys: readonly string[];
  readonly before: string;
  readonly after: string;
  readonly backup?: string;
}

/** Writes the file, noted before and after. */
async function noted(
  { journal }: ImporterOptions,
  { id, file }: FoundClient,
  { before, after, keys, ...what }: Write,
): Promise<void> {
  const write = randomUUID();
  const digests = { before: digestOfText(before), after: digestOfText(after) };
  await journal.append({ id, file, write, keys: [...keys], ...what, ...digests });
  const settle = (ok: boolean) => journal.append({ id, file, action: 'settled', write, ok });
  try {
    await writeClientFile(file, after);
  } catch (error) {
    await settle(false);
    throw error;
  }
  await settle(true);
}

/** True when our entry was not there before. */
async function connect({ connector }: ImporterOptions, { id, file }: FoundClient): Promise<boolean> {
  const { previewId, files, mustQuit } = await connector.preview(id);
  const planned = files.find((one) => one.file === file);
  if (planned?.kind === 'refused') throw new ProblemError(planned.problem);
  if (planned === undefined || mustQuit) throw new ProblemError(isRunning(file));
  const applied = (await connector.apply(id, previewId)).find((one) => one.file === file);
  if (applied?.kind === 'refused') throw new ProblemError(applied.problem);
  return applied?.kind === 'written';
}

function isRunning(file: string) {
  const sentence = `${file} was left as it is: its program runs, and would write over the change.`;
  return problem('client.running', sentence, 'Quit it completely, then connect it on the Clients page.', {
    file,
  });
}
