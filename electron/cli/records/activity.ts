import { once } from 'node:events';
import { type Command, Option } from 'commander';
import { toProblem } from '../../../shared/error/problem.ts';
import type { ActivityFormat, ActivityRow } from '../../../shared/model/activity/activity.ts';
import { printableWord } from '../../../shared/printable.ts';
import { dataPaths, defaultDataDir, existingDataDir, storedActivity } from '../../engine/engine.ts';
import type { CliCommand, Environment } from '../terminal/cli-command.ts';
import { dataDirOption, maxRows, wholeNumber } from '../terminal/option-values.ts';
import { print, printError } from '../terminal/print.ts';
import { problemText } from '../terminal/problem-text.ts';

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

export const activityCommand: CliCommand<ActivityArgs> = { describe: describeActivity, run: runActivity };

function describeActivity(command: Command, onActivity: (args: ActivityArgs) => void): void {
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
    .option('--last <number>', 'show only this many of the newest entries', wholeNumber(1, maxRows))
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

/** Runs `patchbay activity`; resolves to the exit code. */
async function runActivity(args: ActivityArgs, env: Environment): Promise<number> {
  const { format = process.stdout.isTTY ? 'text' : 'jsonl', most } = args;
  const isText = format === 'text';
  // The reader may have closed the pipe (`| head`).
  let isReading = true;
  process.stdout.on('error', () => {
    isReading = false;
  });
  try {
    const dir = await existingDataDir(args.dataDir ?? defaultDataDir(env));
    const file = dataPaths(dir).activity;
    let isEmpty = true;
    for await (const lines of storedActivity({ file, format: isText ? 'jsonl' : format, limit: most })) {
      if (!isReading) break;
      const text = isText ? activityText(lines) : lines;
      if (text !== '') isEmpty = false;
      if (!print(text) && isReading) await once(process.stdout, 'drain').catch(() => undefined);
    }
    if (isText && isEmpty) print('No activity recorded.\n');
    return 0;
  } catch (error) {
    printError(`${problemText(toProblem(error))}\n`);
    return 1;
  }
}

/** Formats JSON lines for people: time, client, tool, outcome. Payloads are left to the other formats. */
function activityText(lines: string): string {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `${rowText(JSON.parse(line) as ActivityRow)}\n`)
    .join('');
}

function rowText({
  at,
  clientName,
  serverKey,
  method,
  name,
  outcome,
  milliseconds,
  text,
  ...protocols
}: ActivityRow): string {
  const target = [serverKey, name ?? method].filter((part) => part !== undefined).join(':');
  const took = milliseconds === undefined ? '' : `${Math.round(milliseconds)} ms`;
  const columns = [
    momentText(at),
    (clientName ?? '-').padEnd(clientWidth),
    outcome.padEnd(outcomeWidth),
    took.padStart(tookWidth),
    target,
    protocolText(protocols),
    text ?? '',
  ];
  return printableWord(columns.filter((column) => column !== '').join('  ')).trimEnd();
}

/** Tells how the client and the server spoke, without why, as in "2026-07-28, stateless → 2025-11-25, with sessions". */
function protocolText({
  clientProtocol,
  serverProtocol,
}: Pick<ActivityRow, 'clientProtocol' | 'serverProtocol'>): string {
  const spoken = [clientProtocol, serverProtocol].map((words) => words?.split(' because ', 1)[0] ?? '-');
  return clientProtocol === undefined && serverProtocol === undefined ? '' : spoken.join(' → ');
}

/** Local time of this machine. */
function momentText(at: number): string {
  const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19).replace('T', ' ');
}

const clientWidth = 16;
const outcomeWidth = 9;
const tookWidth = 9;
