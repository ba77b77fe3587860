import { type FileHandle, open } from 'node:fs/promises';
import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import type {
  ActivityFilter,
  ActivityFormat,
  ActivityRow,
} from '../../../../shared/model/activity/activity.ts';
import { removeFile, replaceFile } from '../../store/files/replace-file.ts';
import type { ActivityBody } from '../store/activity.ts';
import type { ActivityStore } from '../store/activity-store.ts';
import { csvHead, csvLine } from './csv.ts';

export interface ExportOptions {
  readonly store: Pick<ActivityStore, 'find' | 'get'>;
  readonly filter: ActivityFilter;
  readonly after: number;
  readonly format: ActivityFormat;
  readonly file: string;
}

/**
 * Writes rows to a file, newest first and page by page; resolves to their number. Leaves no partial file
 * behind.
 */
export async function exportRows(options: ExportOptions): Promise<number> {
  const { file } = options;
  const draft = `${file}.part`;
  try {
    const handle = await open(draft, 'w', 0o600);
    const count = await write(options, handle).finally(() => handle.close());
    await replaceFile(draft, file);
    return count;
  } catch (error) {
    await removeFile(draft).catch(() => undefined);
    throw error instanceof ProblemError ? error : new ProblemError(unwritable(file, error), { cause: error });
  }
}

async function write(options: ExportOptions, handle: FileHandle): Promise<number> {
  let count = 0;
  if (options.format === 'csv') await handle.appendFile(csvHead);
  for await (const lines of linesOf(options)) {
    await handle.appendFile(lines.join(''));
    count += lines.length;
  }
  return count;
}

/** Yields pages of lines. */
export async function* linesOf(options: Omit<ExportOptions, 'file'>): AsyncGenerator<readonly string[]> {
  const { store, filter, after, format } = options;
  const line = format === 'csv' ? csvLine : jsonLine;
  for (let before: number | undefined, hasMore = true; hasMore; ) {
    const page = await store.find({ filter, after, before, limit: pageSize });
    const lines: string[] = [];
    for (const row of page.rows) lines.push(line(row, await store.get(row.id, after)));
    yield lines;
    before = page.rows.at(-1)?.id;
    hasMore = page.hasMore;
  }
}

const pageSize = 200;

/** Puts bodies into the line as JSON, not as strings. */
function jsonLine(row: ActivityRow, body: ActivityBody | undefined): string {
  const time = new Date(row.at).toISOString();
  const { arguments: args, result, isCut } = body ?? {};
  return `${JSON.stringify({
    time,
    ...row,
    ...(args === undefined ? {} : { arguments: JSON.parse(args) }),
    ...(result === undefined ? {} : { result: JSON.parse(result) }),
    ...(isCut === true ? { isCut } : {}),
  })}\n`;
}

function unwritable(file: string, error: unknown) {
  const sentence = `The activity could not be written to ${file}.`;
  const fix = 'Choose another folder, or free some disk space there.';
  return problem('activity.export_failed', sentence, fix, { file, error: String(error) });
}
