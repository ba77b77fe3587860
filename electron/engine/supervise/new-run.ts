import { randomUUID } from 'node:crypto';
import { processIdentity } from '../store/process-identity.ts';
import { readCgroup } from './process-marks.ts';
import type { ProcessTag } from './run-mark.ts';

/**
 * Creates a tag for something that this program starts and will end. The cgroup is read each time, since the
 * service manager may have moved this program. Undefined if this process cannot be identified, and on
 * Windows, where tags cannot be read.
 */
export async function createProcessTag(): Promise<ProcessTag | undefined> {
  if (process.platform === 'win32') return undefined;
  const ownerIdentity = await processIdentity(process.pid);
  if (ownerIdentity === undefined) return undefined;
  return { owner: process.pid, ownerIdentity, cgroup: readCgroup('self'), id: randomUUID() };
}
