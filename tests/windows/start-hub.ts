import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect } from 'vitest';
import { readHubRecord } from '../../electron/engine/store/files/instance-lock.ts';
import { eventually } from '../helper/eventually.ts';
import { freePort } from '../helper/free-port.ts';
import { programs } from '../helper/programs.ts';

/** A headless hub on a data folder. */
export interface Hub extends AsyncDisposable {
  readonly child: ChildProcess;
  /** True if it serves; false where it has ended instead. */
  readonly isUp: boolean;
  output(): string;
  /** Ends it as Task Manager does. */
  kill(): Promise<void>;
}

export async function startHub(dir: string, env: Readonly<Record<string, string>> = {}): Promise<Hub> {
  const args = [programs.patchbay, 'serve', '--data-dir', dir, '--port', String(await freePort())];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  }
  const exited = once(child, 'exit');
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  await eventually(() =>
    expect(output.includes('is running without a window') || hasEnded(), output).toBe(true),
  );
  const kill = async () => {
    if (!hasEnded()) child.kill('SIGKILL');
    await exited;
  };
  return { child, isUp: !hasEnded(), output: () => output, kill, [Symbol.asyncDispose]: kill };
}

/** A client of the hub, by the bridge as it is built. */
export async function connectBridge(dir: string): Promise<Client & AsyncDisposable> {
  const client = new Client({ name: 'windows', version: '1.0.0' });
  const args = [programs.bridge, '--data-dir', dir];
  const env = { ...getDefaultEnvironment(), SystemRoot: process.env.SystemRoot ?? '' };
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

export function writeServers(dir: string, mcpServers: object): Promise<void> {
  return writeFile(join(dir, 'mcp.json'), JSON.stringify({ mcpServers }));
}

/** The process that holds the folder, by its record. */
export async function hubPid(dir: string): Promise<number | undefined> {
  return (await readHubRecord(join(dir, 'run', 'hub.json')))?.pid;
}
