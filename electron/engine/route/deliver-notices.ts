import type { RawMessage } from '../rpc/raw-message.ts';
import { toRaw } from '../rpc/read-message.ts';
import type { ServerNotification } from '../supervise/contract.ts';
import { type AttributedMessage, attribute } from './cause.ts';
import type { SessionIndex } from './ledgers.ts';
import { replaceTaskId } from './tasks.ts';

/**
 * Delivers notifications from servers to sessions. Progress is delivered by token, and list changes by the
 * catalogue.
 */
export function deliverNotifications(index: SessionIndex): (notice: ServerNotification) => void {
  const { levels, subscriptions, elicitations, tasks, instances } = index;

  /**
   * Sends a log message to all sessions that asked for its level, because over stdio nothing shows which call
   * it belongs to. Sessions that set no level get only messages that their own call must have caused.
   */
  function deliverLog(key: string, { cause, message }: AttributedMessage, isRelated: boolean): void {
    const level = message.params?.level;
    const directCause =
      cause.kind === 'certain' && levels.admits(cause.caller, key, level) ? cause : undefined;
    directCause?.caller.notify(key, message, directCause.requestId);
    if ((isRelated && cause.kind === 'certain') || instances.isolates(key)) return;
    for (const caller of levels.sessionsFor(key, level)) {
      if (caller !== directCause?.caller) caller.notify(key, message);
    }
  }

  function deliverTaskStatus(key: string, message: RawMessage): void {
    const task = tasks.ownerOf(key, message.params?.taskId);
    if (task === undefined) return;
    task.caller.notify(key, replaceTaskId(message, task.taskId, task.clientTaskId));
    tasks.onStatus(task.caller, task.clientTaskId, message.params?.status);
  }

  /** Delivers any other notification to the session that caused it. */
  function deliverOther(key: string, { cause, message }: AttributedMessage): void {
    if (cause.kind === 'certain') cause.caller.notify(key, message, cause.requestId);
  }

  return (notice) => {
    const { key, notification, relatedTo } = notice;
    const message = toRaw(notification);
    switch (notification.method) {
      case 'notifications/progress':
      case 'notifications/tools/list_changed':
      case 'notifications/resources/list_changed':
      case 'notifications/prompts/list_changed':
        break;
      case 'notifications/message':
        deliverLog(key, attribute(index, notice, message), relatedTo !== undefined);
        break;
      case 'notifications/resources/updated':
        for (const caller of subscriptions.subscribersOf(key, message.param('uri')))
          caller.notify(key, message);
        break;
      case 'notifications/elicitation/complete':
        elicitations.onCompleted(key, message.params?.elicitationId)?.notify(key, message);
        break;
      case 'notifications/tasks/status':
        deliverTaskStatus(key, message);
        break;
      default:
        deliverOther(key, attribute(index, notice, message));
    }
  };
}
