import { Command, CommanderError } from 'commander';
import { type AccessArgs, describeAccess } from './access/access.ts';
import { describeGuard, type GuardArgs } from './access/guard.ts';
import { describeRestart, type RestartArgs } from './hub/restart.ts';
import { describeSearch, type SearchArgs } from './hub/search.ts';
import { describeSignIn, type SignInArgs } from './hub/sign-in.ts';
import { describeStatus, type StatusArgs } from './hub/status.ts';
import { describeStop, type StopArgs } from './hub/stop.ts';
import { type ActivityArgs, describeActivity } from './records/activity.ts';
import { type AuditArgs, describeAudit } from './records/audit.ts';
import { describeSupport, type SupportArgs } from './records/support.ts';
import { describeServe, type ServeArgs } from './serve.ts';
import { type BackupArgs, describeBackup } from './setup/backup.ts';
import { type CheckArgs, describeCheck } from './setup/check.ts';
import { type ConnectArgs, describeConnect } from './setup/connect.ts';
import { describeImport, type ImportArgs } from './setup/import.ts';
import { describeSecret, type SecretArgs } from './setup/secret.ts';

/** The parsed command line of `patchbay`. */
export type PatchbayArgs =
  | ServeArgs
  | SecretArgs
  | ConnectArgs
  | ImportArgs
  | ActivityArgs
  | AuditArgs
  | SupportArgs
  | BackupArgs
  | AccessArgs
  | CheckArgs
  | StatusArgs
  | StopArgs
  | RestartArgs
  | SignInArgs
  | GuardArgs
  | SearchArgs
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'usage'; readonly text: string };

/** Parses the arguments after the program name; pure, never exits. */
export function parsePatchbayArgs(argv: readonly string[], programVersion: string): PatchbayArgs {
  let printed = '';
  let errorText = '';
  let parsed: PatchbayArgs | undefined;
  const output = {
    writeOut: (text: string) => {
      printed += text;
    },
    writeErr: (text: string) => {
      errorText += text;
    },
  };
  const command = describe(programVersion, output);
  const want = (args: PatchbayArgs) => {
    parsed = args;
  };
  for (const describeCommand of commands) describeCommand(command, want);
  try {
    command.parse([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? { kind: 'print', text: printed } : { kind: 'usage', text: errorText };
  }
  return parsed ?? { kind: 'usage', text: command.helpInformation() };
}

interface Output {
  writeOut(text: string): void;
  writeErr(text: string): void;
}

function describe(version: string, output: Output): Command {
  return new Command('patchbay')
    .description('One plug for all your MCP servers.')
    .version(version)
    .exitOverride()
    .configureOutput(output);
}

/** The commands in the order of the help: run, set up, use, look back. */
const commands: readonly ((command: Command, want: (args: PatchbayArgs) => void) => void)[] = [
  describeServe,
  describeStatus,
  describeStop,
  describeRestart,
  describeCheck,
  describeImport,
  describeConnect,
  describeSignIn,
  describeSecret,
  describeAccess,
  describeGuard,
  describeSearch,
  describeActivity,
  describeAudit,
  describeBackup,
  describeSupport,
];
