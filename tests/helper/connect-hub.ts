import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { silentLogger } from '../../electron/engine/base/logger.ts';
import type { Machine } from '../../electron/engine/clients/machine.ts';
import { type Hub, startHub } from '../../electron/engine/engine.ts';
import type { ConnectClient } from '../../shared/model/client/connect.ts';
import { programs } from './programs.ts';
import { configText } from './running-hub.ts';
import { tempDir } from './temp-dir.ts';
import { withSlashes } from './with-slashes.ts';

/** A hub beside a made-up home folder, in which clients of any system can be connected. */
export interface ConnectHub extends AsyncDisposable {
  readonly engine: Hub;
  readonly home: string;
  readonly dataDir: string;
  client(id: string): Promise<ConnectClient>;
  /** Makes a file of the home folder; resolves to its path. */
  put(path: string, text: string): Promise<string>;
  /** Connects a client whose files are there, and proves nothing. */
  connected(id: string): Promise<void>;
}

interface ConnectHubOptions {
  readonly platform?: NodeJS.Platform;
  /** Sees the programs that other tests have started, too. */
  readonly seesProcesses?: true;
  readonly servers?: Readonly<Record<string, unknown>>;
  /** The bundle that the launcher runs. */
  readonly bridge?: string;
  readonly bundle?: string;
}

/** A fake Windows or macOS home lies on the disk of this system, so its paths are written as this system does. */
export async function startConnectHub(options: ConnectHubOptions = {}): Promise<ConnectHub> {
  const folder = await tempDir();
  const home = posix.join(withSlashes(folder.path), 'home');
  const dataDir = join(folder.path, 'data');
  await mkdir(home, { recursive: true });
  await mkdir(dataDir, { recursive: true });
  await writeFile(join(dataDir, 'mcp.json'), configText(options.servers ?? {}));
  const machine: Machine = {
    platform: options.platform ?? process.platform,
    home,
    env: {},
    path: posix,
    ...(options.seesProcesses ? {} : { processes: async () => [] }),
  };
  const engine = await startHub(
    { logger: silentLogger, env: async () => process.env },
    {
      dataDir,
      version: '0.0.0-test',
      port: 0,
      machine,
      bridge: {
        binary: process.execPath,
        bundle: options.bridge ?? programs.bridge,
        electron: false,
        image: false,
      },
      ...(options.bundle === undefined ? {} : { bundle: options.bundle }),
    },
  );
  return {
    engine,
    home,
    dataDir,
    async client(id) {
      const found = (await engine.run('connect.list', undefined)).clients.find((client) => client.id === id);
      if (found === undefined) throw new Error(`no client ${id}`);
      return found;
    },
    async put(path, text) {
      const file = posix.join(home, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
      return file;
    },
    async connected(id) {
      const { previewId } = await engine.run('connect.preview', { id });
      await engine.run('connect.apply', { id, previewId });
    },
    async [Symbol.asyncDispose]() {
      await engine.stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}

export const textOfFile = (file: string): Promise<string> => readFile(file, 'utf8');
