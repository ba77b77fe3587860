import { type IpcMainInvokeEvent, ipcMain, type WebContents } from 'electron';
import { callChannel, eventChannel } from '../../../shared/ipc/channel.ts';
import type { IpcEvent, IpcEventName } from '../../../shared/ipc/contract.ts';
import { isAppUrl } from '../window/link-policy.ts';
import type { Dispatch } from './dispatcher.ts';

/** The only place that listens to messages from the window. */
export function listenToWindow(dispatch: Dispatch<IpcMainInvokeEvent>): void {
  ipcMain.handle(callChannel, (event, name: unknown, input: unknown) => dispatch(event, name, input));
}

/** True for a message from the main frame of our window while it shows our own page. */
export function isOwnWindow(event: IpcMainInvokeEvent, window: WebContents | undefined): boolean {
  const { sender, senderFrame } = event;
  if (window === undefined || sender !== window || senderFrame === null) return false;
  return senderFrame === window.mainFrame && isAppUrl(senderFrame.url);
}

/** Sends an event to the window; dropped if the window is closing. */
export function sendEvent<N extends IpcEventName>(
  window: WebContents | undefined,
  name: N,
  payload: IpcEvent<N>,
): void {
  if (window === undefined || window.isDestroyed() || !isAppUrl(window.getURL())) return;
  window.send(eventChannel, name, payload);
}
