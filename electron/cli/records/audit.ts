import { once } from 'node:events';
import { type Command, InvalidArgumentError } from 'commander';
import { toProblem } from '../../../shared/error/problem.ts';
import type { AuditRow } from '../../../shared/model/activity/audit.ts';
import { actionText, isStatusChange } from '../../../shared/model/activity/audit-text.ts';
import { formatCount } from '../../../shared/model/amount.ts';
import { printableWord } from '../../../shared/printable.ts';
import {
  dataPaths,
  defaultDataDir,
  existingDataDir,
  openStoredAudit,
  type StoredAudit,
} from '../../engine/engine.ts';
import type { CliCommand, Environment } from '../terminal/cli-command.ts';
import { dataDirOption, maxRows, wholeNumber } from '../terminal/option-values.ts';
import { print, printError } from '../terminal/print.ts';
import { problemText } from '../terminal/problem-text.ts';

/** A command on the audit log. */
export type AuditArgs = {
  readonly kind: 'audit';
  readonly dataDir?: string;
} & (
  | { readonly verb: 'list'; readonly most: number; readonly json: boolean }
  | { readonly verb: 'export' }
  /** `head` is the hash of a row that must be in the log. */
  | { readonly verb: 'verify'; readonly head?: string }
);

interface Options {
  readonly dataDir?: string;
  readonly last?: number;
  readonly json?: boolean;
  readonly head?: string;
}

export const auditCommand: CliCommand<AuditArgs> = { describe: describeAudit, run: runAudit };

function describeAudit(command: Command, onAudit: (args: AuditArgs) => void): void {
  const group = command
    .command('audit')
    .description('read the audit log, whether Patchbay is running or not');
  group
    .command('verify')
    .description('check that no row was changed or removed; exit code 1 if one was')
    .option(...dataDirOption)
    .option('--head <hash>', 'hash of an earlier row that the log must still contain', hash)
    .action(({ head, ...options }: Options) =>
      onAudit(auditArgs(options, head === undefined ? {} : { head }, 'verify')),
    );
  group
    .command('list')
    .description('print audit entries, newest first')
    .option(...dataDirOption)
    .option('--last <number>', 'show only this many of the newest entries', wholeNumber(1, maxRows), 50)
    .option('--json', 'one JSON object per line')
    .action(({ last: most = 50, json, ...options }: Options) =>
      onAudit(auditArgs(options, { most, json: json === true }, 'list')),
    );
  group
    .command('export')
    .description('print the whole log, oldest first, one JSON object per line')
    .option(...dataDirOption)
    .action((options: Options) => onAudit(auditArgs(options, {}, 'export')));
}

/** Any other text is in no log, so verify would report a removed row. */
function hash(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
  throw new InvalidArgumentError('It must be a hash printed by verify: 64 digits and letters from a to f.');
}

function auditArgs(
  { dataDir }: Options,
  more: Readonly<Record<string, unknown>>,
  verb: AuditArgs['verb'],
): AuditArgs {
  const folder = dataDir === undefined ? {} : { dataDir };
  // The fields of each verb are passed with it above.
  return { kind: 'audit', verb, ...more, ...folder } as AuditArgs;
}

/** Runs `patchbay audit`; resolves to the exit code: 1 if the log was changed or is incomplete. */
async function runAudit(args: AuditArgs, env: Environment): Promise<number> {
  try {
    return await read(args, await existingDataDir(args.dataDir ?? defaultDataDir(env)));
  } catch (error) {
    printError(`${problemText(toProblem(error))}\n`);
    return 1;
  }
}

async function read(args: AuditArgs, dataDir: string): Promise<number> {
  const { audit, auditJournal } = dataPaths(dataDir);
  const log = await openStoredAudit(audit, auditJournal);
  try {
    const code = await runVerb(args, log, new Output());
    return Math.max(code, await reportUnstored(log));
  } finally {
    await log.close();
  }
}

async function runVerb(args: AuditArgs, log: StoredAudit, output: Output): Promise<number> {
  switch (args.verb) {
    case 'verify':
      return verify(log, args.head);
    case 'export':
      for await (const row of log.oldestFirst()) if (!(await output.line(toJson(row)))) break;
      return 0;
    case 'list':
      for await (const row of log.newest(args.most))
        if (!(await output.line(args.json ? toJson(row) : toText(row)))) break;
      return 0;
  }
}

/** Reports entries that are not in the log yet, and gaps. */
async function reportUnstored(log: StoredAudit): Promise<number> {
  const waiting = await log.pending();
  if (waiting > 0)
    printError(
      `${formatCount(waiting, 'more entry', 'more entries')} in run/audit.journal, not verified yet. Patchbay adds them to the log when it runs.\n`,
    );
  const trouble = await log.incompleteReason();
  if (trouble === undefined) return 0;
  printError(`The audit log is incomplete. ${trouble}\n`);
  return 1;
}

async function verify(log: StoredAudit, head: string | undefined): Promise<number> {
  const verdict = await log.verify();
  if (!verdict.ok) {
    printError(`The audit log was changed or is damaged. ${verdict.why}\n`);
    return 1;
  }
  if (head !== undefined && !(await log.hasHash(head))) {
    printError(
      'No row of the audit log has that hash: rows were removed from the end, or the log was restarted.\n',
    );
    return 1;
  }
  print(`${verdict.rows} rows, none changed.\n`);
  if (verdict.head !== undefined) print(`head ${verdict.head}\n`);
  // A user who passes --head has already checked how this log begins.
  const missingRows = head === undefined ? await log.lostEarlier() : undefined;
  if (missingRows === undefined) return 0;
  printError(
    `Earlier rows are missing. ${missingRows} Once you know why, verify with --head and the hash above.\n`,
  );
  return 1;
}

/** Writes lines until the reader closes the pipe (`| head`). */
class Output {
  #isHeard = true;

  constructor() {
    process.stdout.on('error', () => {
      this.#isHeard = false;
    });
  }

  /** Returns whether the reader is still there. */
  async line(text: string): Promise<boolean> {
    if (this.#isHeard && !print(`${text}\n`)) await once(process.stdout, 'drain').catch(() => undefined);
    return this.#isHeard;
  }
}

function toJson(row: AuditRow): string {
  return JSON.stringify({ time: new Date(row.at).toISOString(), ...row });
}

function toText(row: AuditRow): string {
  const { at, actor, outcome, serverKey, tool, text } = row;
  const about = [serverKey, tool].filter((part) => part !== undefined).join(':');
  const isStatus = isStatusChange(row);
  return [
    new Date(at).toISOString(),
    (isStatus ? 'status' : outcome).padEnd(10),
    isStatus ? 'Server' : actionText(row),
    about,
    isStatus ? '' : `by ${actors[actor] ?? actor}`,
    text ?? '',
  ]
    .filter((part) => part !== '')
    .map(printableWord)
    .join('  ');
}

/** Readable names of actors that are not clients. */
const actors: Readonly<Record<string, string>> = {
  '': 'an unknown client',
  window: 'the window',
  admin: 'the admin token',
  hub: 'Patchbay',
};
