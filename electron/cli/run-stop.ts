import { toProblem } from '../../shared/error/problem.ts';
import { defaultDataDir, endOtherHub } from '../engine/engine.ts';
import type { HubStopArgs } from './hub-args.ts';
import { print, printError } from './print.ts';
import { problemText } from './report.ts';

/** Runs `patchbay stop`; resolves to the exit code: 0 once the hub has ended. */
export async function runStop(
  { dataDir }: HubStopArgs,
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  try {
    const pid = await endOtherHub(dataDir ?? defaultDataDir(env));
    print(`Patchbay (process ${pid}) has ended. Clients that still run may start it again.\n`);
    return 0;
  } catch (error) {
    printError(`${problemText(toProblem(error))}\n`);
    return 1;
  }
}
