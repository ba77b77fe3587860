import type { ProblemCode } from '../../../shared/error/problem.ts';
import { ProblemError } from '../../../shared/error/problem.ts';
import type { AccessAnswer, AccessCommand } from '../../../shared/model/access/access-command.ts';
import { programVersion } from '../../../shared/version.ts';
import { delay, systemClock } from '../../engine/base/clock.ts';
import { existingDataDir, offlineAccess } from '../../engine/engine.ts';
import { openHubChannel } from '../hub/hub-channel.ts';

/**
 * Runs a command through the running hub, or offline on its data folder. Waits while another command, or a
 * hub that does not listen yet, holds the folder. Rejects with ProblemError.
 */
export async function sendAccessCommand(command: AccessCommand, dataDir: string): Promise<AccessAnswer> {
  const deadline = systemClock.now() + timeoutMs;
  for (;;) {
    try {
      return await sendOnce(command, dataDir);
    } catch (error) {
      const isBusy = hasCode(error, 'hub.already_running') || hasCode(error, 'hub.busy');
      if (!isBusy || systemClock.now() >= deadline) throw error;
      await delay(systemClock, pollIntervalMs);
    }
  }
}

/** Milliseconds. */
const timeoutMs = 10_000;
const pollIntervalMs = 100;

async function sendOnce(command: AccessCommand, dataDir: string): Promise<AccessAnswer> {
  const hub = await openHubChannel(dataDir).catch((error: unknown) => {
    if (hasCode(error, 'hub.unreachable')) return undefined;
    throw error;
  });
  if (hub === undefined) return runOffline(command, dataDir);
  try {
    return await hub.ask('access.command', command);
  } finally {
    await hub.close();
  }
}

async function runOffline(command: AccessCommand, dataDir: string): Promise<AccessAnswer> {
  // Creating an identity also creates the data folder.
  const createsIdentity = command.verb === 'token' || command.verb === 'connected';
  const dir = createsIdentity ? dataDir : await existingDataDir(dataDir);
  return offlineAccess(dir, programVersion, command);
}

function hasCode(error: unknown, code: ProblemCode): boolean {
  return error instanceof ProblemError && error.problem.code === code;
}
