import { Notification } from 'electron';
import type { Disposable } from './disposable.ts';

/** Shows a notification of the system, where there are any; what is returned takes it away. */
export function showNote(
  text: { readonly title: string; readonly body: string },
  onClick: () => void,
): Disposable {
  if (!Notification.isSupported()) return { dispose: () => {} };
  // Held by what is returned: a collected one no longer hears clicks.
  const note = new Notification(text);
  note.on('click', onClick);
  note.show();
  return { dispose: () => note.close() };
}
