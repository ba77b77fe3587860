import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from 'electron';
import type { BridgeProgram } from '../../engine/engine.ts';
import { bridgeProgram } from './bridge-program.ts';
import { hiddenStart, type RunningProgram, type StartCommand } from './launch-command.ts';

/** Locations of the app's parts, packaged or not. */
export interface AppPaths {
  /** True if it runs from a folder with a generic Electron binary. */
  readonly unpackaged: boolean;
  readonly renderer: string;
  readonly preload: string;
  readonly icons: string;
  /** Script of the activity worker. */
  readonly activityWorker: string;
  readonly start: StartCommand;
  readonly bridge: BridgeProgram;
  /** The `.mcpb` bundle of the bridge. */
  readonly bundle: string;
}

/** Finds the app's parts; `dataDir` is set only if it is not the default. */
export function findAppPaths(app: Pick<App, 'getAppPath'>, dataDir: string | undefined): AppPaths {
  const folder = app.getAppPath();
  const unpackaged = !folder.startsWith(process.resourcesPath);
  const own = dataDir === undefined ? {} : { dataDir };
  const program: RunningProgram = {
    execPath: process.execPath,
    args: process.argv.slice(1),
    env: process.env,
    ...(unpackaged ? { appPath: folder } : {}),
    ...own,
  };
  return {
    unpackaged,
    renderer: join(folder, 'dist', 'renderer'),
    preload: join(folder, 'dist', 'preload', 'preload.cjs'),
    icons: join(folder, 'dist', 'icons'),
    activityWorker: join(folder, 'dist', 'main', 'activity-worker.mjs'),
    start: hiddenStart(program),
    bridge: bridgeProgram({
      resources: process.resourcesPath,
      app: folder,
      execPath: process.execPath,
      env: process.env,
      exists: existsSync,
    }),
    bundle: unpackaged
      ? join(folder, 'release', 'patchbay.mcpb')
      : join(process.resourcesPath, 'patchbay.mcpb'),
  };
}
