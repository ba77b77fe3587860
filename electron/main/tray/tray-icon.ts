import { join } from 'node:path';
import type { TrayState } from './tray-types.ts';

/**
 * Returns the icon file for a state. macOS colours a template image itself, so only its menu shows the state;
 * Windows picks the size for its scale, Linux panels scale one large image down.
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
