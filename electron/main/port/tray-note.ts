import { Notification } from 'electron';

/** Tells once, after the first closing of the window, where the app has gone. */
export function notifyStaysInTray(platform: NodeJS.Platform, onClick: () => void): void {
  if (!Notification.isSupported()) return;
  const place = platform === 'darwin' ? 'menu bar' : 'tray';
  const note = new Notification({
    title: 'Patchbay keeps running',
    body: `Your clients stay connected. You find Patchbay in the ${place}; its menu also quits it.`,
  });
  note.on('click', onClick);
  note.show();
}
