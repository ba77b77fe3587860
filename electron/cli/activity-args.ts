import { type Command, Option } from 'commander';
import type { ActivityFormat } from '../../shared/model/activity.ts';
import { dataDirOption, maxRows, wholeNumber } from './option-values.ts';

/** Prints the activity that was recorded. */
export interface ActivityArgs {
  readonly kind: 'activity';
  readonly dataDir?: string;
  /** `text` is for people; if absent, it is used in a terminal and JSON lines elsewhere. */
  readonly format?: ActivityFormat | 'text';
  /** Limits the output to this many of the newest rows. */
  readonly most?: number;
}

interface ActivityOptions {
  readonly dataDir?: string;
  readonly csv?: boolean;
  readonly jsonl?: boolean;
  readonly text?: boolean;
  readonly last?: number;
}

export function describeActivity(command: Command, onActivity: (args: ActivityArgs) => void): void {
  command
    .command('activity')
    .description('print recorded activity, newest first; secrets are masked')
    .option(...dataDirOption)
    .addOption(
      new Option('--text', 'one line per entry, without payloads (default in a terminal)').conflicts([
        'jsonl',
        'csv',
      ]),
    )
    .addOption(new Option('--jsonl', 'one JSON object per line (default elsewhere)').conflicts('csv'))
    .option('--csv', 'a table')
    .option('--last <number>', 'only the newest entries, this many', wholeNumber(1, maxRows))
    .action((options: ActivityOptions) => onActivity(activityArgs(options)));
}

function activityArgs({ dataDir, csv, jsonl, text, last }: ActivityOptions): ActivityArgs {
  const format = csv ? 'csv' : jsonl ? 'jsonl' : text ? 'text' : undefined;
  return {
    kind: 'activity',
    ...(format === undefined ? {} : { format }),
    ...(dataDir === undefined ? {} : { dataDir }),
    ...(last === undefined ? {} : { most: last }),
  };
}
