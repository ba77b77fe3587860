import { resolve } from 'node:path';
import { Command, CommanderError } from 'commander';

/** What the command line of `patchbay` asks for. */
export type PatchbayArgs =
  | {
      readonly kind: 'serve';
      readonly dataDir?: string;
      /** Port of the HTTP endpoint, instead of the one in the settings. */
      readonly port?: number;
      readonly debug: boolean;
    }
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'usage'; readonly text: string };

/** Parses the arguments after the program name; pure, never exits. */
export function parsePatchbayArgs(argv: readonly string[], programVersion: string): PatchbayArgs {
  let printed = '';
  let complaint = '';
  let serve: ServeOptions | undefined;
  const output = {
    writeOut: (text: string) => {
      printed += text;
    },
    writeErr: (text: string) => {
      complaint += text;
    },
  };
  const command = describe(programVersion, output, (options) => {
    serve = options;
  });
  try {
    command.parse([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? { kind: 'print', text: printed } : { kind: 'usage', text: complaint };
  }
  return serve === undefined ? { kind: 'usage', text: command.helpInformation() } : serveArgs(serve);
}

interface ServeOptions {
  readonly dataDir?: string;
  readonly port?: string;
  readonly debug?: boolean;
}

function serveArgs({ dataDir, port, debug }: ServeOptions): PatchbayArgs {
  if (dataDir === '') return { kind: 'usage', text: 'error: --data-dir needs a folder; it is empty\n' };
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

interface Output {
  writeOut(text: string): void;
  writeErr(text: string): void;
}

function describe(version: string, output: Output, onServe: (options: ServeOptions) => void): Command {
  const command = new Command('patchbay')
    .description('One plug for all your MCP servers.')
    .version(version)
    .exitOverride()
    .configureOutput(output);
  command
    .command('serve')
    .description('run the hub without a display, until it is told to end')
    .option('--data-dir <folder>', 'where everything is kept (default: $PATCHBAY_DATA_DIR, else ~/.patchbay)')
    .option('--port <number>', 'port of the HTTP endpoint on 127.0.0.1, instead of the one in the settings')
    .option('--debug', 'log everything, to standard error')
    .action(onServe);
  return command;
}
