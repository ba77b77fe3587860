import type { IpcEvent, IpcOutput } from '../../shared/ipc/contract.ts';
import {
  describeClients,
  describeHub,
  describeRemoved,
  describeServer,
  type StatusEvent,
} from '../../shared/model/activity/status-event.ts';
import { askedText, withdrawnText } from '../lib/text/approval-texts.ts';
import { announce } from '../store/announcer.ts';
import { groupTools, mergeServers } from '../store/mirror-store.ts';
import type { Model } from '../store/model.ts';
import { removeSettledChanges } from '../store/pending-change-store.ts';
import { titleOf } from '../store/server-title.ts';
import { toolId } from '../store/tool-id.ts';

type Snapshot = IpcOutput<'state.get'>;
/** Events whose state the window mirrors all the time; what shows the others subscribes to them itself. */
type MirroredEvent =
  | 'hub.changed'
  | 'servers.changed'
  | 'tools.changed'
  | 'clients.changed'
  | 'profiles.changed'
  | 'approvals.changed'
  | 'settings.changed'
  | 'process.usage';
type Appliers = { readonly [N in MirroredEvent]: (model: Model, event: IpcEvent<N>) => void };

/** Mirrors the engine's state; starting again fetches everything, after the link was lost. */
export interface Mirroring {
  start(): void;
  stop(): void;
}

export function createMirroring(model: Model): Mirroring {
  let stop = () => {};
  return {
    start() {
      stop();
      model.linkState.setState({ state: { kind: 'loading' } });
      stop = startMirror(model);
    },
    stop: () => stop(),
  };
}

/**
 * Fetches the state once and keeps it current by events until the returned function is called. Events that
 * arrive before the state are applied after it: each carries whole values, so the last one wins in either
 * order.
 */
function startMirror(model: Model): () => void {
  const early: (() => void)[] = [];
  let ready = false;
  function schedule(run: () => void): void {
    if (ready) run();
    else early.push(run);
  }
  const stops = (Object.keys(appliers) as MirroredEvent[]).map((name) => listen(model, name, schedule));
  void loadState(model).then((loaded) => {
    ready = loaded;
    for (const run of early.splice(0)) if (loaded) run();
  });
  return () => {
    for (const stop of stops) stop();
  };
}

/** Writes the engine's events into the mirrors; nothing else writes to them. */
const appliers: Appliers = {
  'hub.changed': (model, hub) => {
    report(model, describeHub(model.mirrors.hub.getState(), hub));
    model.mirrors.hub.setState(hub, true);
  },
  'servers.changed': applyServers,
  'tools.changed': (model, { tools }) => {
    model.mirrors.tools.setState(tools);
    removeSettledChanges(model.pendingToolSwitches, Object.values(tools).flat().map(toolId));
  },
  'clients.changed': (model, { clients }) => {
    report(model, describeClients(model.mirrors.clients.getState(), clients));
    model.mirrors.clients.setState(clients, true);
  },
  'profiles.changed': (model, view) => model.mirrors.profiles.setState(view, true),
  'approvals.changed': applyApprovals,
  'settings.changed': (model, settings) => model.mirrors.settings.setState(settings, true),
  'process.usage': (model, { usage }) =>
    model.mirrors.usage.setState(Object.fromEntries(usage.map((one) => [one.key, one])), true),
};

function listen<N extends MirroredEvent>(
  model: Model,
  name: N,
  schedule: (run: () => void) => void,
): () => void {
  return model.link.on(name, (event) => schedule(() => appliers[name](model, event)));
}

async function loadState(model: Model): Promise<boolean> {
  const answer = await model.link.call('state.get', undefined);
  if (answer.ok) {
    applySnapshot(model, answer.value);
    void loadProfiles(model);
    void loadApprovals(model);
    model.linkState.setState({ state: { kind: 'ready' } });
  } else {
    model.linkState.setState({ state: { kind: 'lost', problem: answer.problem } });
  }
  return answer.ok;
}

/** Not awaited by anything in the window. */
async function loadProfiles({ link, mirrors }: Model): Promise<void> {
  const answer = await link.call('profile.list', undefined);
  if (answer.ok) mirrors.profiles.setState(answer.value, true);
}

async function loadApprovals({ link, mirrors }: Model): Promise<void> {
  const answer = await link.call('access.approvals', undefined);
  if (answer.ok) mirrors.approvals.setState(answer.value.approvals, true);
}

function applySnapshot({ mirrors }: Model, snapshot: Snapshot): void {
  const order = snapshot.servers.map((server) => server.key);
  mirrors.hub.setState(snapshot.hub, true);
  mirrors.servers.setState(
    mergeServers({ byKey: {}, order: [] }, { servers: snapshot.servers, order }),
    true,
  );
  mirrors.tools.setState(groupTools(snapshot.tools), true);
  mirrors.clients.setState(snapshot.clients, true);
  mirrors.settings.setState(snapshot.settings, true);
}

function applyServers(model: Model, change: IpcEvent<'servers.changed'>): void {
  const before = model.mirrors.servers.getState();
  const removed = before.order.filter((key) => !change.order.includes(key));
  report(model, [
    ...change.servers.flatMap((server) => describeServer(before.byKey[server.key], server)),
    ...removed.map(describeRemoved),
  ]);
  model.mirrors.servers.setState(mergeServers(before, change), true);
  if (removed.length > 0) forgetTools(model, removed);
  removeSettledChanges(
    model.pendingServerSwitches,
    change.servers.map((server) => server.key),
  );
}

/** Announces new approval requests, and those that ended without an answer from this window. */
function applyApprovals(model: Model, { approvals }: IpcEvent<'approvals.changed'>): void {
  const before = model.mirrors.approvals.getState();
  const { answered } = model.approval.getState();
  const asked = approvals.filter(({ id }) => before.every((one) => one.id !== id));
  const gone = before.filter(({ id }) => !answered.has(id) && approvals.every((one) => one.id !== id));
  model.mirrors.approvals.setState(approvals, true);
  if (asked.length > 0)
    announce(
      model.announcer,
      askedText(asked, model.mac, (key) => titleOf(model, key)),
    );
  if (gone.length > 0) model.notify.done(withdrawnText(gone, model.now(), (key) => titleOf(model, key)));
}

function forgetTools({ mirrors }: Model, removed: readonly string[]): void {
  const kept = Object.entries(mirrors.tools.getState()).filter(([key]) => !removed.includes(key));
  mirrors.tools.setState(Object.fromEntries(kept), true);
}

/** Announces the changes to screen readers in one message. */
function report(model: Model, happenings: readonly StatusEvent[]): void {
  if (happenings.length === 0) return;
  const [first, ...rest] = happenings.map(
    ({ about, subject, text }) => `${about === 'server' ? titleOf(model, subject) : subject}: ${text}`,
  );
  announce(
    model.announcer,
    rest.length > 2 ? `${first}, and ${rest.length} more changes` : [first, ...rest].join('. '),
  );
}
