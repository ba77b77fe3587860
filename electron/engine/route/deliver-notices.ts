import type { RawMessage } from '../rpc/raw-message.ts';
import { toRaw } from '../rpc/read-message.ts';
import type { ServerNotification } from '../supervise/contract.ts';
import { type Caused, causeOf } from './cause.ts';
import type { Ledgers } from './ledgers.ts';
import { retold } from './tasks.ts';

/**
 * Delivers notifications from servers to sessions. Progress is delivered by token, and list changes by the
 * catalogue.
 */
export function deliverNotices(ledgers: Ledgers): (notice: ServerNotification) => void {
  const { levels, subscriptions, elicitations, tasks, instances } = ledgers;

  /**
   * Sends a log message to all sessions that asked for its level, because over stdio nothing shows which call
   * it belongs to. Sessions that set no level get only messages that their own call must have caused.
   */
  function deliverLog(key: string, { cause, message }: Caused, isRelated: boolean): void {
    const level = message.params?.level;
    const causer = cause.kind === 'certain' && levels.admits(cause.caller, key, level) ? cause : undefined;
    causer?.caller.tell(key, message, causer.requestId);
    if ((isRelated && cause.kind === 'certain') || instances.isolates(key)) return;
    for (const caller of levels.listeners(key, level)) {
      if (caller !== causer?.caller) caller.tell(key, message);
    }
  }

  function deliverTaskStatus(key: string, message: RawMessage): void {
    const task = tasks.ownerOf(key, message.params?.taskId);
    if (task === undefined) return;
    task.caller.tell(key, retold(message, task.taskId, task.told));
    tasks.noted(task.caller, task.told, message.params?.status);
  }

  /** Delivers any other notification to the session that caused it. */
  function deliverOther(key: string, { cause, message }: Caused): void {
    if (cause.kind === 'certain') cause.caller.tell(key, message, cause.requestId);
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
        deliverLog(key, causeOf(ledgers, notice, message), relatedTo !== undefined);
        break;
      case 'notifications/resources/updated':
        for (const caller of subscriptions.subscribersOf(key, message.param('uri')))
          caller.tell(key, message);
        break;
      case 'notifications/elicitation/complete':
        elicitations.completed(key, message.params?.elicitationId)?.tell(key, message);
        break;
      case 'notifications/tasks/status':
        deliverTaskStatus(key, message);
        break;
      default:
        deliverOther(key, causeOf(ledgers, notice, message));
    }
  };
}
