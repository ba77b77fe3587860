/** What closing the window does. */
export type CloseEffect = 'close' | 'hide' | 'minimize' | 'quit';

export interface CloseSituation {
  /** The app is on its way out: nothing may hold the window. */
  readonly quitting: boolean;
  readonly closeToTray: boolean;
  /** A tray icon is there to bring the window back; on macOS the Dock is as good. */
  readonly trayVisible: boolean;
}

/** A window is hidden only where a click can bring it back. */
export function closeEffect({ quitting, closeToTray, trayVisible }: CloseSituation): CloseEffect {
  if (quitting) return 'close';
  if (!closeToTray) return 'quit';
  return trayVisible ? 'hide' : 'minimize';
}
