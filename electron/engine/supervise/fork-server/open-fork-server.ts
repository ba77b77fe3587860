import { type KillOptions, killTagged } from '../end-run.ts';
import { ForkServer, type ForkServerOptions } from './fork-server.ts';

/**
 * Returns undefined without a built program, and on systems where the size of the parent does not matter:
 * only Linux forks.
 */
export function openForkServer(
  file: string | undefined,
  options: Omit<ForkServerOptions, 'file' | 'endRun'> & KillOptions,
): ForkServer | undefined {
  if (file === undefined || process.platform !== 'linux') return undefined;
  const { instanceId, clock, logger } = options;
  return new ForkServer({ file, instanceId, clock, logger, endRun: (runId) => killTagged(runId, options) });
}
