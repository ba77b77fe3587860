import type { ServerView } from '../../../shared/model/server/server.ts';
import { killTreesNow } from '../../engine/engine.ts';

/**
 * Kills every server at once if quitting takes too long: its process group, or on Windows, which has no
 * groups, its process and the descendants of that.
 */
export function killServers(servers: readonly Pick<ServerView, 'pid'>[]): void {
  const pids = servers.flatMap(({ pid }) => pid ?? []);
  if (process.platform === 'win32') killTreesNow(pids);
  else for (const pid of pids) killGroup(pid);
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}
