import { randomUUID } from 'node:crypto';
import { processIdentity } from '../store/process-identity.ts';
import { readPlace } from './process-marks.ts';
import type { RunMark } from './run-mark.ts';

/**
 * The mark of something that this program is about to start and will end. Where this program stands is looked up each
 * time: the system may have put it elsewhere since. Undefined where it cannot tell itself from others, and on Windows,
 * where nobody could read the mark.
 */
export async function markNewRun(): Promise<RunMark | undefined> {
  if (process.platform === 'win32') return undefined;
  const ownerIdentity = await processIdentity(process.pid);
  if (ownerIdentity === undefined) return undefined;
  return { owner: process.pid, ownerIdentity, place: readPlace('self'), id: randomUUID() };
}
