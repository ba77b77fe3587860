import { type Problem, toProblem } from '../../shared/error/problem.ts';
import { formatCount } from '../../shared/model/amount.ts';
import type { HubView } from '../../shared/model/hub.ts';
import { ancestorsVariable, hubInstanceId, loopProblem } from '../../shared/model/loop.ts';
import type { ServerView } from '../../shared/model/server.ts';
import { startReportVariable } from '../../shared/model/start-report.ts';
import { programVersion } from '../../shared/version.ts';
import { printableWord } from '../engine/base/printable.ts';
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
import { shutDown } from './end-in-order.ts';
import { type EndSignal, nextSignal } from './next-signal.ts';
import { type PatchbayArgs, parsePatchbayArgs } from './patchbay-args.ts';
import { print, printError } from './print.ts';
import { createProblemTracker, type ProblemChanges } from './problem-news.ts';
import { problemText } from './report.ts';
import { runAccess } from './run-access.ts';
import { runActivity } from './run-activity.ts';
import { runAudit } from './run-audit.ts';
import { runBackup } from './run-backup.ts';
import { runCheck } from './run-check.ts';
import { bridgeOfProgram, runConnect } from './run-connect.ts';
import { runGuard } from './run-guard.ts';
import { runImport } from './run-import.ts';
import { runRestart } from './run-restart.ts';
import { runSearch } from './run-search.ts';
import { runSecret } from './run-secret.ts';
import { runSignIn, runSignOut } from './run-sign-in.ts';
import { runStatus } from './run-status.ts';
import { runStop } from './run-stop.ts';
import { runSupport } from './run-support.ts';
import { createServeLog } from './serve-log.ts';
import { createStderrLogger } from './stderr-logger.ts';
import { watchOutput } from './watch-output.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type ServeArgs = Extract<PatchbayArgs, { kind: 'serve' }>;

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
    const hub = await start(args, dataDir, env, { logger, endAsked });
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
  { logger, endAsked }: Required<Pick<EnginePorts, 'logger' | 'endAsked'>>,
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

/** What a person at the terminal needs to know, and every later problem, once each time it comes up. */
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
  const printChanges = (name: string, { newProblems: fresh, hasRecovered: isOver }: ProblemChanges) => {
    for (const found of fresh) logger.log('error', `${printableWord(name)}: ${problemText(found)}`);
    if (isOver) print(`${printableWord(name)}: recovered\n`);
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
    const { key, status, counts } = server;
    const news = changesOf(`server ${key}`, problemsOf(server), isSettling(server));
    printChanges(key, { ...news, hasRecovered: news.hasRecovered && status !== 'disabled' });
    if (status === 'connected' && !connectedKeys.has(key))
      print(`${printableWord(key)}: connected, ${formatCount(counts.tools, 'tool')}\n`);
    if (status === 'connected') connectedKeys.add(key);
    else if (!isSettling(server)) connectedKeys.delete(key);
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
    sentence: `The changed config cannot be used; the server keeps running with the previous one. ${sentence}`,
  };
}

function isSettling({ status, update }: ServerView): boolean {
  return settlingStatuses.has(status) || update?.kind === 'starting';
}

/** A server that is starting or waiting for a retry is neither healthy nor newly broken. */
const settlingStatuses: ReadonlySet<ServerView['status']> = new Set(['connecting', 'disconnected']);

/** Entry files beside this program. */
const activityWorker = new URL('./activity-desk.mjs', import.meta.url);
