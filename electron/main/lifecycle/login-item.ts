import { mkdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import type { App } from 'electron';
import { autostartFile, autostartText } from './autostart-file.ts';
import type { StartCommand } from './launch-command.ts';

/** Makes the app start with the user's session, hidden, or no longer. */
export interface LoginItem {
  set(on: boolean): Promise<void>;
}

export interface LoginItemOptions {
  readonly app: Pick<App, 'setLoginItemSettings'>;
  readonly start: StartCommand;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly writeFile: (file: string, text: string) => Promise<void>;
}

/** macOS and Windows have a system call for it; Linux desktops read a file. */
export function createLoginItem(options: LoginItemOptions): LoginItem {
  return process.platform === 'linux' ? fileLoginItem(options) : systemLoginItem(options);
}

function systemLoginItem({ app, start }: LoginItemOptions): LoginItem {
  return {
    async set(on) {
      // macOS takes no arguments here; there the app asks whether it was opened at login.
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
