import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
// @ts-expect-error a script of the build, which has no types
import { findElectron } from '../../../build/electron-runtime.mjs';
import { joinStage, type Stage, serveHarness } from './browser.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the served harness, and the endpoint of its window. */
    windowStage: { readonly address: string; readonly endpoint: string };
  }
}

/** Global set-up of the window's tests. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const { close, ...windowStage } = await serveWindow();
  provide('windowStage', windowStage);
  return close;
}

/** Opens a separate stage for a program. */
export async function openStage(): Promise<Stage> {
  const { address, endpoint, close } = await serveWindow();
  const stage = await joinStage(address, endpoint);
  return {
    open: stage.open,
    async close() {
      await stage.close();
      await close();
    },
  };
}

/** Serves the built harness and opens one window of the Electron that the app is packaged with. */
async function serveWindow() {
  const harness = await serveHarness();
  const { executable } = await findElectron();
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-window-'));
  const electron = spawn(executable, argumentsFor(folder), { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((resolve) => electron.once('exit', resolve));
  const close = async () => {
    electron.kill();
    await ended;
    await harness.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    return { address: harness.address, endpoint: await endpointOf(electron), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Puts the app first: the fallback Electron expects it there. */
function argumentsFor(folder: string): readonly string[] {
  return [
    fileURLToPath(new URL('stage-app', import.meta.url)),
    `--user-data-dir=${folder}`,
    '--remote-debugging-port=0',
    '--disable-gpu',
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ];
}

function endpointOf(electron: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const refuse = (why: string) => reject(new Error(`The window of the tests ${why}: ${said.slice(-2000)}`));
    const timer = setTimeout(() => refuse('did not come up'), 120_000);
    electron.stderr?.on('data', (part) => {
      said += part;
      const [, endpoint] = /DevTools listening on (\S+)/.exec(said) ?? [];
      if (endpoint === undefined) return;
      clearTimeout(timer);
      resolve(endpoint);
    });
    electron.once('error', reject);
    electron.once('exit', () => refuse('ended'));
  });
}
