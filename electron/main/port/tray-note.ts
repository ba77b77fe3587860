import { showNote } from './system-note.ts';

/** Tells once, after the first closing of the window, where the app has gone. */
export function notifyStaysInTray(platform: NodeJS.Platform, onClick: () => void): void {
  const place = platform === 'darwin' ? 'menu bar' : 'tray';
  const body = `Your clients stay connected. You find Patchbay in the ${place}; its menu also quits it.`;
  showNote({ title: 'Patchbay keeps running', body }, onClick);
}
