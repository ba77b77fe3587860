import { ProblemError } from '../../shared/error/problem.ts';
import type { AccessAnswer, AccessCommand } from '../../shared/model/access-command.ts';
import { programVersion } from '../../shared/version.ts';
import { existingDataDir, offlineAccess } from '../engine/engine.ts';
import { type HubChannel, openHubChannel } from './hub-channel.ts';

/** Does what a command says with the hub that runs, or with what it left. Rejects with ProblemError. */
export async function askAccess(command: AccessCommand, dataDir: string): Promise<AccessAnswer> {
  const hub = await openHubChannel(dataDir).catch(unlessNoneRuns);
  if (hub === undefined) {
    // These make somebody known whom nobody knew.
    const isFirst = command.verb === 'token' || command.verb === 'connected';
    const dir = isFirst ? dataDir : await existingDataDir(dataDir);
    return offlineAccess(dir, programVersion, command);
  }
  try {
    return await hub.ask('access.command', command);
  } finally {
    await hub.close();
  }
}

function unlessNoneRuns(error: unknown): HubChannel | undefined {
  if (error instanceof ProblemError && error.problem.code === 'hub.unreachable') return undefined;
  throw error;
}
