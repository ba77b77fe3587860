import { randomUUID } from 'node:crypto';
import { ProblemError, toProblem } from '../../../shared/error/problem.ts';
import type { AppliedFile, ConnectPreview, FilePreview } from '../../../shared/model/connect.ts';
import { type ClientRegistry, requireRow } from './client-book.ts';
import { changedSince } from './connect-problem.ts';
import { hunksBetween } from './edit/hunks.ts';
import { locateEntry, type PlannedEdit, planEdit, withoutByteOrderMark } from './edit/plan-edit.ts';
import { readClientFile } from './file/client-file.ts';
import { type Entry, type EntryLocation, FormatError } from './format/contract.ts';
import { formatOf } from './format/format-of.ts';
import type { Launcher } from './launcher/launcher.ts';
import type { ClientRow } from './table/client-row.ts';
import { type WriteContext, writeEdit } from './write-edits.ts';

type RefusedFile = Extract<AppliedFile, { kind: 'refused' }>;

/** A preview that was shown; it is applied exactly, or not at all. */
interface Plan {
  readonly previewId: string;
  readonly edits: readonly PlannedEdit[];
  readonly refused: readonly RefusedFile[];
}

/** Entries of other servers to remove, by file, since Patchbay runs them. */
export type RemovalsByFile = ReadonlyMap<string, readonly EntryLocation[]>;

const noRemovals: RemovalsByFile = new Map();

/** Previews what connecting a client would write, and applies a preview. */
export class Previews {
  readonly #registry: ClientRegistry;
  readonly #launcher: Launcher;
  readonly #plans = new Map<string, Plan>();

  constructor(book: ClientRegistry, launcher: Launcher) {
    this.#registry = book;
    this.#launcher = launcher;
  }

  async show(id: string, take: RemovalsByFile = noRemovals): Promise<ConnectPreview> {
    const row = requireRow(id);
    const format = await formatOf(row.format);
    const entry = row.shape.stdio(this.#launcher.command(id));
    const outcomes: (PlannedEdit | RefusedFile)[] = [];
    for (const { file } of await this.#registry.requireFiles(row)) {
      const planned = planEdit({
        file,
        format,
        root: row.root,
        innerRoot: row.innerRoot,
        entry,
        isOurs: (found) => isOurs(row, found),
        removals: take.get(file) ?? [],
      });
      outcomes.push(
        await planned.catch((error): RefusedFile => ({ kind: 'refused', file, problem: toProblem(error) })),
      );
    }
    const edits = outcomes.flatMap((outcome) => ('problem' in outcome ? [] : [outcome]));
    const refused = outcomes.flatMap((outcome) => ('problem' in outcome ? [outcome] : []));
    const plan: Plan = { previewId: randomUUID(), edits, refused };
    this.#plans.set(id, plan);
    const locate = edits[0]?.place ?? defaultLocation(row);
    const running = await this.#registry.running(row);
    return {
      id,
      previewId: plan.previewId,
      entryKey: locate.key,
      entryText: format.render(locate, entry),
      language: format.language,
      files: outcomes.map((outcome) =>
        'problem' in outcome ? outcome : filePreview(outcome, format.render(outcome.place, entry)),
      ),
      running: [...running],
      mustQuit: row.overwrites === true && running.length > 0,
    };
  }

  /** Returns where the entry goes in the client's first readable file. */
  async locate(row: ClientRow): Promise<EntryLocation> {
    const format = await formatOf(row.format);
    for (const { file } of await this.#registry.requireFiles(row).catch(() => [])) {
      const text = await readClientFile(file).catch(() => undefined);
      if (text === undefined) continue;
      const wish = { root: row.root, innerRoot: row.innerRoot, isOurs: (found: Entry) => isOurs(row, found) };
      try {
        return locateEntry(format, withoutByteOrderMark(text), wish);
      } catch (error) {
        if (!(error instanceof FormatError)) throw error;
      }
    }
    return defaultLocation(row);
  }

  /** Rejects if nothing could be written. */
  async apply(id: string, previewId: string, context: WriteContext): Promise<readonly AppliedFile[]> {
    const plan = this.#plans.get(id);
    if (plan?.previewId !== previewId) throw changedSince('The config file');
    await this.#registry.requireQuit(requireRow(id));
    await this.#launcher.ensure();
    for (const { file, before } of plan.edits) {
      if ((await readClientFile(file)) !== before) throw changedSince(file);
    }
    this.#plans.delete(id);
    const files: AppliedFile[] = [...plan.refused];
    for (const edit of plan.edits) files.push(await writeEdit(context, id, edit));
    const refused = files.filter((file) => file.kind === 'refused');
    if (refused[0] !== undefined && refused.length === files.length)
      throw new ProblemError(refused[0].problem);
    return files;
  }
}

function filePreview({ file, before, after }: PlannedEdit, entryText: string): FilePreview {
  if (before === after) return { kind: 'unchanged', file };
  const kind = before === undefined ? 'create' : 'change';
  return { kind, file, hunks: [...hunksBetween(withoutByteOrderMark(before ?? ''), after, entryText)] };
}

function defaultLocation({ root }: ClientRow): EntryLocation {
  return { root, key: 'patchbay' };
}

/** Recognizes entries written by any version of Patchbay, wherever it was installed. */
function isOurs({ shape }: ClientRow, entry: Entry): boolean {
  const command = shape.command(entry);
  if (command === undefined) return false;
  return [command.command, ...command.args].some((word) =>
    /(?:^|[\\/])patchbay-bridge(?:\.\w+)*$/.test(word),
  );
}
