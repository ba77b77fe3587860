import { join } from 'node:path';
import type { BridgeProgram } from '../../engine/engine.ts';
import { stableBinary } from './launch-command.ts';

export interface BridgePaths {
  /** Folder of the packaged resources, which contains the bridge's bundle. */
  readonly resources: string;
  /** Folder of the app itself, which contains the bundle if nothing is packaged. */
  readonly app: string;
  readonly execPath: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly exists: (file: string) => boolean;
}

/** Returns how clients run the bridge: this app's own binary as Node, which needs nothing from PATH. */
export function bridgeProgram({ resources, app, execPath, env, exists }: BridgePaths): BridgeProgram {
  const packaged = join(resources, 'lib', 'patchbay-bridge.mjs');
  const binary = stableBinary({ execPath, env });
  return {
    binary,
    bundle: exists(packaged) ? packaged : join(app, 'dist', 'bin', 'patchbay-bridge.mjs'),
    electron: true,
    image: binary !== execPath,
  };
}
