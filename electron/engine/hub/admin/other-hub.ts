import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import { type Clock, delay, systemClock } from '../../base/clock.ts';
import { dataPaths } from '../../store/data-dir.ts';
import { type HubRecord, readHubRecord } from '../../store/instance-lock.ts';
import { hasProcess } from '../../store/process-identity.ts';
import { openHubChannel } from './hub-channel.ts';

/** Milliseconds: its calls have half a minute, its servers a few seconds more. */
const patience = 45_000;
const lookEvery = 100;

/**
 * Asks the hub of a data folder that runs without a window to end in order, and waits until it has; resolves to its
 * process id. Rejects with ProblemError where none answers, where it is an app, and where it does not come to an end.
 */
export async function endOtherHub(dataDir: string, clock: Clock = systemClock): Promise<number> {
  const channel = await openHubChannel(dataDir);
  const { pid } = await channel.ask('hub.stop', undefined).finally(() => channel.close());
  const end = clock.now() + patience;
  while ((await ownerOf(dataDir))?.pid === pid) {
    if (clock.now() > end) throw new ProblemError(stillThere(pid));
    await delay(clock, lookEvery);
  }
  return pid;
}

/**
 * Whether another program has the folder. Quick, and so not wholly sure: what has got the number of a killed hub counts
 * as that hub. Starting an engine tells for certain.
 */
export async function isFolderTaken(dataDir: string): Promise<boolean> {
  return (await ownerOf(dataDir)) !== undefined;
}

async function ownerOf(dataDir: string): Promise<HubRecord | undefined> {
  const record = await readHubRecord(dataPaths(dataDir).hub);
  return record !== undefined && hasProcess(record.pid) ? record : undefined;
}

function stillThere(pid: number) {
  return problem(
    'hub.busy',
    `The other Patchbay (process ${pid}) was asked to end, and still runs.`,
    'Try again in a moment. If it stays like this, end that process by the means of your system.',
    { pid },
  );
}

/** Of a hub that is an app: somebody looks at it. */
export function isAnApp() {
  return problem(
    'hub.already_running',
    'The Patchbay app is running; quit it from its window or tray.',
    'Quit it there: in its menu, or in its icon in the tray.',
  );
}
