import { join } from 'node:path';
import type { TrayState } from './model.ts';

/** The icon's file for a state; macOS wants templates, which it colours itself. */
export function trayIconFile(folder: string, state: TrayState, platform: NodeJS.Platform): string {
  return join(folder, platform === 'darwin' ? `tray-${state}Template.png` : `tray-${state}.png`);
}
