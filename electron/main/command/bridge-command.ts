import { join } from 'node:path';
import type { BridgeCommand } from './connection-text.ts';

export interface BridgePlaces {
  readonly platform: NodeJS.Platform;
  /** Folder of the packaged resources; holds the launcher. */
  readonly resources: string;
  /** Folder of the app itself; holds the bridge's bundle. */
  readonly app: string;
  readonly execPath: string;
  /** The data folder, when it is not the default one. */
  readonly dataDir?: string;
  readonly exists: (file: string) => boolean;
}

/** The packaged launcher where there is one, else this program's own binary as Node: both need nothing from PATH. */
export function bridgeCommand(places: BridgePlaces): BridgeCommand {
  const name = places.platform === 'win32' ? 'patchbay-bridge.cmd' : 'patchbay-bridge';
  const launcher = join(places.resources, 'bin', name);
  const options = places.dataDir === undefined ? [] : ['--data-dir', places.dataDir];
  if (places.exists(launcher)) return { command: launcher, args: options };
  return {
    command: places.execPath,
    args: [join(places.app, 'dist', 'bin', 'patchbay-bridge.mjs'), ...options],
    env: { ELECTRON_RUN_AS_NODE: '1' },
  };
}
