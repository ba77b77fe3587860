import { Command, CommanderError, Option } from 'commander';
import { nonBlank } from './option-values.ts';

/** The parsed command line of `mcp-simple-aggregator`. */
export type AggregatorArgs =
  | {
      readonly kind: 'run';
      readonly config: string;
      readonly debug: boolean;
      /** The `serverInfo` name reported to the client. */
      readonly name: string;
      readonly serverVersion: string;
      readonly names?: 'colon' | 'dot' | 'safe';
    }
  /** Help or version: print to standard output, exit 0. */
  | { readonly kind: 'print'; readonly text: string }
  /** Wrong usage: print to standard error, exit 2. */
  | { readonly kind: 'usage'; readonly text: string };

/** Parses the arguments after the program name; pure, never exits. */
export function parseAggregatorArgs(argv: readonly string[], programVersion: string): AggregatorArgs {
  let printed = '';
  let errorText = '';
  const command = describe(programVersion)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => {
        printed += text;
      },
      writeErr: (text) => {
        errorText += text;
      },
    });
  try {
    command.parse([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? { kind: 'print', text: printed } : { kind: 'usage', text: errorText };
  }
  const options = command.opts<RawOptions>();
  // `--version` alone prints the version; `--version 2.0.0` sets the version reported to the client.
  if (options.version === true) return { kind: 'print', text: `${programVersion}\n` };
  if (options.config === undefined) {
    return {
      kind: 'usage',
      text: `error: the argument --config FILE is required\n\n${command.helpInformation()}`,
    };
  }
  return {
    kind: 'run',
    config: options.config,
    debug: options.debug === true,
    name: options.name,
    serverVersion: options.version ?? programVersion,
    ...(options.names === undefined ? {} : { names: options.names }),
  };
}

interface RawOptions {
  readonly config?: string;
  readonly debug?: boolean;
  readonly name: string;
  readonly version?: string | true;
  readonly names?: 'colon' | 'dot' | 'safe';
}

function describe(programVersion: string): Command {
  return new Command('mcp-simple-aggregator')
    .description('Serves the tools of all MCP servers of a config file as one MCP server on stdio.')
    .option(
      '-c, --config <file>',
      'the MCP config file, standard mcpServers JSON; servers on stdio only (required)',
      nonBlank,
    )
    .option('--debug', 'log more than errors and warnings, to standard error')
    .option('--name <name>', 'server name reported to the client', nonBlank, 'mcp-simple-aggregator')
    .option(
      '--version [version]',
      `print the version (${programVersion}), or set the one reported to the client`,
      nonBlank,
    )
    .addOption(
      new Option('--names <style>', 'how tools are named: key:tool, key.tool or key__tool').choices([
        'colon',
        'dot',
        'safe',
      ]),
    )
    .helpOption('-h, --help', 'show this help')
    .showHelpAfterError()
    .allowExcessArguments(false)
    .addHelpText('after', '\nExit codes: 0 success, 1 config or start failure, 2 wrong usage.');
}
