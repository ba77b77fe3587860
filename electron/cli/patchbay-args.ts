import { Command, CommanderError } from 'commander';
import { type AccessArgs, describeAccess } from './access-args.ts';
import { type ActivityArgs, describeActivity } from './activity-args.ts';
import { type AuditArgs, describeAudit } from './audit-args.ts';
import { type BackupArgs, describeBackup } from './backup-args.ts';
import { type CheckArgs, describeCheck } from './check-args.ts';
import { type ConnectArgs, describeConnect } from './connect-args.ts';
import { describeGuard, type GuardArgs } from './guard-args.ts';
import { describeHubCommands, type HubArgs } from './hub-args.ts';
import { describeImport, type ImportArgs } from './import-args.ts';
import { dataDirOption, wholeNumber } from './option-values.ts';
import { describeSearch, type SearchArgs } from './search-args.ts';
import { describeSupport, type SupportArgs } from './support-args.ts';

/** The parsed command line of `patchbay`. */
export type PatchbayArgs =
  | {
      readonly kind: 'serve';
      readonly dataDir?: string;
      /** Port of the HTTP endpoint, instead of the one in the settings. */
      readonly port?: number;
      readonly debug: boolean;
    }
  | SecretArgs
  | ConnectArgs
  | ImportArgs
  | ActivityArgs
  | AuditArgs
  | SupportArgs
  | BackupArgs
  | AccessArgs
  | CheckArgs
  | HubArgs
  | GuardArgs
  | SearchArgs
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'usage'; readonly text: string };

/** A command on the secret vault. */
type SecretVerb =
  | { readonly verb: 'list' }
  | { readonly verb: 'set'; readonly name: string }
  | {
      readonly verb: 'enter';
      readonly server: string;
      /** Label of the value, if the server needs several. */
      readonly value?: string;
      readonly header?: string;
      readonly scheme?: string;
    }
  | { readonly verb: 'delete'; readonly name: string; readonly force: boolean };

export type SecretArgs = SecretVerb & { readonly kind: 'secret'; readonly dataDir?: string };

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
  describeServe(command, (options) => {
    parsed = serveArgs(options);
  });
  describeSecret(command, (args) => {
    parsed = args;
  });
  describeConnect(command, (args) => {
    parsed = args;
  });
  describeImport(command, (args) => {
    parsed = args;
  });
  describeActivity(command, (args) => {
    parsed = args;
  });
  describeAudit(command, (args) => {
    parsed = args;
  });
  describeAccess(command, (args) => {
    parsed = args;
  });
  describeSupport(command, (args) => {
    parsed = args;
  });
  describeBackup(command, (args) => {
    parsed = args;
  });
  describeCheck(command, (args) => {
    parsed = args;
  });
  describeGuard(command, (args) => {
    parsed = args;
  });
  describeSearch(command, (args) => {
    parsed = args;
  });
  describeHubCommands(command, (args) => {
    parsed = args;
  });
  try {
    command.parse([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? { kind: 'print', text: printed } : { kind: 'usage', text: errorText };
  }
  return parsed ?? { kind: 'usage', text: command.helpInformation() };
}

interface ServeOptions {
  readonly dataDir?: string;
  readonly port?: number;
  readonly debug?: boolean;
}

function serveArgs({ dataDir, port, debug }: ServeOptions): PatchbayArgs {
  return {
    kind: 'serve',
    debug: debug === true,
    ...(dataDir === undefined ? {} : { dataDir }),
    ...(port === undefined ? {} : { port }),
  };
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

function describeServe(command: Command, onServe: (options: ServeOptions) => void): void {
  command
    .command('serve')
    .description('run Patchbay without a window, until stopped')
    .option(...dataDirOption)
    .option(
      '--port <number>',
      'port of the HTTP endpoint on 127.0.0.1 (default: the one in the settings)',
      wholeNumber(1024, 65_535),
    )
    .option('--debug', 'log everything to standard error')
    .action(onServe);
}

interface SecretOptions {
  readonly dataDir?: string;
  readonly force?: boolean;
}

interface EnterOptions extends SecretOptions {
  readonly header?: string;
  readonly scheme?: string;
}

/** A value is never an argument: other users of the machine can read those. */
function describeSecret(command: Command, onSecret: (args: PatchbayArgs) => void): void {
  const want = ({ dataDir }: SecretOptions, args: SecretVerb) =>
    onSecret({ kind: 'secret', ...args, ...(dataDir === undefined ? {} : { dataDir }) });
  const group = command
    .command('secret')
    .description('store secrets that servers refer to by name; values are never shown');
  group
    .command('list')
    .description('list stored secrets, and the servers that use them')
    .option(...dataDirOption)
    .action((options: SecretOptions) => want(options, { verb: 'list' }));
  group
    .command('set <name>')
    .description('store a value, read from standard input or typed at a prompt')
    .option(...dataDirOption)
    .action((name: string, options: SecretOptions) => want(options, { verb: 'set', name }));
  group
    .command('enter <server> [value]')
    .description('store a value that a server is missing (see patchbay status), and start the server')
    .option(...dataDirOption)
    .option('--header <name>', 'header for the API key of a remote server')
    .option('--scheme <word>', 'word before the key in that header, such as Bearer')
    .action((server: string, value: string | undefined, options: EnterOptions) => {
      const { header, scheme } = options;
      want(options, {
        verb: 'enter',
        server,
        ...(value === undefined ? {} : { value }),
        ...(header === undefined ? {} : { header }),
        ...(scheme === undefined ? {} : { scheme }),
      });
    });
  group
    .command('delete <name>')
    .description('delete a secret; refused while servers refer to it')
    .option(...dataDirOption)
    .option('--force', 'delete it anyway; servers that use it will not start')
    .action((name: string, options: SecretOptions) =>
      want(options, { verb: 'delete', name, force: options.force === true }),
    );
}
