import { Command, CommanderError } from 'commander';
import { accessCommand } from './access/access.ts';
import { guardCommand } from './access/guard.ts';
import { oneServerCommand } from './hub/one-server.ts';
import { restartCommand } from './hub/restart.ts';
import { searchCommand } from './hub/search.ts';
import { signInCommand } from './hub/sign-in.ts';
import { statusCommand } from './hub/status.ts';
import { stopCommand } from './hub/stop.ts';
import { activityCommand } from './records/activity.ts';
import { auditCommand } from './records/audit.ts';
import { supportCommand } from './records/support.ts';
import { serveCommand } from './serve.ts';
import { backupCommand } from './setup/backup.ts';
import { checkCommand } from './setup/check.ts';
import { connectCommand } from './setup/connect.ts';
import { importCommand } from './setup/import.ts';
import { secretCommand } from './setup/secret.ts';
import type { CliCommand, Environment, UsageError } from './terminal/cli-command.ts';

/** The parsed command line of `patchbay`: a command that can run, or a text to print. */
export type CommandLine =
  | {
      readonly kind: 'run';
      readonly args: { readonly kind: string };
      run(env: Environment): Promise<number>;
    }
  | { readonly kind: 'print'; readonly text: string }
  | UsageError;

/** Parses the arguments after the program name; pure, never exits. */
export function parsePatchbayArgs(argv: readonly string[], programVersion: string): CommandLine {
  let printed = '';
  let errorText = '';
  let parsed: CommandLine | undefined;
  const output = {
    writeOut: (text: string) => {
      printed += text;
    },
    writeErr: (text: string) => {
      errorText += text;
    },
  };
  const command = describe(programVersion, output);
  for (const read of commands) {
    read(command, (line) => {
      parsed = line;
    });
  }
  try {
    command.parse([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: 'print', text: printed };
    // An argument that an action refuses has not been written.
    return { kind: 'usage', text: errorText === '' ? `error: ${error.message}\n` : errorText };
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
    .showHelpAfterError('See patchbay --help.')
    .exitOverride()
    .configureOutput(output);
}

/** Adds a command to the parser. */
type ReadCommand = (command: Command, want: (line: CommandLine) => void) => void;

function reading<Args extends { readonly kind: string }>({ describe, run }: CliCommand<Args>): ReadCommand {
  return (command, want) =>
    describe(command, (args) =>
      want(isUsage(args) ? args : { kind: 'run', args, run: (env) => run(args, env) }),
    );
}

function isUsage(args: { readonly kind: string }): args is UsageError {
  return args.kind === 'usage';
}

/** The commands in the order of the help: run, set up, use, look back. */
const commands: readonly ReadCommand[] = [
  reading(serveCommand),
  reading(statusCommand),
  reading(stopCommand),
  reading(restartCommand),
  reading(oneServerCommand),
  reading(checkCommand),
  reading(importCommand),
  reading(connectCommand),
  reading(signInCommand),
  reading(secretCommand),
  reading(accessCommand),
  reading(guardCommand),
  reading(searchCommand),
  reading(activityCommand),
  reading(auditCommand),
  reading(backupCommand),
  reading(supportCommand),
];
