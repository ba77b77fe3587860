import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { z } from 'zod';
import { readHubRecord } from '../../electron/engine/store/files/instance-lock.ts';
import { processIdentity } from '../../electron/engine/store/files/process-identity.ts';
import { type DrivenApp, launchApp } from './driven-app.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { packagedApp } from './packaged-app.ts';
import { tempDir } from './temp-dir.ts';

export interface RunningApp extends AsyncDisposable {
  readonly app: DrivenApp;
  readonly window: Page;
  /** The row of a server in the list. */
  row(key: string): Locator;
  /** Ends it as a user does, and waits until its process has gone. */
  quit(): Promise<void>;
}

/** Starts the packaged app on a data folder and waits for its window. A folder without settings gets a port of its own. */
export async function startApp(dataDir: string, ...args: readonly string[]): Promise<RunningApp> {
  // Folders that cannot be used are tested too, and some have their settings.
  await givePort(dataDir).catch(() => undefined);
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const app = await launchApp(packagedApp.executable, [...root, '--data-dir', dataDir, ...args]);
  const window = await app.firstWindow();
  await window.getByRole('navigation', { name: 'Main' }).waitFor();
  let running = true;
  const quit = async () => {
    if (!running) return;
    running = false;
    // As the question before a quit does it; Electron's own quit would put that question first.
    await window.evaluate(`window.patchbay.call('app.quit', { how: 'now' })`).catch(() => undefined);
    await app.close().catch(() => undefined);
  };
  return {
    app,
    window,
    row: (key) =>
      window.getByRole('row').filter({ has: window.getByRole('button', { name: key, exact: true }) }),
    quit,
    [Symbol.asyncDispose]: quit,
  };
}

interface SharedApp<T> {
  readonly folder: string;
  readonly app: T;
  readonly window: Page;
}

/**
 * Starts one app for all tests of a `describe`. Each begins with the page that the window opens with, and
 * leaves the data folder as it found it.
 */
export function useApp<T extends AsyncDisposable & { readonly app: DrivenApp }>(
  start: (folder: string) => Promise<T>,
): () => SharedApp<T> {
  let folder: Awaited<ReturnType<typeof tempDir>> | undefined;
  let shared: SharedApp<T> | undefined;
  const current = () => {
    if (shared === undefined) throw new Error('There is no app before the tests begin.');
    return shared;
  };
  beforeAll(async () => {
    folder = await tempDir();
    const app = await start(folder.path);
    shared = { folder: folder.path, app, window: await app.app.firstWindow() };
  });
  beforeEach(() => openAnew(current().window));
  afterAll(async () => {
    await shared?.app[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });
  return current;
}

async function openAnew(window: Page): Promise<void> {
  await window.emulateMedia({ media: null, colorScheme: null, forcedColors: null, reducedMotion: null });
  await window.evaluate(() => localStorage.clear());
  await window.reload();
  await window.getByRole('navigation', { name: 'Main' }).waitFor();
}

async function givePort(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const settings = JSON.stringify({ version: 1, port: await freePort() });
  await writeFile(join(dataDir, 'settings.json'), settings, { flag: 'wx', mode: 0o600 });
}

/** A real SDK client on the packaged bridge, started as a client would: with no environment to speak of. */
export async function connectBridge(
  dataDir: string,
  name = 'e2e',
  ...args: readonly string[]
): Promise<Client & AsyncDisposable> {
  const client = new Client({ name, version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({
      command: packagedApp.launcher('patchbay-bridge'),
      args: ['--data-dir', dataDir, ...args],
      env: {},
      stderr: 'ignore',
    }),
  );
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

/** Names in the client's list, as the wire says it. */
export async function toolNames(client: Client): Promise<readonly string[]> {
  const listed = z.looseObject({ tools: z.array(z.looseObject({ name: z.string() })) });
  const { tools } = await client.request({ method: 'tools/list' }, listed);
  return tools.map((tool) => tool.name);
}

/** Text of the first content item of a result. */
export function textOf(result: unknown): string {
  const { content } = z.looseObject({ content: z.array(z.looseObject({ text: z.string() })) }).parse(result);
  return content[0]?.text ?? '';
}

/** Waits until no hub owns the data folder any more. */
export function hubGone(dataDir: string): Promise<void> {
  return eventually(async () => {
    const record = await readHubRecord(join(dataDir, 'run', 'hub.json'));
    if (record !== undefined) throw new Error(`hub ${record.pid} is still there`);
  });
}

/** Waits until a process has gone. */
export function processGone(pid: number): Promise<void> {
  return eventually(async () => {
    if ((await processIdentity(pid)) !== undefined) throw new Error(`process ${pid} is still there`);
  });
}
