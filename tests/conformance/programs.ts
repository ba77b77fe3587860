import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { silentLogger } from '../../electron/engine/base/logger.ts';
import { startHub as openHub, type Hub as RunningHub } from '../../electron/engine/engine.ts';
import { nodeEntry, realServer } from '../helper/programs.ts';
import { tempDir } from '../helper/temp-dir.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** An entry of `mcpServers` that runs the reference server over stdio. */
export const referenceEntry = nodeEntry(here('./reference/server.mjs'));

/** An entry of `mcpServers` that runs the stateless reference server over stdio. */
export const modernEntry = nodeEntry(here('./reference/modern.mjs'));

/** Five real servers with tools, prompts and resources of their own; two of them offer the same. */
export const noise = {
  everything: nodeEntry(realServer('everything')),
  'everything again': nodeEntry(realServer('everything')),
  files: nodeEntry(realServer('filesystem'), here('./reference')),
  memory: nodeEntry(realServer('memory')),
  thinking: nodeEntry(realServer('sequential-thinking')),
};

/** A reference server on a loopback port. */
export async function startReference(
  flag: '--http' | '--sse',
  { args } = referenceEntry,
): Promise<{ readonly url: string } & AsyncDisposable> {
  const child = spawn(process.execPath, [...args, flag], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  return { url: String(line).trim(), [Symbol.asyncDispose]: () => kill(child) };
}

export interface Hub extends AsyncDisposable {
  readonly engine: RunningHub;
  readonly dir: string;
}

/** A hub in this process, on a folder of its own. */
export async function startHub(mcpServers: object): Promise<Hub> {
  const folder = await tempDir();
  await writeFile(join(folder.path, 'mcp.json'), JSON.stringify({ mcpServers }));
  const engine = await openHub(
    { logger: silentLogger, env: async () => process.env },
    { dataDir: folder.path, version: '0.0.0-test', port: 0 },
  );
  return {
    engine,
    dir: folder.path,
    async [Symbol.asyncDispose]() {
      await engine.stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Waits until no server of the hub is on its way any more. */
export async function settled({ engine }: Hub): Promise<void> {
  const isUnderWay = () =>
    engine.servers().some(({ status }) => status === 'connecting' || status === 'disconnected');
  for (let waited = 0; waited < 120_000 && isUnderWay(); waited += 50) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
