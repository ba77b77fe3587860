import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { silentLogger } from '../../electron/engine/base/logger.ts';
import type { CatalogueStore } from '../../electron/engine/catalogue/contract.ts';
import { createSessionRegistry } from '../../electron/engine/gateway/session/session-registry.ts';
import { createSocketEndpoint } from '../../electron/engine/gateway/socket/socket-endpoint.ts';
import type { Router } from '../../electron/engine/routing/router.ts';
import { dataPaths, openDataDir } from '../../electron/engine/store/files/data-dir.ts';
import { createStreamTransport } from '../../electron/engine/transport/stdio/stream-transport.ts';
import { RawClient, surroundings } from './gateway.ts';
import { programs } from './programs.ts';

/** The bridge alone in a folder, as on a machine where nothing lies beside it that could start a hub. */
export async function loneBridge(folder: string): Promise<string> {
  const file = join(folder, 'patchbay-bridge.mjs');
  await copyFile(programs.bridge, file);
  return file;
}

export interface BridgeProcess extends AsyncDisposable {
  readonly client: RawClient;
  readonly child: ChildProcess;
  /** Returns its output on standard error so far. */
  stderr(): string;
  /** Ends its standard input; resolves to its exit code. */
  hangUp(): Promise<number | null>;
}

/** Starts a bridge program as a client does, with an environment of nothing but `env`. */
export async function startBridge(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<BridgeProcess> {
  const child = spawn(process.execPath, [program, ...args], { env: { ...env }, stdio: 'pipe' });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const client = new RawClient(createStreamTransport({ readable: child.stdout, writable: child.stdin }));
  await client.open();
  const exited = once(child, 'exit');
  return {
    client,
    child,
    stderr: () => stderr,
    async hangUp() {
      child.stdin.end();
      const [code] = await exited;
      return code;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Runs a program to its end; `input` is all that it can read. */
export async function runBridge(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input?: string,
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const child = spawn(process.execPath, [program, ...args], { env: { ...env }, stdio: 'pipe' });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  if (input !== undefined) child.stdin.end(input);
  const [code] = await once(child, 'close');
  return { code, ...output };
}

export interface SocketHub extends AsyncDisposable {
  readonly sessions: ReturnType<typeof createSessionRegistry>;
}

/** The socket side of a hub in this process. Disposing it cuts every connection, as a kill does. */
export async function startSocketHub(
  dataDir: string,
  parts: { readonly catalogue: CatalogueStore; readonly router: Pick<Router, 'call' | 'calls'> },
): Promise<SocketHub> {
  await openDataDir(dataDir);
  const sessions = createSessionRegistry(surroundings(parts));
  const path = dataPaths(dataDir).socket;
  const endpoint = createSocketEndpoint({ path, version: '1.2.3', sessions, log: silentLogger });
  await endpoint.listen();
  return {
    sessions,
    async [Symbol.asyncDispose]() {
      await endpoint.close();
      await sessions.close();
    },
  };
}
