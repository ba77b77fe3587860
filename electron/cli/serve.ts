import type { Command } from 'commander';
import { type Problem, toProblem } from '../../shared/error/problem.ts';
import { formatCount } from '../../shared/model/amount.ts';
import type { HubView } from '../../shared/model/hub/hub.ts';
import { ancestorsVariable, hubInstanceId, loopProblem } from '../../shared/model/server/loop.ts';
import type { ServerView } from '../../shared/model/server/server.ts';
import { startReportVariable } from '../../shared/model/server/start-report.ts';
import { printableWord } from '../../shared/printable.ts';
import { programVersion } from '../../shared/version.ts';
import {
  changeSettingsFile,
  completeRestore,
  createEnvironmentSource,
  dataPaths,
  defaultDataDir,
  type EnginePorts,
  type EnvironmentSource,
  type Hub,
  inheritedReading,
  type LaunchCommand,
  Limits,
  type Logger,
  readLoginEnvironment,
  readSettings,
  redactProblem,
  startHub,
} from '../engine/engine.ts';
import { type EndSignal, nextSignal } from './process/next-signal.ts';
import { createProblemTracker, type ProblemChanges } from './process/problem-tracker.ts';
import { createServeLog } from './process/serve-log.ts';
import { shutDown } from './process/shut-down.ts';
import { bridgeOfProgram } from './setup/connect.ts';
import type { CliCommand, Environment } from './terminal/cli-command.ts';
import { dataDirOption, wholeNumber } from './terminal/option-values.ts';
import { print, printError } from './terminal/print.ts';
import { problemText } from './terminal/problem-text.ts';
import { createStderrLogger } from './terminal/stderr-logger.ts';

export interface ServeArgs {
  readonly kind: 'serve';
  readonly dataDir?: string;
  /** Port of the HTTP endpoint, instead of the one in the settings. */
  readonly port?: number;
  readonly debug: boolean;
}

export const serveCommand: CliCommand<ServeArgs> = { describe: describeServe, run: serve };

function describeServe(command: Command, onServe: (args: ServeArgs) => void): void {
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
    .action(
      ({ debug = false, ...options }: Omit<ServeArgs, 'kind' | 'debug'> & { readonly debug?: boolean }) =>
        onServe({ kind: 'serve', debug, ...options }),
    );
}

/** Runs the hub without a window until it is stopped; resolves to the exit code. */
async function serve(args: ServeArgs, env: Environment): Promise<number> {
  // A closed pipe, or a full disk behind it, must not end the hub.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const terminalLog = createStderrLogger(args.debug);
  const dataDir = args.dataDir ?? defaultDataDir(env);
  let endAsked = () => {};
  const stopRequest = new Promise<EndSignal>((resolve) => {
    // A command asks to stop in the same way as Ctrl-C at the terminal.
    endAsked = () => resolve('SIGINT');
  });
  const signalled = Promise.race([nextSignal(), stopRequest]);
  const loop = loopProblem(env[ancestorsVariable], hubInstanceId(dataDir));
  if (loop !== undefined) return fail(loop, env, terminalLog);
  const logger = createServeLog(dataPaths(dataDir).logs, terminalLog);
  try {
    const replaced = (problem: Problem) => {
      logger.log('error', problemText(problem));
      endAsked();
    };
    const hub = await start(args, dataDir, env, { logger, endAsked, replaced });
    reportProgress(hub, logger);
    await shutDown(hub, await signalled, (text) => print(`${text}\n`));
    return 0;
  } catch (error) {
    return fail(toProblem(error), env, logger);
  } finally {
    await logger.close();
  }
}

/** Reports why the hub cannot start, to people and to the bridge that may have started this program. */
function fail(problem: Problem, env: Environment, logger: Logger): number {
  logger.log('error', problemText(problem));
  if (isForBridge(env)) printError(`${JSON.stringify(redactProblem(problem))}\n`);
  return 1;
}

const isForBridge = (env: Environment) => env[startReportVariable] === 'json';

