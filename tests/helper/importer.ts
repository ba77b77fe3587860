import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import type { Machine } from '../../electron/engine/clients/machine.ts';
import type { ConfigStore } from '../../electron/engine/config/contract.ts';
import { createConfigStore } from '../../electron/engine/config/store/store.ts';
import type { Importer, ImporterOptions } from '../../electron/engine/import/contract.ts';
import { createImporter } from '../../electron/engine/import/importer.ts';
import type { ImportChoices, ImportPreview, ImportResult } from '../../shared/model/import/import-session.ts';
import { tempDir } from './temp-dir.ts';
import { withSlashes } from './with-slashes.ts';

/** An importer over a config of its own, on a made-up machine. */
export interface ImportBench extends AsyncDisposable {
  readonly importer: Importer;
  readonly config: ConfigStore;
  readonly vault: Map<string, string>;
  /** Home of the machine. */
  readonly home: string;
  readonly dir: string;
  /** Puts a file below the home folder; resolves to its place. */
  put(name: string, content: string | Buffer): Promise<string>;
  /** The entry of a key in our config. */
  entry(key: string): Promise<unknown>;
  /** Reads the files of a client. */
  read(client: string): Promise<ImportPreview>;
  /** Adds what is suggested, all secrets to the vault. */
  addSuggested(preview: ImportPreview, more?: Partial<ImportChoices>): Promise<ImportResult>;
}

interface ImportBenchOptions {
  readonly servers?: Readonly<Record<string, unknown>>;
  readonly platform?: NodeJS.Platform;
  readonly env?: Machine['env'];
  readonly connector?: ImporterOptions['connector'];
}

export async function importBench(options: ImportBenchOptions = {}): Promise<ImportBench> {
  const folder = await tempDir();
  const home = posix.join(withSlashes(folder.path), 'home');
  const file = join(folder.path, 'data', 'mcp.json');
  await mkdir(dirname(file));
  await mkdir(home);
  await writeFile(file, JSON.stringify({ mcpServers: options.servers ?? {} }));
  const vault = new Map<string, string>();
  const env = { HOME: home, SET: 'hush-hush', ...options.env };
  const platform = options.platform ?? 'linux';
  const secrets = { get: (name: string) => vault.get(name), isClosed: () => false };
  const config = await createConfigStore({ file, env: () => env, create: true, secrets, platform });
  const importer = createImporter({
    config,
    vault: {
      get: secrets.get,
      isStored: (name) => vault.has(name),
      set: async (name, value) => {
        vault.set(name, value);
        await config.reload();
      },
      delete: async (name) => void vault.delete(name),
    },
    machine: { platform, home, env },
    bundles: join(folder.path, 'data', 'bundles'),
    connector: options.connector ?? noConnector,
  });
  return {
    importer,
    config,
    vault,
    home,
    dir: join(folder.path, 'data'),
    async put(name, content) {
      const path = posix.join(home, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
      return path;
    },
    async entry(key) {
      const { mcpServers } = JSON.parse(await readFile(file, 'utf8'));
      return mcpServers[key];
    },
    read: (client) => importer.readApps(client),
    addSuggested: (preview, more = {}) => importer.add({ ...suggested(preview), ...more }),
    async [Symbol.asyncDispose]() {
      config.dispose();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** The choices that the window begins with. */
export function suggested({ session, entries }: ImportPreview): ImportChoices {
  return {
    session,
    inputs: [],
    entries: entries
      .filter((entry) => entry.suggested)
      .map(({ id, key, secrets }) => ({
        id,
        key,
        secrets: secrets.map(({ id: secret, secretName }) => ({ id: secret, secretName })),
      })),
  };
}

const noConnector: ImporterOptions['connector'] = {
  list: async () => [],
  preview: () => Promise.reject(new Error('not here')),
  apply: () => Promise.reject(new Error('not here')),
  takeBack: () => Promise.reject(new Error('not here')),
};
