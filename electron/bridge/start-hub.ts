import type { Problem } from '../../shared/error/problem.ts';
import { ancestorsVariable } from '../../shared/model/loop.ts';
import { type DataPaths, defaultDataDir } from '../engine/store/data-dir.ts';
import { hubTurnedOff, isTurnedOff } from '../engine/store/turned-off.ts';
import { asProblem, hubSilent, hubUnreachable, noStartCommand, startFailed } from './bridge-problem.ts';
import { examineFolder } from './data-folder.ts';
import { type HubExit, launchHub } from './hub-process.ts';
import type { HubStart, StartFailure } from './hub-starter.ts';
import { commandText, isHeadless, type Launch } from './launch.ts';
import { runningHub } from './living-hub.ts';

export interface StartHubOptions {
  readonly paths: DataPaths;
  readonly launch: () => Promise<Launch | undefined>;
  /** Started if the app ends without reporting a reason, for example because its display is gone. */
  readonly headless?: () => Launch | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly note: (text: string) => void;
}

/** Starts the hub of a data folder, if there is a known command. */
export function startHub(options: StartHubOptions): HubStart {
  const { paths, note } = options;
  let isWatched = true;
  let release = () => {};
  const run = async (launch: Launch, how = ''): Promise<StartFailure | undefined> => {
    const command = commandText(launch);
    note(`starting Patchbay for ${paths.dir}${how}: ${command}`);
    const hub = launchHub(launch, hubEnvironment(paths.dir, options.env));
    release = hub.release;
    if (!isWatched) release();
    return failureOfExit(await hub.ended, command, paths);
  };
  const failed = options.launch().then(async (launch): Promise<StartFailure | 'unneeded' | undefined> => {
    if (await isTurnedOff(paths)) return { problem: hubTurnedOff(), isFinal: true };
    if (launch === undefined) return { problem: noStartCommand(), isFinal: false };
    // A second hub would only wait for the folder, and take it over long after its bridge has gone.
    if ((await runningHub(paths.hub)) !== undefined) return 'unneeded';
    if (!isWatched) return undefined;
    const failure = await run(launch);
    const headless =
      isWatched && endedSilently(failure) && !isHeadless(launch) ? options.headless?.() : undefined;
    if (failure === undefined || headless === undefined) return failure;
    note(failure.problem.sentence);
    return run(headless, ' without a window');
  });
  void failed.then((outcome) => {
    if (isWatched && typeof outcome === 'object' && !outcome.isFinal) note(outcome.problem.sentence);
  });
  return {
    failed,
    release() {
      isWatched = false;
      release();
    },
  };
}

/** Finds out why a hub does not come although no start has failed. */
export async function explainAbsence(paths: DataPaths, waited: number): Promise<Problem> {
  const owner = await runningHub(paths.hub);
  if (owner !== undefined) return hubSilent(owner.pid);
  const folder = await examineFolder(paths);
  return folder.kind === 'unusable' ? folder.problem : hubUnreachable(paths.socket, waited);
}

/**
 * Returns the environment of the hub: with the data folder, unless it is the default one, and without the
 * chain of hubs above, since the hub has no parent.
 */
function hubEnvironment(dataDir: string, env: StartHubOptions['env']): StartHubOptions['env'] {
  const { [ancestorsVariable]: _, ...rest } = env;
  return dataDir === defaultDataDir({}) ? rest : { ...rest, PATCHBAY_DATA_DIR: dataDir };
}

async function failureOfExit(
  end: HubExit,
  command: string,
  paths: DataPaths,
): Promise<StartFailure | undefined> {
  // Exited normally: a running hub took over, or a person ended it.
  if (end.code === 0) return undefined;
  const reportedByHub = reportedProblem(end);
  if (reportedByHub !== undefined)
    return { problem: reportedByHub, isFinal: reportedByHub.code !== 'hub.already_running' };
  if ((await runningHub(paths.hub)) !== undefined) return undefined;
  const folder = await examineFolder(paths);
  const problem = folder.kind === 'unusable' ? folder.problem : startFailed(command, end);
  return { problem, isFinal: true };
}

/**
 * Returns true if the app ended without reporting a problem: if it cannot reach a display, the system ends it
 * first.
 */
function endedSilently(failure: StartFailure | undefined): boolean {
  return failure?.problem.code === 'hub.unreachable';
}

/** Returns the problem on the last line of the hub's output. */
function reportedProblem({ stderrTail: lastWords }: HubExit): Problem | undefined {
  try {
    return asProblem(JSON.parse(lastWords.slice(lastWords.lastIndexOf('\n') + 1)));
  } catch {
    return undefined;
  }
}
