import type { HubView } from '../../../shared/model/hub/hub.ts';
import type { HubEvents, StateEventName } from '../../engine/engine.ts';
import { type Disposable, disposeAll } from '../port/disposable.ts';
import type { BatchedEvent } from './event-batch.ts';
import type { EventPusher } from './event-pusher.ts';

/** Forwards every change of the hub's state; what the hub has batched itself does not wait again. */
export function forwardHubEvents(
  events: HubEvents,
  hubView: (view: HubView) => HubView,
  pusher: Pick<EventPusher, 'push' | 'flush'>,
): Disposable {
  const names = Object.keys(events) as StateEventName[];
  return disposeAll(
    names.map((name) => {
      const push = (payload: unknown) => {
        // Name and payload belong together; the union of all events cannot say so.
        pusher.push({ name, payload } as BatchedEvent);
        if (batchedByHub.has(name)) pusher.flush();
      };
      return name === 'hub.changed' ? events[name]((view) => push(hubView(view))) : events[name](push);
    }),
  );
}

const batchedByHub: ReadonlySet<StateEventName> = new Set([
  'hub.changed',
  'servers.changed',
  'tools.changed',
]);
