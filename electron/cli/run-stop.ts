import { toProblem } from '../../shared/error/problem.ts';
import { clearTurnedOff, defaultDataDir, stopOtherHub, turnOff } from '../engine/engine.ts';
import type { HubStopArgs } from './hub-args.ts';
import { print, printError } from './print.ts';
import { problemText } from './report.ts';

/** Runs `patchbay stop`; resolves to the exit code: 0 once the hub has stopped. */
export async function runStop(
  { dataDir, stayOff }: HubStopArgs,
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const dir = dataDir ?? defaultDataDir(env);
  // Turned off before clients lose their connection, since they would start the hub again.
  if (stayOff) await turnOff(dir);
  try {
    const pid = await stopOtherHub(dir);
    const next = stayOff
      ? 'Patchbay stays off until you open it or run patchbay serve.'
      : 'Clients that are open start it again with their next call; --stay-off prevents that.';
    print(`Patchbay (process ${pid}) has stopped. ${next}\n`);
    return 0;
  } catch (error) {
    const problem = toProblem(error);
    if (stayOff && problem.code === 'hub.unreachable') {
      print('Patchbay was not running. It stays off until you open it or run patchbay serve.\n');
      return 0;
    }
    if (stayOff) await clearTurnedOff(dir);
    printError(`${problemText(problem)}\n`);
    return 1;
  }
}
