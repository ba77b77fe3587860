import { realpath } from 'node:fs/promises';
import { Command, CommanderError, Option } from 'commander';
import { ConfigError } from '../../../shared/error/config-error.ts';
import { ancestorsVariable, commandInstanceId, loopProblem } from '../../../shared/model/server/loop.ts';
import { programVersion } from '../../../shared/version.ts';
import {
  type Aggregator,
  createAggregator,
  createStreamTransport,
  drainToParent,
  type Logger,
  readStrictConfig,
  type StrictConfig,
} from '../../engine/aggregator.ts';
import { nextSignal } from '../process/next-signal.ts';
import { nonBlank } from '../terminal/option-values.ts';
import { print, printError } from '../terminal/print.ts';
import { configErrorText, problemText } from '../terminal/problem-text.ts';
import { createStderrLogger } from '../terminal/stderr-logger.ts';

/** The parsed command line of `mcp-simple-aggregator`. */
type AggregatorArgs =
  | {
      readonly kind: 'run';
      readonly config: string;
      readonly debug: boolean;
      /** The `serverInfo` name reported to the client. */
      readonly name: string;
      readonly serverVersion: string;
      readonly names?: 'colon' | 'dot' | 'safe';
      readonly protocol?: 'auto' | 'legacy' | 'modern';
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
    ...(options.protocol === undefined ? {} : { protocol: options.protocol }),
  };
}

interface RawOptions {
  readonly config?: string;
  readonly debug?: boolean;
  readonly name: string;
  readonly version?: string | true;
  readonly names?: 'colon' | 'dot' | 'safe';
  readonly protocol?: 'auto' | 'legacy' | 'modern';
}

function describe(programVersion: string): Command {
  return new Command('mcp-simple-aggregator')
    .description('Serves all MCP servers of a config file as one MCP server on stdio.')
    .option(
      '-c, --config <file>',
      'MCP config file in the standard mcpServers form; stdio servers only (required)',
      nonBlank,
    )
    .option('--debug', 'log everything to standard error, not only errors and warnings')
    .option('--name <name>', 'server name reported to the client', nonBlank, 'mcp-simple-aggregator')
    .option(
      '--version [version]',
      `print the version (${programVersion}), or set the version reported to the client`,
      nonBlank,
    )
    .addOption(
      new Option('--names <style>', 'how tools are named: key:tool, key.tool or key__tool').choices([
        'colon',
        'dot',
        'safe',
      ]),
    )
    .addOption(
      new Option('--protocol <era>', 'legacy: with sessions; modern: stateless (default: auto)').choices([
        'auto',
        'legacy',
        'modern',
      ]),
    )
    .helpOption('-h, --help', 'show this help')
    .showHelpAfterError()
    .allowExcessArguments(false)
    .addHelpText('after', '\nExit codes: 0 success, 1 config or start failure, 2 wrong usage.');
}

type Environment = Readonly<Record<string, string | undefined>>;
type RunArgs = Extract<AggregatorArgs, { kind: 'run' }>;

/**
 * Runs `mcp-simple-aggregator` until its client disconnects; resolves to the exit code: 0, 1 (config, start)
 * or 2 (usage).
 */
export async function runAggregator(argv: readonly string[], env: Environment): Promise<number> {
  const args = parseAggregatorArgs(argv, programVersion);
  if (args.kind === 'print') {
    print(args.text);
    return 0;
  }
  if (args.kind === 'usage') {
    printError(args.text);
    return 2;
  }
  const log = createStderrLogger(args.debug);
  const instanceId = commandInstanceId(await realPathOf(args.config));
  const loop = loopProblem(env[ancestorsVariable], instanceId);
  if (loop !== undefined) {
    log.log('error', problemText(loop));
    return 1;
  }
  const config = await readConfig(args.config, env, log);
  return config === undefined ? 1 : serve(args, config, instanceId, env, log);
}

async function readConfig(file: string, env: Environment, log: Logger): Promise<StrictConfig | undefined> {
  try {
    const config = await readStrictConfig(file, env);
    for (const warning of config.warnings) log.log('warn', warning.message);
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    log.log('error', configErrorText(error));
    return undefined;
  }
}

async function serve(
  args: RunArgs,
  config: StrictConfig,
  instanceId: string,
  env: Environment,
  log: Logger,
): Promise<number> {
  const aggregator = createAggregator({
    config,
    instanceId,
    identity: { name: args.name, version: args.serverVersion },
    env,
    logger: log,
    transport: createStreamTransport({
      readable: process.stdin,
      writable: process.stdout,
      drain: drainToParent(),
    }),
    onChildFailure: ({ serverKey, phase, problem }) =>
      log.log('error', `server "${serverKey}" (${phase}): ${problemText(problem)}`),
    ...(args.names === undefined ? {} : { askedStyle: args.names }),
    protocol: args.protocol,
  });
  const signalled = nextSignal();
  try {
    await aggregator.start();
    return await outcome(aggregator, signalled, log);
  } finally {
    await aggregator.stop();
  }
}

/** Fails if all servers failed to start; a client that disconnects, or a signal, is a normal end. */
async function outcome(aggregator: Aggregator, signalled: Promise<unknown>, log: Logger): Promise<number> {
  const end = Promise.race([aggregator.clientGone, signalled]).then(() => true);
  const started = await Promise.race([aggregator.started(), end]);
  if (!started) {
    log.log('error', 'No server could be started.');
    return 1;
  }
  await end;
  return 0;
}

/** A missing file has no real path; reading it will report that. */
async function realPathOf(file: string): Promise<string> {
  return realpath(file).catch(() => file);
}
