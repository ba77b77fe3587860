import { toProblem } from '../../shared/error/problem.ts';
import { defaultDataDir } from '../engine/engine.ts';
import { type HubChannel, openHubChannel } from './hub-channel.ts';
import { printError } from './print.ts';
import { problemText } from './report.ts';

/** Runs `act` with the running hub of a data folder; resolves to its exit code, or 1 if it fails. */
export async function withHub(
  dataDir: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  act: (hub: HubChannel) => Promise<number>,
): Promise<number> {
  try {
    const hub = await openHubChannel(dataDir ?? defaultDataDir(env));
    try {
      return await act(hub);
    } finally {
      await hub.close();
    }
  } catch (error) {
    printError(`${problemText(toProblem(error))}\n`);
    return 1;
  }
}
