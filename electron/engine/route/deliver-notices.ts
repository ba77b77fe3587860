import type { JsonRpcNotification } from '../rpc/message.ts';
import type { ServerNotification } from '../supervise/contract.ts';
import type { Cause } from './flights.ts';
import type { Ledgers } from './ledgers.ts';

/** Tells each session what servers say to it. Progress goes by its token and lists by the catalogue, not this way. */
export function deliverNotices(ledgers: Ledgers): (notice: ServerNotification) => void {
  const { flights, levels, subscriptions, elicitations } = ledgers;

  /**
   * Over stdio nothing says which call a log message comes from, so it goes to all who asked for messages of its level.
   * Whoever asked for none hears what can only come from its own call.
   */
  function deliverLog(key: string, message: JsonRpcNotification, cause: Cause, isRelated: boolean): void {
    const level = message.params?.level;
    const causer = cause.kind === 'certain' && levels.admits(cause.caller, key, level) ? cause : undefined;
    causer?.caller.tell(key, message, causer.requestId);
    if (isRelated && cause.kind === 'certain') return;
    for (const caller of levels.listeners(key, level)) {
      if (caller !== causer?.caller) caller.tell(key, message);
    }
  }

  /** Nothing is known of it but who caused it. */
  function deliverOther(key: string, notification: JsonRpcNotification, cause: Cause): void {
    if (cause.kind !== 'certain' || notification.method.endsWith('/list_changed')) return;
    cause.caller.tell(key, notification, cause.requestId);
  }

  return ({ key, notification, relatedTo }) => {
    const { method, params } = notification;
    switch (method) {
      case 'notifications/progress':
        break;
      case 'notifications/message':
        deliverLog(key, notification, flights.causeOf(key, relatedTo), relatedTo !== undefined);
        break;
      case 'notifications/resources/updated':
        for (const caller of subscriptions.subscribersOf(key, String(params?.uri)))
          caller.tell(key, notification);
        break;
      case 'notifications/elicitation/complete':
        elicitations.completed(key, params?.elicitationId)?.tell(key, notification);
        break;
      default:
        deliverOther(key, notification, flights.causeOf(key, relatedTo));
    }
  };
}
