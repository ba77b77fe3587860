import { homedir } from 'node:os';
import { type PlatformPath, posix, win32 } from 'node:path';
import type { ListedProcess } from './running/process-list.ts';

/** The facts that determine where programs store their files. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The path syntax; tests emulate one system on another. */
  readonly path?: PlatformPath;
  /** Lists running processes; by default, of this system. */
  readonly processes?: () => Promise<readonly ListedProcess[]>;
}

export function thisMachine(env: Machine['env']): Machine {
  return { platform: process.platform, home: homedir(), env };
}

/** The folders in which programs of a system store their files. */
export interface Folders {
  readonly home: string;
  /** Settings of desktop apps: Application Support, Roaming, `.config`. */
  readonly appData: string;
  /** `%LOCALAPPDATA%`; only useful on Windows. */
  readonly localAppData: string;
  /** Settings of command-line programs on Unix: `.config`. */
  readonly config: string;
  readonly env: Machine['env'];
  join(...parts: readonly string[]): string;
}

export function foldersOf(machine: Machine): Folders {
  const { platform, home, env } = machine;
  const { join } = pathsOf(machine);
  const set = (name: string) => (env[name] === undefined || env[name] === '' ? undefined : env[name]);
  const config = set('XDG_CONFIG_HOME') ?? join(home, '.config');
  const appData = {
    win32: () => set('APPDATA') ?? join(home, 'AppData', 'Roaming'),
    darwin: () => join(home, 'Library', 'Application Support'),
    linux: () => config,
  };
  return {
    home,
    appData: appData[systemOf(platform)](),
    localAppData: set('LOCALAPPDATA') ?? join(home, 'AppData', 'Local'),
    config,
    env,
    join,
  };
}

export type System = 'win32' | 'darwin' | 'linux';

/** Other Unix systems store their files as Linux does. */
export function systemOf(platform: NodeJS.Platform): System {
  return platform === 'win32' || platform === 'darwin' ? platform : 'linux';
}

export function pathsOf({ platform, path }: Machine): PlatformPath {
  return path ?? (platform === 'win32' ? win32 : posix);
}
