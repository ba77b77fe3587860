import type { ActiveCall } from '../../../shared/model/activity/call.ts';
import type { OperationHandlers } from '../base/operation-handlers.ts';
import { callStopped } from '../routing/error-map.ts';
import type { HubActivity } from './activity-recorder.ts';
import type { RunningHub } from './running-hub.ts';

export interface ActivityOperationsHub {
  readonly activity: HubActivity;
  readonly calls: RunningHub['calls'];
}

/** `underway` lists the requests that servers are working on. */
export function activityOperations(hub: ActivityOperationsHub, underway: () => readonly ActiveCall[]) {
  const { recorder, writer } = hub.activity;
  const keeper = () => {
    // Makes calls that have just ended part of the result.
    recorder.flush();
    return writer;
  };
  return {
    'activity.query': (query) => keeper().ask({ kind: 'query', ...query }),
    'activity.counts': ({ filter }) => keeper().ask({ kind: 'counts', filter }),
    'activity.get': ({ id }) => keeper().ask({ kind: 'get', id }),
    'activity.underway': () => ({ calls: underway() }),
    'activity.stop': ({ id }) => ({ stopped: stopByHand(hub, id) }),
    'activity.write': async (wish) => ({ rows: await keeper().ask({ kind: 'export', ...wish }) }),
    'activity.clear': async () => ({ undoId: await keeper().ask({ kind: 'clear' }) }),
    'activity.undoClear': async ({ undoId }) => ({
      undone: await keeper().ask({ kind: 'undo-clear', undoId }),
    }),
  } satisfies Partial<OperationHandlers>;
}

/** Answers the client that a person ended the call, and tells the server to stop. */
function stopByHand({ calls }: ActivityOperationsHub, id: number): boolean {
  const call = calls.find(id);
  if (call?.route === undefined) return false;
  const { serverKey, name, method } = call;
  return calls.stop(id, callStopped(serverKey, name ?? method));
}
