import type { WebContents } from 'electron';
import type { IpcEvent } from '../../../shared/ipc/contract.ts';
import type { AppUpdate } from '../../../shared/model/hub/app-update.ts';
import type { ToolSummary } from '../../../shared/model/tool/tool.ts';
import type { Settings } from '../../../shared/schema/settings.ts';
import type { Hub } from '../../engine/engine.ts';
import type { HubLifecycle } from '../lifecycle/hub-lifecycle.ts';
import { after, type Disposable, disposeAll } from '../port/disposable.ts';
import { createDispatcher } from './dispatcher.ts';
import { isOwnWindow, listenToWindow, sendEvent } from './electron-ipc.ts';
import type { BatchedEvent } from './event-batch.ts';
import { EventPusher } from './event-pusher.ts';
import type { HandlerContext } from './handler-context.ts';
import { createHandlers } from './handlers.ts';
import { forwardHubEvents } from './hub-events.ts';
import { WatchList } from './watch-list.ts';

export interface WindowLinkOptions extends Omit<HandlerContext, 'watches'> {
  readonly hub: HubLifecycle;
  /** Returns the page of our window, if it exists. */
  readonly contents: () => WebContents | undefined;
  readonly development: boolean;
  readonly onUnexpected: (call: string, error: unknown) => void;
}

/** The main process's end of the link to the window. */
export interface WindowLink extends Disposable {
  /** True once the page has loaded and receives events. */
  readonly isReady: boolean;
  /** Sends a command to the window; waits until it has loaded. */
  run(command: IpcEvent<'command.run'>): void;
  settingsChanged(settings: Settings): void;
  /** Sends the window the whole state of a hub that has started, or why it has not. */
  hubStarted(): void;
  updateChanged(update: AppUpdate): void;
  setVisible(visible: boolean): void;
  /** Called when the page has lost its state. */
  pageGone(): void;
}

/** Answers the window's calls and pushes changes to it. */
export function connectWindow(options: WindowLinkOptions): WindowLink {
  const { hub, contents, development, onUnexpected } = options;
  const pusher = new EventPusher({ after, send: (name, payload) => sendEvent(contents(), name, payload) });
  const push = (event: BatchedEvent) => pusher.push(event);
  const watches = new WatchList({ hub, push });
  const handlers = createHandlers({
    ...options,
    watches,
    onStateSent() {
      pusher.attach();
      options.onStateSent();
    },
  });
  const isTrusted = (event: Electron.IpcMainInvokeEvent) => isOwnWindow(event, contents());
  const hubSettled = () => hub.settled(maxStartWaitMs);
  const beforeAnswer = () => pusher.flush();
  const checks = { isTrusted, checkOutput: development };
  listenToWindow(
    createDispatcher({ handlers, hub: () => hub.hub, hubSettled, beforeAnswer, onUnexpected, ...checks }),
  );
  const settingsChanged = (payload: Settings) => push({ name: 'settings.changed', payload });
  let feed: Disposable | undefined;
  hub.onRunning(({ events }) => {
    feed = disposeAll([
      forwardHubEvents(events, (view) => hub.withProblems(view), pusher),
      // Commands change settings, too.
      events['access.changed'](() => settingsChanged(options.settings())),
    ]);
  });
  return {
    get isReady() {
      return pusher.attached;
    },
    run: (command) => pusher.run(command),
    settingsChanged,
    hubStarted() {
      push({ name: 'hub.changed', payload: hub.view() });
      if (hub.running !== undefined) for (const event of wholeState(hub.running)) push(event);
    },
    updateChanged: (payload) => push({ name: 'update.changed', payload }),
    setVisible: (visible) => watches.setVisible(visible),
    pageGone() {
      pusher.detach();
      watches.dispose();
    },
    dispose() {
      feed?.dispose();
      watches.dispose();
    },
  };
}

/** Sends the state of a hub that has just started to a window that is already open. */
function wholeState(hub: Hub): readonly BatchedEvent[] {
  const servers = hub.servers();
  const tools = Object.fromEntries(servers.map(({ key }) => [key, [] as ToolSummary[]]));
  for (const tool of hub.tools()) tools[tool.serverKey]?.push(tool);
  return [
    { name: 'servers.changed', payload: { servers, order: servers.map(({ key }) => key) } },
    { name: 'tools.changed', payload: { tools } },
    { name: 'clients.changed', payload: { clients: hub.clients() } },
    { name: 'access.changed', payload: hub.access() },
    { name: 'approvals.changed', payload: { approvals: hub.approvals() } },
    { name: 'profiles.changed', payload: hub.profiles() },
  ];
}

/** Milliseconds that a call of the window waits for a hub that is still starting. */
const maxStartWaitMs = 60_000;
