import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Problem, problem } from '../../shared/error/problem.ts';
import { ancestorsVariable, processTagVariable } from '../../shared/model/server/loop.ts';
import { startReportVariable } from '../../shared/model/server/start-report.ts';
import { redactText } from '../engine/base/mask/redact-log.ts';
import { type DataPaths, defaultDataDir } from '../engine/store/files/data-dir.ts';
import { readRunningHub } from '../engine/store/files/instance-lock.ts';
import { hubTurnedOff, isTurnedOff } from '../engine/store/files/turned-off.ts';
import { asProblem, hubSilent, hubUnreachable, noStartCommand } from './bridge-problem.ts';
import { examineFolder } from './data-folder.ts';
import type { HubStart, StartFailure } from './hub-starter.ts';
import { commandText, isHeadless, type Launch } from './launch.ts';

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
    if ((await readRunningHub(paths.hub)) !== undefined) return 'unneeded';
    if (!isWatched) return undefined;
    const failure = await run(launch);
    const headless =
      isWatched && endedSilently(failure) && !isHeadless(launch) ? options.headless?.() : undefined;
    if (failure === undefined || headless === undefined) return failure;
    note(failure.problem.sentence);
    return run(headless, ' without a window');
  });
  void failed.then((outcome) => {
    if (isWatched && typeof outcome === 'object') note(outcome.problem.sentence);
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
  const owner = await readRunningHub(paths.hub);
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
  if ((await readRunningHub(paths.hub)) !== undefined) return undefined;
  const folder = await examineFolder(paths);
  const found = folder.kind === 'unusable' ? folder.problem : startFailed(command, end);
  return { problem: found, isFinal: true };
}

/** A hub ended before it could be reached, without reporting a problem. */
function startFailed(command: string, { code, reason, stderrTail }: HubExit): Problem {
  const how = code === undefined ? String(reason) : `exit code ${code}`;
  return problem(
    'hub.unreachable',
    `Patchbay could not be started (${how}).`,
    `Run this in a terminal to see why: ${command}`,
    {
      command,
      ended: how,
      ...(stderrTail === '' ? {} : { 'standard error': redactText(stderrTail.slice(-2_000)) }),
    },
  );
}

/**
 * Returns true if the app ended without reporting a problem: if it cannot reach a display, the system ends it
 * first.
 */
function endedSilently(failure: StartFailure | undefined): boolean {
  return failure?.problem.code === 'hub.unreachable';
}

/** Returns the problem on the last line of the hub's output. */
function reportedProblem({ stderrTail }: HubExit): Problem | undefined {
  try {
    return asProblem(JSON.parse(stderrTail.slice(stderrTail.lastIndexOf('\n') + 1)));
  } catch {
    return undefined;
  }
}

/** How a started hub has ended. */
export interface HubExit {
  /** Absent if it never started, or was ended by a signal. */
  readonly code?: number;
  /** The error that kept it from starting, or the signal. */
  readonly reason?: string;
  /** End of its standard error output. */
  readonly stderrTail: string;
}

/** A hub that was started and runs independently. */
export interface HubProcess {
  /** Never rejects; does not keep this program running. */
  readonly ended: Promise<HubExit>;
  /** Stops following how it ends. */
  release(): void;
}

/** Starts the hub so that it outlives this program and its client, and can report why it could not start. */
export function launchHub(
  { command, args, env }: Launch,
  inherited: Readonly<Record<string, string | undefined>>,
): HubProcess {
  // The program may be the app's binary running as Node; the app must not run as Node. If a server started
  // this program, the app must not end with that server.
  const { ELECTRON_RUN_AS_NODE: _, [processTagVariable]: __, ...rest } = inherited;
  const stderr = createStderrFile();
  const child = spawn(command, args, {
    env: { ...rest, ...env, [startReportVariable]: 'json' },
    detached: true,
    stdio: ['ignore', 'ignore', stderr.descriptor ?? 'ignore'],
    windowsHide: true,
  });
  child.unref();
  const ended = new Promise<HubExit>((resolve) => {
    child.on('error', ({ message }) => resolve({ reason: message, stderrTail: '' }));
    child.on('exit', (code, signal) =>
      resolve({
        ...(code === null ? {} : { code }),
        ...(signal === null ? {} : { reason: signal }),
        stderrTail: stderr.read(),
      }),
    );
  });
  return { ended, release: stderr.close };
}

interface StderrFile {
  readonly descriptor: number | undefined;
  read(): string;
  close(): void;
}

/**
 * Creates a file for the hub's standard error: the hub may outlive this program, so a pipe would break. The
 * file is unlinked as soon as the system allows, so that nothing is left behind and nobody else reads it.
 */
function createStderrFile(): StderrFile {
  const file = join(tmpdir(), `patchbay-start-${randomUUID()}`);
  const opened = openStderrFile(file);
  let descriptor = opened;
  return {
    descriptor: opened,
    read: () => (descriptor === undefined ? '' : tailOf(descriptor)),
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}

/** Ignores failures: a full or read-only temporary folder must not keep the hub from starting. */
function openStderrFile(file: string): number | undefined {
  const descriptor = attempt(() => openSync(file, 'ax+', 0o600));
  if (descriptor !== undefined) attempt(() => unlinkSync(file));
  return descriptor;
}

function tailOf(descriptor: number): string {
  const { size } = fstatSync(descriptor);
  const tail = Buffer.alloc(Math.min(size, maxTailBytes));
  const length = readSync(descriptor, tail, 0, tail.length, size - tail.length);
  return tail.toString('utf8', 0, length).trim();
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

const maxTailBytes = 16 * 1024;
