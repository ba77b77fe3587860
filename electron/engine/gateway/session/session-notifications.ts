import { heldListsMethod } from '../../../../shared/schema/bridge-hello.ts';
import type { JsonRpcNotification } from '../../jsonrpc/message.ts';
import type { SessionEndpoint } from '../../routing/server-requests/contract.ts';
import type { ClientCalls } from './client-calls.ts';
import type { ClientRequests } from './client-requests.ts';

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
  const { calls, clientRequests, endpoint, onInitialized, onClientLists } = parts;
  return (message) => {
    switch (message.method) {
      case 'notifications/cancelled':
        cancel(calls, message.params?.requestId, message.params?.reason);
        break;
      case 'notifications/initialized':
        onInitialized();
        break;
      case 'notifications/progress':
        clientRequests.progress(message);
        break;
      case 'notifications/tasks/status':
        endpoint.taskStatus(message);
        break;
      case 'notifications/roots/list_changed':
        endpoint.rootsChanged();
        break;
      case heldListsMethod:
        onClientLists?.(message.params);
    }
  };
}

function cancel(calls: Pick<ClientCalls, 'cancel'>, requestId: unknown, reason: unknown): void {
  if (typeof requestId === 'string' || typeof requestId === 'number') calls.cancel(requestId, reason);
}
