import { heldListsMethod } from '../../../shared/schema/bridge-hello.ts';
import type { SessionEndpoint } from '../route/backchannel-contract.ts';
import type { JsonRpcNotification } from '../rpc/message.ts';
import type { ClientCalls } from './calls.ts';
import type { ClientRequests } from './client-questions.ts';

export interface SessionNotificationOptions {
  readonly calls: Pick<ClientCalls, 'cancel'>;
  readonly clientRequests: Pick<ClientRequests, 'progress'>;
  readonly endpoint: Pick<SessionEndpoint, 'taskStatus' | 'rootsChanged'>;
  readonly onInitialized: () => void;
  /** Undefined if there is no bridge. */
  readonly onClientLists: ((params: unknown) => void) | undefined;
}

/** Dispatches client notifications to the parts of a session; unknown ones are ignored. */
export function createSessionNotifications(
  parts: SessionNotificationOptions,
): (message: JsonRpcNotification) => void {
  const {
    calls,
    clientRequests: questions,
    endpoint: participant,
    onInitialized: initialized,
    onClientLists: learnHeld,
  } = parts;
  return (message) => {
    switch (message.method) {
      case 'notifications/cancelled':
        cancel(calls, message.params?.requestId, message.params?.reason);
        break;
      case 'notifications/initialized':
        initialized();
        break;
      case 'notifications/progress':
        questions.progress(message);
        break;
      case 'notifications/tasks/status':
        participant.taskStatus(message);
        break;
      case 'notifications/roots/list_changed':
        participant.rootsChanged();
        break;
      case heldListsMethod:
        learnHeld?.(message.params);
    }
  };
}

function cancel(calls: Pick<ClientCalls, 'cancel'>, requestId: unknown, reason: unknown): void {
  if (typeof requestId === 'string' || typeof requestId === 'number') calls.cancel(requestId, reason);
}
