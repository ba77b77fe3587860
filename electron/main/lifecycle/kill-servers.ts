import type { ServerView } from '../../../shared/model/server.ts';

/** The last resort at quit: kills every server's process group at once; on Windows, which has none, the process. */
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
    // Already gone, which is what was wanted.
  }
}