async function start(
  args: ServeArgs,
  dataDir: string,
  env: Environment,
  { logger, endAsked, replaced }: Required<Pick<EnginePorts, 'logger' | 'endAsked' | 'replaced'>>,
): Promise<Hub> {
  await completeRestore(dataDir, programVersion);
  const { settings, problem: damaged } = await readSettings(dataPaths(dataDir).settings);
  if (damaged !== undefined) logger.log('warn', problemText(damaged));
  const limits = new Limits({ variables: env, chosen: settings.limits });
  limits.requireValid();
  const environment = serverEnvironment(env);
  const hub: Hub = await startHub(
    {
      logger,
      endAsked,
      replaced,
      saveAskDestructive: async (askDestructive) => {
        await changeSettingsFile(dataPaths(dataDir).settings, { askDestructive });
        hub.applyAskDestructive(askDestructive);
      },
      environment,
      env: async () => (await environment.reading()).env,
      activityWorker,
    },
    {
      dataDir,
      version: programVersion,
      port: args.port ?? settings.port,
      recordActivity: settings.recordActivity,
      audit: settings.audit,
      newClients: settings.newClients,
      askDestructive: settings.askDestructive,
      limits,
      startedByBridge: isForBridge(env),
      launch: launchCommand(dataDir, args.port),
      bridge: bridgeOfProgram(process.argv[1] ?? '', env),
    },
  );
  return hub;
}

/**
 * A bridge may start this program with no environment at all; servers then get that of the login shell. A
 * program started in a terminal has one, which is only extended when a command is not found in it.
 */
function serverEnvironment(inherited: Environment): EnvironmentSource {
  if (inherited.PATH === undefined)
    return createEnvironmentSource({ read: () => readLoginEnvironment({ inherited }) });
  return createEnvironmentSource({
    first: inheritedReading(inherited),
    read: () => readLoginEnvironment({ inherited, prefer: 'inherited' }),
  });
}

/** A bridge starts the hub again with this command. */
function launchCommand(dataDir: string, port: number | undefined): LaunchCommand {
  const program = process.argv[1] ?? '';
  const portArgs = port === undefined ? [] : ['--port', String(port)];
  return {
    command: process.execPath,
    args: [program, 'serve', '--data-dir', dataDir, ...portArgs],
    env: process.versions.electron === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' },
  };
}

/** Prints what a person at the terminal needs to know, and each later problem once. */
function reportProgress(hub: Hub, logger: Logger): void {
  const { dataDir, endpoint, configFile } = hub.view();
  const lines = [
    `Patchbay ${programVersion} is running without a window.`,
    `  data folder  ${dataDir}`,
    `  servers      ${configFile}`,
    `  endpoint     ${endpoint ?? 'off'}`,
    `  token        ${dataPaths(dataDir).token}`,
    'Stop it with Ctrl-C or patchbay stop.',
  ];
  print(`${lines.join('\n')}\n`);
  const changesOf = createProblemTracker();
  const connectedKeys = new Set<string>();
  const printChanges = (name: string, { newProblems, hasRecovered }: ProblemChanges) => {
    for (const found of newProblems) logger.log('error', `${printableWord(name)}: ${problemText(found)}`);
    if (hasRecovered) print(`${printableWord(name)}: recovered\n`);
  };
  const reportHub = ({ problems }: HubView) => {
    const isOfConfig = ({ code }: Problem) => code.startsWith('config.');
    printChanges('config', changesOf('config', problems.filter(isOfConfig)));
    printChanges(
      'hub',
      changesOf(
        'hub',
        problems.filter((found) => !isOfConfig(found)),
      ),
    );
  };
  const reportServer = (server: ServerView) => {
    const { key, status, counts, cached, protocolVersion } = server;
    const news = changesOf(`server ${key}`, problemsOf(server), isSettling(server));
    printChanges(key, { ...news, hasRecovered: news.hasRecovered && status !== 'disabled' });
    if (status === 'connected') {
      // Until this process has listed its tools, their number is unknown.
      if (cached || protocolVersion === undefined || connectedKeys.has(key)) return;
      connectedKeys.add(key);
      print(`${printableWord(key)}: connected, ${formatCount(counts.tools, 'tool')}\n`);
    } else if (!isSettling(server)) connectedKeys.delete(key);
  };
  reportHub(hub.view());
  hub.events['hub.changed'](reportHub);
  hub.events['servers.changed'](({ servers }) => servers.forEach(reportServer));
}

function problemsOf({ problem, update, warnings }: ServerView): readonly Problem[] {
  const refused = update?.kind === 'failed' ? [staleConfigProblem(update.problem)] : [];
  return problem === undefined ? [...refused, ...warnings] : [problem, ...refused, ...warnings];
}

function staleConfigProblem({ sentence, ...rest }: Problem): Problem {
  return {
    ...rest,
    sentence: `The changed config cannot be used; the server keeps running with the old one. ${sentence}`,
  };
}

function isSettling({ status, update }: ServerView): boolean {
  return settlingStatuses.has(status) || update?.kind === 'starting';
}

/** A server that is starting or waiting for a retry is neither healthy nor newly broken. */
const settlingStatuses: ReadonlySet<ServerView['status']> = new Set(['connecting', 'disconnected']);

/** Entry files beside this program. */
const activityWorker = new URL('./activity-worker.mjs', import.meta.url);
