import { once } from 'node:events';
import { toProblem } from '../../shared/error/problem.ts';
import { formatCount } from '../../shared/model/amount.ts';
import type { AuditRow } from '../../shared/model/audit.ts';
import { printableWord } from '../engine/base/printable.ts';
import {
  dataPaths,
  defaultDataDir,
  existingDataDir,
  type KeptAudit,
  openKeptAudit,
} from '../engine/engine.ts';
import type { AuditArgs } from './audit-args.ts';
import { print, printError } from './print.ts';
import { problemText } from './report.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs `patchbay audit`; resolves to the exit code: 1 where the log is not what it was. */
export async function runAudit(args: AuditArgs, env: Environment): Promise<number> {
  try {
    return await read(args, await existingDataDir(args.dataDir ?? defaultDataDir(env)));
  } catch (error) {
    printError(`${problemText(toProblem(error))}\n`);
    return 1;
  }
}

async function read(args: AuditArgs, dataDir: string): Promise<number> {
  const { audit, auditJournal } = dataPaths(dataDir);
  const log = await openKeptAudit(audit, auditJournal);
  try {
    const code = await answer(args, log, new Output());
    return Math.max(code, await tellRest(log));
  } finally {
    await log.close();
  }
}

async function answer(args: AuditArgs, log: KeptAudit, output: Output): Promise<number> {
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

/** What does not stand in the log itself. */
async function tellRest(log: KeptAudit): Promise<number> {
  const waiting = await log.waiting();
  if (waiting > 0)
    printError(
      `${formatCount(waiting, 'more entry', 'more entries')} in run/audit.journal, not verified yet. Patchbay adds them to the log when it runs.\n`,
    );
  const trouble = await log.trouble();
  if (trouble === undefined) return 0;
  printError(`The audit log is incomplete. ${trouble}\n`);
  return 1;
}

async function verify(log: KeptAudit, head: string | undefined): Promise<number> {
  const verdict = await log.verify();
  if (!verdict.ok) {
    printError(`The audit log was changed or is damaged. ${verdict.why}\n`);
    return 1;
  }
  if (head !== undefined && !(await log.hasHash(head))) {
    printError('No row of the audit log has that hash: its end was removed, or the log was restarted.\n');
    return 1;
  }
  print(`${verdict.rows} rows, none changed.\n`);
  if (verdict.head !== undefined) print(`head ${verdict.head}\n`);
  // A user who passes --head has already looked into how this log began.
  const lost = head === undefined ? await log.lostEarlier() : undefined;
  if (lost === undefined) return 0;
  printError(`Earlier rows are missing. ${lost} Once you know why, verify with --head and the hash above.\n`);
  return 1;
}

/** Who reads may have seen enough (`| head`). */
class Output {
  #isHeard = true;

  constructor() {
    process.stdout.on('error', () => {
      this.#isHeard = false;
    });
  }

  /** Whether anybody reads on. */
  async line(text: string): Promise<boolean> {
    if (this.#isHeard && !print(`${text}\n`)) await once(process.stdout, 'drain').catch(() => undefined);
    return this.#isHeard;
  }
}

function toJson(row: AuditRow): string {
  return JSON.stringify({ time: new Date(row.at).toISOString(), ...row });
}

function toText({ at, kind, action, actor, outcome, serverKey, tool, text }: AuditRow): string {
  const about = [serverKey, tool].filter((part) => part !== undefined).join(':');
  return [new Date(at).toISOString(), outcome.padEnd(10), kind, action, about, `by ${actor}`, text ?? '']
    .filter((part) => part !== '')
    .map(printableWord)
    .join('  ');
}
