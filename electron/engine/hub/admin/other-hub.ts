import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import { type Clock, delay, systemClock } from '../../base/clock.ts';
import { openHubChannel } from '../../gateway/socket/hub-channel.ts';
import { dataPaths } from '../../store/files/data-dir.ts';
import { type HubRecord, readHubRecord, readRunningHub } from '../../store/files/instance-lock.ts';
import { hasProcess } from '../../store/files/process-identity.ts';

/** Milliseconds: active calls get half a minute, servers a few seconds more. */
const timeoutMs = 45_000;
const pollIntervalMs = 100;

/**
 * Asks the headless hub of a data folder to stop and waits until it has; resolves to its process id. Rejects
 * with ProblemError if no hub answers, if it is the app, or if it does not stop in time.
 */
export async function stopOtherHub(dataDir: string, clock: Clock = systemClock): Promise<number> {
  const channel = await openHubChannel(dataDir);
  const { pid } = await channel.ask('hub.stop', undefined).finally(() => channel.close());
  const end = clock.now() + timeoutMs;
  while ((await ownerOf(dataDir))?.pid === pid) {
    if (clock.now() > end) throw new ProblemError(stillRunning(pid));
    await delay(clock, pollIntervalMs);
  }
  return pid;
}

/**
 * Tells whether another program has the folder. A quick check that may be wrong: a process that reused the
 * pid of a killed hub counts as that hub. Only starting an engine is certain.
 */
export async function isFolderTaken(dataDir: string): Promise<boolean> {
  return (await ownerOf(dataDir)) !== undefined;
}

/** Tells for certain whether a hub has the folder, reachable or not. */
export async function isHubRunning(dataDir: string): Promise<boolean> {
  return (await readRunningHub(dataPaths(dataDir).hub)) !== undefined;
}

async function ownerOf(dataDir: string): Promise<HubRecord | undefined> {
  const record = await readHubRecord(dataPaths(dataDir).hub);
  return record !== undefined && hasProcess(record.pid) ? record : undefined;
}

function stillRunning(pid: number) {
  return problem(
    'hub.busy',
    `The other Patchbay (process ${pid}) was asked to stop but is still running.`,
    'Try again in a moment. If it is still running then, end that process yourself.',
    { pid },
  );
}

/** Refuses to stop the app: a person may be using it. */
export function appIsRunning() {
  return problem(
    'hub.already_running',
    'The Patchbay app is running, and this command stops only a Patchbay without a window.',
    'Quit the app from its menu or tray icon.',
  );
}
