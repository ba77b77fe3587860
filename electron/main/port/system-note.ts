import { Notification } from 'electron';
import type { Disposable } from './disposable.ts';

/** Shows a system notification, if supported; disposing the result removes it. */
export function showNotification(
  text: { readonly title: string; readonly body: string },
  onClick: () => void,
): Disposable {
  if (!Notification.isSupported()) return { dispose: () => {} };
  // The result keeps a reference: a garbage-collected notification no longer receives clicks.
  const note = new Notification(text);
  note.on('click', onClick);
  note.show();
  return { dispose: () => note.close() };
}
