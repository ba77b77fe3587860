import type { ManagedServerOptions } from './owned-server-options.ts';
import type { ProcessOwner } from './server-run.ts';
import { answerBeforeUse, type Candidate, type ConfigUpdate } from './updater.ts';

type Listeners = Pick<ManagedServerOptions, 'onNotification' | 'onRequest' | 'onLate'>;

/**
 * Routes messages from a server's processes to clients; notifications of a candidate wait until it takes
 * over.
 */
export function routeMessages(
  { onNotification, onRequest, onLate }: Listeners,
  updater: () => ConfigUpdate,
): Pick<ProcessOwner, 'onNotification' | 'onLateAnswer' | 'onRequest'> {
  return {
    onNotification: (run, notification, relatedTo) => {
      if (!updater().storeNotification(run, notification, relatedTo))
        onNotification(notification, relatedTo, run.connection);
    },
    onLateAnswer: (run, id) => onLate(id, run.connection),
    onRequest: (run, request) =>
      updater().isCandidate(run) ? answerBeforeUse(request, onRequest) : onRequest(request),
  };
}

/** Delivers the notifications that were stored before the takeover. */
export function deliverNotifications(
  { process: run, notifications }: Candidate,
  { onNotification }: Listeners,
): void {
  for (const { notification, relatedTo } of notifications)
    onNotification(notification, relatedTo, run.connection);
}
