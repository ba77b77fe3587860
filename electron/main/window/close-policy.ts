/** Effect of closing the window. */
export type CloseEffect = 'close' | 'hide' | 'minimize' | 'quit';

export interface CloseSituation {
  /** True while the app is quitting: nothing may keep the window open. */
  readonly quitting: boolean;
  readonly closeToTray: boolean;
  /** True if a tray icon can bring the window back; on macOS the Dock does. */
  readonly trayVisible: boolean;
}

/** Hides a window only if a click can bring it back. */
export function closeEffect({ quitting, closeToTray, trayVisible }: CloseSituation): CloseEffect {
  if (quitting) return 'close';
  if (!closeToTray) return 'quit';
  return trayVisible ? 'hide' : 'minimize';
}
