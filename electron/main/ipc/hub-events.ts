import type { HubView } from '../../../shared/model/hub/hub.ts';
import type { HubEvents, StateEventName } from '../../engine/engine.ts';
import { type Disposable, disposeAll } from '../port/disposable.ts';
import type { BatchedEvent } from './event-batch.ts';

/** Forwards every change of the hub's state to `push`. */
export function forwardHubEvents(
  events: HubEvents,
  hubView: (view: HubView) => HubView,
  push: (event: BatchedEvent) => void,
): Disposable {
  const names = Object.keys(events) as StateEventName[];
  return disposeAll(
    names.map((name) => {
      if (name === 'hub.changed') return events[name]((view) => push({ name, payload: hubView(view) }));
      // Name and payload belong together; the union of all events cannot say so.
      return events[name]((payload: unknown) => push({ name, payload } as BatchedEvent));
    }),
  );
}
