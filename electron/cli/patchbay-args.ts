import { resolve } from 'node:path';
import { Command, CommanderError } from 'commander';
import { type AccessArgs, describeAccess } from './access-args.ts';
import { type ActivityArgs, describeActivity } from './activity-args.ts';
import { type AuditArgs, describeAudit } from './audit-args.ts';
import { type CheckArgs, describeCheck } from './check-args.ts';
import { type ConnectArgs, describeConnect } from './connect-args.ts';
import { describeGuard, type GuardArgs } from './guard-args.ts';
import { describeHubCommands, type HubArgs } from './hub-args.ts';
import { describeSearch, type SearchArgs } from './search-args.ts';
import { describeSupport, type SupportArgs } from './support-args.ts';

/** What the command line of `patchbay` asks for. */
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
  | ActivityArgs
  | AuditArgs
  | SupportArgs
  | AccessArgs
  | CheckArgs
  | HubArgs
  | GuardArgs
  | SearchArgs
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'usage'; readonly text: string };

/** What is to be done with the vault. */
type SecretVerb =
  | { readonly verb: 'list' }
  | { readonly verb: 'set'; readonly name: string }
  | { readonly verb: 'delete'; readonly name: string; readonly force: boolean };

export type SecretArgs = SecretVerb & { readonly kind: 'secret'; readonly dataDir?: string };

/** Parses the arguments after the program name; pure, never exits. */
export function parsePatchbayArgs(argv: readonly string[], programVersion: string): PatchbayArgs {
  let printed = '';
  let complaint = '';
  let wanted: PatchbayArgs | undefined;
  const output = {
    writeOut: (text: string) => {
      printed += text;
    },
    writeErr: (text: string) => {
      complaint += text;
    },
  };
  const command = describe(programVersion, output);
  describeServe(command, (options) => {
    wanted = serveArgs(options);
  });
  describeSecret(command, (args) => {
    wanted = args;
  });
  describeConnect(command, dataDirOption, (args) => {
    wanted = args;
  });
  describeActivity(command, dataDirOption, (args) => {
    wanted = args;
  });
  describeAudit(command, dataDirOption, (args) => {
    wanted = args;
  });
  describeAccess(command, dataDirOption, (args) => {
    wanted = args;
  });
  describeSupport(command, dataDirOption, (args) => {
    wanted = args;
  });
  describeCheck(command, dataDirOption, (args) => {
    wanted = args;
  });
  describeGuard(command, dataDirOption, (args) => {
    wanted = args;
  });
  describeSearch(command, dataDirOption, (args) => {
    wanted = args;
  });
  describeHubCommands(command, dataDirOption, (args) => {
    wanted = args;
  });
  try {
    command.parse([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? { kind: 'print', text: printed } : { kind: 'usage', text: complaint };
  }
  return wanted ?? { kind: 'usage', text: command.helpInformation() };
}

interface ServeOptions {
  readonly dataDir?: string;
  readonly port?: string;
  readonly debug?: boolean;
}

function serveArgs({ dataDir, port, debug }: ServeOptions): PatchbayArgs {
  if (dataDir === '') return emptyFolder;
  const number = port === undefined ? undefined : Number(port);
  if (number !== undefined && !(Number.isInteger(number) && number >= 1024 && number <= 65_535)) {
    return { kind: 'usage', text: `error: --port must be a number from 1024 to 65535, not "${port}"\n` };
  }
  return {
    kind: 'serve',
    debug: debug === true,
    ...(dataDir === undefined ? {} : { dataDir: resolve(dataDir) }),
    ...(number === undefined ? {} : { port: number }),
  };
}

const emptyFolder: PatchbayArgs = {
  kind: 'usage',
  text: 'error: --data-dir needs a folder; it is empty\n',
};

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

const dataDirOption = [
  '--data-dir <folder>',
  'where everything is kept (default: $PATCHBAY_DATA_DIR, else ~/.patchbay)',
] as const;

function describeServe(command: Command, onServe: (options: ServeOptions) => void): void {
  command
    .command('serve')
    .description('run the hub without a display, until it is told to end')
    .option(...dataDirOption)
    .option('--port <number>', 'port of the HTTP endpoint on 127.0.0.1, instead of the one in the settings')
    .option('--debug', 'log everything, to standard error')
    .action(onServe);
}

interface SecretOptions {
  readonly dataDir?: string;
  readonly force?: boolean;
}

/** A value is never taken as an argument: others on the machine can read those. */
function describeSecret(command: Command, onSecret: (args: PatchbayArgs) => void): void {
  const want = ({ dataDir }: SecretOptions, args: SecretVerb) =>
    onSecret(
      dataDir === ''
        ? emptyFolder
        : { kind: 'secret', ...args, ...(dataDir === undefined ? {} : { dataDir: resolve(dataDir) }) },
    );
  const group = command
    .command('secret')
    .description('keep secrets that servers refer to by name; values are never shown');
  group
    .command('list')
    .description('names of the stored secrets, and which servers use them')
    .option(...dataDirOption)
    .action((options: SecretOptions) => want(options, { verb: 'list' }));
  group
    .command('set <name>')
    .description('store the value that is read from standard input, or asked for at a terminal')
    .option(...dataDirOption)
    .action((name: string, options: SecretOptions) => want(options, { verb: 'set', name }));
  group
    .command('delete <name>')
    .description('delete a secret; refused while servers refer to it')
    .option(...dataDirOption)
    .option('--force', 'delete it all the same; its servers cannot be started any more then')
    .action((name: string, options: SecretOptions) =>
      want(options, { verb: 'delete', name, force: options.force === true }),
    );
}
