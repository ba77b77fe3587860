import { showNotification } from './system-note.ts';

/** Tells the user where the app has gone, once, after the first closing of the window. */
export function notifyStaysInTray(platform: NodeJS.Platform, onClick: () => void): void {
  const place = platform === 'darwin' ? 'menu bar' : 'tray';
  const body = `Your clients stay connected. Patchbay is in the ${place}, where you can also quit it.`;
  showNotification({ title: 'Patchbay keeps running', body }, onClick);
}
