import type { OwnedServerOptions } from './owned-server-options.ts';
import type { RunOwner } from './server-run.ts';
import { answerBeforeUse, type Candidate, type Updater } from './updater.ts';

type Listeners = Pick<OwnedServerOptions, 'onNotification' | 'onRequest' | 'onLate'>;

/**
 * Routes messages from a server's processes to clients; notifications of a candidate wait until it takes
 * over.
 */
export function voiceOf(
  { onNotification, onRequest, onLate }: Listeners,
  updater: () => Updater,
): Pick<RunOwner, 'notification' | 'late' | 'request'> {
  return {
    notification: (run, notification, relatedTo) => {
      if (!updater().holds(run, notification, relatedTo))
        onNotification(notification, relatedTo, run.connection);
    },
    late: (run, id) => onLate(id, run.connection),
    request: (run, request) =>
      updater().isCandidate(run) ? answerBeforeUse(request, onRequest) : onRequest(request),
  };
}

/** Delivers the notifications that were stored before the takeover. */
export function deliver({ run, notices }: Candidate, { onNotification }: Listeners): void {
  for (const { notification, relatedTo } of notices) onNotification(notification, relatedTo, run.connection);
}
