import type { IpcEvent } from '../../../shared/ipc/contract.ts';
import type { ActivityAdded } from '../../../shared/model/activity.ts';
import type { ActiveCall } from '../../../shared/model/call.ts';
import type { ClientView } from '../../../shared/model/client.ts';
import {
  describeClients,
  describeHub,
  describeRemoved,
  describeServer,
  type Happening,
} from '../../../shared/model/happening.ts';
import type { HubView } from '../../../shared/model/hub.ts';
import type { ServerView } from '../../../shared/model/server.ts';
import { type Disposable, Emitter, type Event } from '../base/emitter.ts';
import { callStopped } from '../route/error-map.ts';
import type { ActivityEngine } from './activity-contract.ts';
import type { HubActivity } from './activity-recorder.ts';
import type { RunningHub } from './running-hub.ts';
import { stopCall } from './stop-call.ts';

interface WithActivity {
  readonly activity: HubActivity;
  readonly calls: RunningHub['calls'];
  readonly truth: Pick<RunningHub['truth'], 'sessions'>;
  readonly feed: RunningHub['feed'];
}

export interface ActivityEngineOptions {
  /** Throws ProblemError while no hub runs. */
  readonly open: () => WithActivity;
  readonly running: () => WithActivity | undefined;
  readonly onOpen: Event<WithActivity>;
  readonly underway: () => readonly ActiveCall[];
  /** Returns the current views. */
  readonly servers: () => readonly ServerView[];
  readonly onServers: Event<IpcEvent<'servers.changed'>>;
  readonly onClients: Event<readonly ClientView[]>;
  readonly onHub: Event<HubView>;
  /** Is also called with each change. */
  readonly onHappened: (happenings: readonly Happening[]) => void;
}

/** Creates the activity part of the engine. */
export function createActivityEngine(options: ActivityEngineOptions): ActivityEngine {
  const { open, running, underway } = options;
  followHappenings(options, (happenings) => {
    running()?.activity.recorder.happened(happenings);
    options.onHappened(happenings);
  });
  const keeper = () => {
    const { activity } = open();
    // Makes calls that have just ended visible to the query.
    activity.recorder.flush();
    return activity.keeper;
  };
  return {
    activity: {
      query: async (query) => keeper().ask({ kind: 'query', ...query }),
      counts: async (filter) => keeper().ask({ kind: 'counts', filter }),
      get: async (id) => keeper().ask({ kind: 'get', id }),
      underway,
      stop: (id) => stopByHand(running(), id),
      onAdded: fromWhenItOpens(options),
      export: async (wish) => keeper().ask({ kind: 'export', ...wish }),
      clear: async () => keeper().ask({ kind: 'clear' }),
      undoClear: async (undoId) => keeper().ask({ kind: 'undo-clear', undoId }),
      record: (on) => running()?.activity.recorder.switch(on),
    },
  };
}

/** Cancels a call at its server, and answers the client that somebody stopped it. */
function stopByHand(hub: WithActivity | undefined, id: number): boolean {
  const call = hub?.calls.find(id);
  if (hub === undefined || call === undefined) return false;
  const { serverKey, name, method } = call;
  const owners = { sessions: hub.truth.sessions, feed: hub.feed };
  return stopCall(owners, call, callStopped(serverKey, name ?? method));
}

/** Returns an event that a window can subscribe to before the hub runs. */
function fromWhenItOpens({ running, onOpen }: ActivityEngineOptions): Event<ActivityAdded> {
  const early = new Emitter<ActivityAdded>();
  onOpen(({ activity }) => {
    if (early.hasListeners) activity.keeper.onAdded((added) => early.fire(added));
  });
  return (listener): Disposable => {
    const hub = running();
    return hub === undefined ? early.event(listener) : hub.activity.keeper.onAdded(listener);
  };
}

/** Compares views of servers, clients and the hub, and reports what has changed. */
function followHappenings(
  { servers: present, onOpen, onServers, onClients, onHub }: ActivityEngineOptions,
  tell: (happenings: readonly Happening[]) => void,
): void {
  let servers = new Map<string, ServerView>();
  let clients: readonly ClientView[] = [];
  let hub: HubView | undefined;
  // The initial state is not a change.
  onOpen(() => {
    servers = new Map(present().map((server) => [server.key, server]));
  });
  onServers(({ servers: changed, order }) => {
    const left = new Set(order);
    const removed = [...servers.keys()].filter((key) => !left.has(key));
    tell([
      ...changed.flatMap((server) => describeServer(servers.get(server.key), server)),
      ...removed.map(describeRemoved),
    ]);
    const kept = [...servers].filter(([key]) => left.has(key));
    servers = new Map([...kept, ...changed.map((server) => [server.key, server] as const)]);
  });
  onClients((list) => {
    tell(describeClients(clients, list));
    clients = list;
  });
  onHub((view) => {
    tell(describeHub(hub, view));
    hub = view;
  });
}
