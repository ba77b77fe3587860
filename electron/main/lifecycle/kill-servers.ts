import type { ServerView } from '../../../shared/model/server/server.ts';

/**
 * Kills every server's process group at once if quitting takes too long; on Windows, which has no groups, the
 * process.
 */
export function killServers(servers: readonly ServerView[]): void {
  for (const { pid } of servers) {
    if (pid !== undefined) killGroup(pid);
  }
}

function killGroup(pid: number): void {
  const target = process.platform === 'win32' ? pid : -pid;
  try {
    process.kill(target, 'SIGKILL');
  } catch {
    // Already gone.
  }
}
