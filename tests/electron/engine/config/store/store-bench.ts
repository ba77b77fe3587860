// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConfigState, ConfigStore } from '../../../../../electron/engine/config/contract.ts';
import { createConfigStore } from '../../../../../electron/engine/config/store/store.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

export const commented = `{
  // mine
  "mcpServers": {
    "a": {
      "command": "npx", // launcher
      "args": ["-y", "server"],
      "future": { "kept": true }
    },
    "b": { "url": "https://x.dev/mcp", "headers": { "Authorization": "Bearer \${TOKEN}" } }
  }
}
`;

export interface Bench extends AsyncDisposable {
  readonly store: ConfigStore;
  readonly file: string;
  readonly folder: string;
  readonly states: ConfigState[];
  readonly env: Record<string, string | undefined>;
  text(): Promise<string>;
}

/** Opens a store on a real file in a folder that is removed afterwards. */
export async function open(text?: string, create = false): Promise<Bench> {
  const folder = await tempDir();
  const file = join(folder.path, 'mcp.json');
  if (text !== undefined) await writeFile(file, text);
  const env: Record<string, string | undefined> = { HOME: '/home/ann', TOKEN: 'hush-hush' };
  const store = await createConfigStore({ file, env: () => env, create, platform: 'linux' });
  const states: ConfigState[] = [];
  store.onChange((state) => states.push(state));
  return {
    store,
    file,
    folder: folder.path,
    states,
    env,
    text: () => readFile(file, 'utf8'),
    [Symbol.asyncDispose]: async () => {
      store.dispose();
      await folder[Symbol.asyncDispose]();
    },
  };
}

export const keys = (state: ConfigState) => state.servers.map(({ key }) => key);
export const server = (state: ConfigState, key: string) => {
  const found = state.servers.find((candidate) => candidate.key === key);
  if (found === undefined) throw new Error(`no server ${key}`);
  return found;
};
/** Resolves to the problem code with which an edit was rejected; undefined if it was not. */
export const code = (outcome: Promise<unknown>) =>
  outcome.then(
    () => undefined,
    (error: { problem?: { code: string } }) => error.problem?.code,
  );

export async function until(
  store: ConfigStore,
  holds: (state: ConfigState) => boolean,
): Promise<ConfigState> {
  const deadline = Date.now() + 60_000;
  while (!holds(store.state)) {
    if (Date.now() > deadline) throw new Error(`never came: ${JSON.stringify(store.state.problem)}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return store.state;
}
