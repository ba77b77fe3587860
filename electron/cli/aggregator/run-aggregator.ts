import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
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
import { print, printError } from '../terminal/print.ts';
import { configErrorText, problemText } from '../terminal/problem-text.ts';
import { createStderrLogger } from '../terminal/stderr-logger.ts';
import { type AggregatorArgs, parseAggregatorArgs } from './aggregator-args.ts';

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
  return realpath(file).catch(() => resolve(file));
}
