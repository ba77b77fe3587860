import { toProblem } from '../../../shared/error/problem.ts';
import { defaultDataDir } from '../../engine/engine.ts';
import { printError } from '../terminal/print.ts';
import { problemText } from '../terminal/problem-text.ts';
import { type HubChannel, openHubChannel } from './hub-channel.ts';

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
