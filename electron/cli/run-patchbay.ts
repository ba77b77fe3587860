import { programVersion } from '../../shared/version.ts';
import { runAccess } from './access/access.ts';
import { runGuard } from './access/guard.ts';
import { runRestart } from './hub/restart.ts';
import { runSearch } from './hub/search.ts';
import { runSignIn, runSignOut } from './hub/sign-in.ts';
import { runStatus } from './hub/status.ts';
import { runStop } from './hub/stop.ts';
import { type PatchbayArgs, parsePatchbayArgs } from './patchbay-args.ts';
import { runActivity } from './records/activity.ts';
import { runAudit } from './records/audit.ts';
import { runSupport } from './records/support.ts';
import { type ServeArgs, serve } from './serve.ts';
import { runBackup } from './setup/backup.ts';
import { runCheck } from './setup/check.ts';
import { runConnect } from './setup/connect.ts';
import { runImport } from './setup/import.ts';
import { runSecret } from './setup/secret.ts';
import { print, printError } from './terminal/print.ts';
import { watchOutput } from './terminal/watch-output.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs `patchbay`; resolves to the exit code: 0, 1 (start failure) or 2 (usage). */
export async function runPatchbay(argv: readonly string[], env: Environment): Promise<number> {
  const args = parsePatchbayArgs(argv, programVersion);
  if (args.kind === 'serve') return serve(args, env);
  const ended = watchOutput();
  return ended(await runCommand(args, env));
}

async function runCommand(args: Exclude<PatchbayArgs, ServeArgs>, env: Environment): Promise<number> {
  switch (args.kind) {
    case 'print':
      print(args.text);
      return 0;
    case 'usage':
      printError(args.text);
      return 2;
    case 'secret':
      return runSecret(args, env);
    case 'activity':
      return runActivity(args, env);
    case 'audit':
      return runAudit(args, env);
    case 'access':
      return runAccess(args, env);
    case 'support':
      return runSupport(args, env);
    case 'backup':
    case 'restore':
      return runBackup(args, env);
    case 'check':
      return runCheck(args, env);
    case 'status':
      return runStatus(args, env);
    case 'stop':
      return runStop(args, env);
    case 'restart':
      return runRestart(args, env);
    case 'sign-in':
      return runSignIn(args, env);
    case 'sign-out':
      return runSignOut(args, env);
    case 'guard':
      return runGuard(args, env);
    case 'search':
      return runSearch(args, env);
    case 'connect':
      return runConnect(args, env);
    case 'import':
      return runImport(args, env);
  }
}
