import { heldListsMethod } from '../../../shared/schema/bridge-hello.ts';
import type { Participant } from '../route/backchannel-contract.ts';
import type { JsonRpcNotification } from '../rpc/message.ts';
import type { Calls } from './calls.ts';
import type { ClientQuestions } from './client-questions.ts';

export interface SessionNotificationParts {
  readonly calls: Pick<Calls, 'cancel'>;
  readonly questions: Pick<ClientQuestions, 'progress'>;
  readonly participant: Pick<Participant, 'taskStatus' | 'rootsChanged'>;
  readonly initialized: () => void;
  /** Undefined if there is no bridge. */
  readonly learnHeld: ((params: unknown) => void) | undefined;
}

/** Dispatches client notifications to the parts of a session; unknown ones are ignored. */
export function createSessionNotifications(
  parts: SessionNotificationParts,
): (message: JsonRpcNotification) => void {
  const { calls, questions, participant, initialized, learnHeld } = parts;
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

function cancel(calls: Pick<Calls, 'cancel'>, requestId: unknown, reason: unknown): void {
  if (typeof requestId === 'string' || typeof requestId === 'number') calls.cancel(requestId, reason);
}
