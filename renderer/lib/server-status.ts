import type { ServerView } from '../../shared/model/server.ts';

export {
  attentionCount,
  hasToolsToReview,
  type ShownStatus,
  serverGroup,
  serverLook,
  shownStatus,
} from '../../shared/model/server-look.ts';

/** True while a process or connection exists, working or not. */
export function isRunning({ status }: Pick<ServerView, 'status'>): boolean {
  return status === 'connected' || status === 'degraded';
}

/** True if the server can be put to sleep. */
export function canSleep({ status, enabled }: Pick<ServerView, 'status' | 'enabled'>): boolean {
  return enabled && isRunning({ status });
}
