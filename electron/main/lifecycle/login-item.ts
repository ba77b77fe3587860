import { mkdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import type { App } from 'electron';
import { autostartFile, autostartText } from './autostart-file.ts';
import type { StartCommand } from './launch-command.ts';

/** Sets whether the app starts, hidden, with the user's session. */
export interface LoginItem {
  set(on: boolean): Promise<void>;
}

export interface LoginItemOptions {
  readonly app: Pick<App, 'setLoginItemSettings'>;
  readonly start: StartCommand;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly writeFile: (file: string, text: string) => Promise<void>;
}

/** Uses a system call on macOS and Windows, and a file on Linux. */
export function createLoginItem(options: LoginItemOptions): LoginItem {
  return process.platform === 'linux' ? fileLoginItem(options) : systemLoginItem(options);
}

function systemLoginItem({ app, start }: LoginItemOptions): LoginItem {
  return {
    async set(on) {
      // macOS takes no arguments here; the app asks later whether it was opened at login.
      const program = process.platform === 'win32' ? { path: start.command, args: [...start.args] } : {};
      app.setLoginItemSettings({ openAtLogin: on, ...program });
    },
  };
}

function fileLoginItem({ start, env, writeFile }: LoginItemOptions): LoginItem {
  const file = autostartFile(env, homedir());
  return {
    async set(on) {
      if (!on) return rm(file, { force: true });
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, autostartText(start));
    },
  };
}
