import type { ServerView } from '../../shared/model/server.ts';
import { statusLooks } from '../../shared/model/server-look.ts';

export { type ShownStatus, serverLook, shownStatus } from '../../shared/model/server-look.ts';

/** True while a process or connection is there, works or not. */
export function isRunning({ status }: Pick<ServerView, 'status'>): boolean {
  return status === 'connected' || status === 'degraded';
}

/** True for one that can be put to sleep. */
export function canSleep({ status, enabled }: Pick<ServerView, 'status' | 'enabled'>): boolean {
  return enabled && isRunning({ status });
}

/**
 * True when only the user can help: the server is down for good, wants a sign-in, works badly, runs with an older config
 * than the one in the file, or has tools that nobody has approved.
 */
export function needsAttention({
  status,
  update,
  heldTools,
}: Pick<ServerView, 'status' | 'update' | 'heldTools'>): boolean {
  return statusLooks[status].rank <= 2 || update?.kind === 'failed' || (heldTools?.waiting ?? 0) > 0;
}
