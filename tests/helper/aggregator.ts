import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { programs } from './programs.ts';
import { tempDir } from './temp-dir.ts';

export interface RunningAggregator extends AsyncDisposable {
  readonly client: Client;
  readonly pid: number;
  /** Everything it has written to standard error so far. */
  stderr(): string;
}

export interface AggregatorOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly clientName?: string;
}

/** Starts `mcp-simple-aggregator` on a config and connects a real SDK client to it over stdio. */
export async function startAggregator(
  config: unknown,
  options: AggregatorOptions = {},
): Promise<RunningAggregator> {
  const folder = await tempDir();
  const file = join(folder.path, 'config.json');
  await writeFile(file, typeof config === 'string' ? config : JSON.stringify(config));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [programs.aggregator, '--config', file, ...(options.args ?? [])],
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...options.env },
    stderr: 'pipe',
    maxBufferSize: 128 * 1024 * 1024,
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const client = new Client({ name: options.clientName ?? 'test', version: '1.0.0' });
  await client.connect(transport);
  return {
    client,
    pid: transport.pid ?? 0,
    stderr: () => stderr,
    async [Symbol.asyncDispose]() {
      await client.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs it with these arguments and no input until it ends by itself. */
export async function runAggregator(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [programs.aggregator, ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    timeout: 60_000,
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}

interface RawMessage {
  readonly id?: number;
  readonly method: string;
  readonly params?: unknown;
}

/**
 * Sends these messages, one a line, and resolves with the first line that answers the last one's id, byte for byte.
 * For answers so large that the SDK's client is too slow to gather them.
 */
export async function askRaw(config: unknown, messages: readonly RawMessage[]): Promise<string> {
  await using folder = await tempDir();
  const file = join(folder.path, 'config.json');
  await writeFile(file, JSON.stringify(config));
  const child = spawn(process.execPath, [programs.aggregator, '--config', file]);
  const chunks: Buffer[] = [];
  const wanted = `"id":${messages.at(-1)?.id}`;
  const answered = new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (!chunk.includes(0x0a)) return;
      const line = Buffer.concat(chunks).toString('utf8').trimEnd().split('\n').at(-1) ?? '';
      if (line.includes(wanted)) resolve(line);
    });
  });
  for (const message of messages) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const line = await answered;
  child.stdin.end();
  await once(child, 'close');
  return line;
}
