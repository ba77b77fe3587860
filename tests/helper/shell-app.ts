import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { IpcAnswer, IpcCallName, IpcInput } from '../../shared/ipc/contract.ts';
import { type DrivenApp, launchApp } from './driven-app.ts';
import { packagedApp } from './packaged-app.ts';

export interface ShellOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Another copy of the packaged app. */
  readonly executable?: string;
}

/** State of the window as the system reports it. */
export interface WindowFacts {
  readonly visible: boolean;
  readonly minimized: boolean;
  readonly bounds: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  };
}

/** The packaged app, driven from outside its window. */
export interface ShellApp extends AsyncDisposable {
  readonly app: DrivenApp;
  readonly pid: number;
  windows(): Promise<readonly WindowFacts[]>;
  /** Closes the window as its close button does. */
  closeWindow(): Promise<void>;
  /** Resolves to the exit code when the process has gone. */
  ended(): Promise<number | null>;
  quit(): Promise<void>;
}

/** Starts the packaged app; unlike `startApp` it waits for no window, since there may be none. */
export async function startShellApp(dataDir: string, options: ShellOptions = {}): Promise<ShellApp> {
  const { executable = packagedApp.executable, env } = options;
  const app = await launchApp(executable, shellArgs(dataDir, options), { ...process.env, ...env });
  const child = app.process();
  const exit = once(child, 'exit').then(([code]) => code as number | null);
  const quit = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      // Not by Electron's own quit, which asks first while clients are connected.
      child.kill('SIGTERM');
      await exit;
    }
    await app.close().catch(() => undefined);
  };
  return {
    app,
    pid: child.pid ?? 0,
    windows: () =>
      app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows().map((window) => ({
          visible: window.isVisible(),
          minimized: window.isMinimized(),
          bounds: window.getNormalBounds(),
        })),
      ),
    closeWindow: () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close()),
    ended: () => exit,
    quit,
    [Symbol.asyncDispose]: quit,
  };
}

/** Starts the app a second time, plainly; resolves to its exit code. */
export async function startAgain(dataDir: string, options: ShellOptions = {}): Promise<number | null> {
  const child: ChildProcess = spawn(packagedApp.executable, shellArgs(dataDir, options), {
    env: { ...process.env, ...options.env },
    stdio: 'ignore',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

/** Makes a call of the contract from inside the window. */
export async function callFromWindow<N extends IpcCallName>(
  page: Page,
  name: N,
  input: IpcInput<N>,
): Promise<IpcAnswer<N>> {
  // As text, since a page's own notion of undefined and the like is not ours.
  const call = `window.patchbay.call(${JSON.stringify(name)}, ${JSON.stringify(input)})`;
  return page.evaluate<IpcAnswer<N>>(call);
}

/** Milliseconds from the creation of the process to each stage of its start, as far as it has come. */
export async function startStages(dataDir: string): Promise<Readonly<Record<string, number>>> {
  const log = await readFile(join(dataDir, 'logs', 'patchbay.log'), 'utf8');
  const lines = log
    .split('\n')
    .filter((line) => line.includes('"stage"'))
    .map((line) => JSON.parse(line) as { readonly stage: string; readonly sinceStart: number });
  return Object.fromEntries(lines.map(({ stage, sinceStart }) => [stage, sinceStart]));
}

function shellArgs(dataDir: string, { args = [] }: ShellOptions): string[] {
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return [...root, `--data-dir=${dataDir}`, ...args];
}
