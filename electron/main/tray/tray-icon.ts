import { join } from 'node:path';
import type { TrayState } from './model.ts';

/**
 * The icon's file for a state. macOS colours a template itself, so that there the menu alone tells the state; Windows
 * picks the size that fits its scale, Linux panels scale one large picture down.
 */
export function trayIconFile(folder: string, state: TrayState, platform: NodeJS.Platform): string {
  switch (platform) {
    case 'darwin':
      return join(folder, 'trayTemplate.png');
    case 'linux':
      return join(folder, `tray-${state}-linux.png`);
    default:
      return join(folder, `tray-${state}.png`);
  }
}
