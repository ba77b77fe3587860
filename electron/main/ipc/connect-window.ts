import type { WebContents } from 'electron';
import type { IpcEvent } from '../../../shared/ipc/contract.ts';
import type { AppUpdate } from '../../../shared/model/app-update.ts';
import type { Settings } from '../../../shared/schema/settings.ts';
import type { HubRun } from '../lifecycle/hub-run.ts';
import { after, type Disposable } from '../port/disposable.ts';
import { createDispatcher } from './dispatcher.ts';
import { isOwnWindow, listenToWindow, sendEvent } from './electron-ipc.ts';
import { forwardEngineEvents } from './engine-events.ts';
import { EventPusher } from './event-pusher.ts';
import { createHandlers, type HandlerContext } from './handlers.ts';
import { WatchList } from './watch-list.ts';

export interface WindowLinkOptions extends Omit<HandlerContext, 'watches'> {
  readonly hub: HubRun;
  /** Returns the page of our window, if it exists. */
  readonly contents: () => WebContents | undefined;
  readonly development: boolean;
  readonly onUnexpected: (call: string, error: unknown) => void;
}

/** The main process's end of the link to the window. */
export interface WindowLink extends Disposable {
  /** True once the page has loaded and receives events. */
  readonly hears: boolean;
  /** Sends a command to the window; waits until it has loaded. */
  run(command: IpcEvent<'command.run'>): void;
  settingsChanged(settings: Settings): void;
  hubChanged(): void;
  updateChanged(update: AppUpdate): void;
  setVisible(visible: boolean): void;
  /** Called when the page has lost its state. */
  pageGone(): void;
}

/** Answers the window's calls and pushes changes to it. */
export function connectWindow(options: WindowLinkOptions): WindowLink {
  const { engine, hub, contents, development, onUnexpected } = options;
  const pusher = new EventPusher({ after, send: (name, payload) => sendEvent(contents(), name, payload) });
  const watches = new WatchList({ engine, push: (event) => pusher.push(event) });
  const handlers = createHandlers({
    ...options,
    watches,
    onStateTaken() {
      pusher.attach();
      options.onStateTaken();
    },
  });
  const isTrusted = (event: Electron.IpcMainInvokeEvent) => isOwnWindow(event, contents());
  const hubSettled = async () => {
    const isStarting = hub.phase === 'starting';
    await hub.settled(longestStart);
    return isStarting;
  };
  const beforeAnswer = () => pusher.flush();
  const checks = { isTrusted, checkOutput: development };
  listenToWindow(createDispatcher({ handlers, hubSettled, beforeAnswer, onUnexpected, ...checks }));
  const feed = forwardEngineEvents(
    engine,
    (view) => hub.withProblems(view),
    (event) => pusher.push(event),
  );
  return {
    get hears() {
      return pusher.attached;
    },
    run: (command) => pusher.run(command),
    settingsChanged: (payload) => pusher.push({ name: 'settings.changed', payload }),
    hubChanged: () => pusher.push({ name: 'hub.changed', payload: hub.view() }),
    updateChanged: (payload) => pusher.push({ name: 'update.changed', payload }),
    setVisible: (visible) => watches.setVisible(visible),
    pageGone() {
      pusher.detach();
      watches.dispose();
    },
    dispose: () => feed.dispose(),
  };
}

/** Milliseconds that a call from the window waits for a starting hub. */
const longestStart = 60_000;
