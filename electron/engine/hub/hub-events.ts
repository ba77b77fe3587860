import type { HubEvent, HubEventName } from '../../../shared/operations/events.ts';
import type { Event } from '../base/emitter.ts';

/** Events that follow a watched server or cost something to watch; `Hub` has a method for each of them. */
type WatchedEventName = 'server.log' | 'server.health' | 'process.usage' | 'activity.added';

export type StateEventName = Exclude<HubEventName, WatchedEventName>;

/** One event for each part of the hub's state, with the changed state. */
export type HubEvents = { readonly [N in StateEventName]: Event<HubEvent<N>> };
