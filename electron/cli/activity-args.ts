import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { ActivityFormat } from '../../shared/model/activity.ts';

/** What is to be printed of what went through the hub. */
export interface ActivityArgs {
  readonly kind: 'activity';
  readonly dataDir?: string;
  /** `text` is for people; absent: that at a terminal, else JSON lines. */
  readonly format?: ActivityFormat | 'text';
  /** The newest so many. */
  readonly most?: number;
}

interface ActivityOptions {
  readonly dataDir?: string;
  readonly csv?: boolean;
  readonly jsonl?: boolean;
  readonly text?: boolean;
  readonly last?: string;
}

type Usage = { readonly kind: 'usage'; readonly text: string };

export function describeActivity(
  command: Command,
  dataDirOption: readonly [flags: string, description: string],
  onActivity: (args: ActivityArgs | Usage) => void,
): void {
  command
    .command('activity')
    .description('print what went through the hub, the newest first; secrets are masked')
    .option(...dataDirOption)
    .option('--text', 'a line for each, without what it carried (default at a terminal)')
    .option('--jsonl', 'a JSON object a line (default elsewhere)')
    .option('--csv', 'a table')
    .option('--last <number>', 'only the newest so many')
    .action((options: ActivityOptions) => onActivity(activityArgs(options)));
}

function activityArgs({ dataDir, csv, jsonl, text, last }: ActivityOptions): ActivityArgs | Usage {
  if (dataDir === '') return { kind: 'usage', text: 'error: --data-dir needs a folder; it is empty\n' };
  const most = last === undefined ? undefined : Number(last);
  if (most !== undefined && !(Number.isInteger(most) && most > 0)) {
    return { kind: 'usage', text: `error: --last must be a whole number above 0, not "${last}"\n` };
  }
  const format = csv ? 'csv' : jsonl ? 'jsonl' : text ? 'text' : undefined;
  return {
    kind: 'activity',
    ...(format === undefined ? {} : { format }),
    ...(dataDir === undefined ? {} : { dataDir: resolve(dataDir) }),
    ...(most === undefined ? {} : { most }),
  };
}
