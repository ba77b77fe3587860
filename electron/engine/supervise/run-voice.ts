import type { OwnedServerOptions } from './owned-server-options.ts';
import type { RunOwner } from './server-run.ts';
import { answerBeforeUse, type Candidate, type Updater } from './updater.ts';

type Listeners = Pick<OwnedServerOptions, 'onNotification' | 'onRequest' | 'onLate'>;

/** What the runs of a server say to clients and ask them; one that is to take over is not heard before it does. */
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

/** It has taken over: what it said meanwhile is heard now. */
export function deliver({ run, notices }: Candidate, { onNotification }: Listeners): void {
  for (const { notification, relatedTo } of notices) onNotification(notification, relatedTo, run.connection);
}
