import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type ClientCapabilities, ProgressNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'vitest';
import { z } from 'zod';
import { silentLogger } from '../../electron/engine/base/logger.ts';
import {
  dataPaths,
  type EnginePorts,
  startHub as openHub,
  type Hub as RunningHub,
  stopOtherHub,
} from '../../electron/engine/engine.ts';
import type { Identity, IdentityKind } from '../../shared/model/access/access.ts';
import type { ServerView } from '../../shared/model/server/server.ts';
import { eventually } from './eventually.ts';
import { programs } from './programs.ts';
import { tempDir } from './temp-dir.ts';

/** A hub on a folder that goes with it. */
export interface Hub extends AsyncDisposable {
  readonly engine: RunningHub;
  readonly dir: string;
  /** Path of `mcp.json`. */
  readonly file: string;
  server(key: string): ServerView;
  /** Connects a real SDK client through the real bridge. */
  bridge(name?: string): Promise<Client & AsyncDisposable>;
  /** The same folder, served by another engine from then on. */
  restart(): Promise<void>;
}

type Entries = Readonly<Record<string, unknown>>;

interface HubOptions {
  readonly port?: number;
  readonly ports?: Partial<EnginePorts>;
  /** Records activity with the built program's worker. */
  readonly recordActivity?: boolean;
  readonly audit?: boolean;
  /** More files of its folder, by their names. */
  readonly files?: Readonly<Record<string, string>>;
}

/** `config`: the text of `mcp.json`, or its servers. */
export async function startHub(config?: string | Entries, options: HubOptions = {}): Promise<Hub> {
  const folder = await tempDir();
  const file = join(folder.path, 'mcp.json');
  if (config !== undefined) await writeFile(file, typeof config === 'string' ? config : configText(config));
  for (const [name, text] of Object.entries(options.files ?? {}))
    await writeFile(join(folder.path, name), text);
  const { port = 0, recordActivity = false, audit = false } = options;
  const open = () =>
    openHub(
      {
        logger: silentLogger,
        env: async () => process.env,
        activityWorker: programs.activityWorker,
        ...options.ports,
      },
      { dataDir: folder.path, version: '0.0.0-test', port, recordActivity, audit },
    );
  let engine = await open();
  return {
    get engine() {
      return engine;
    },
    dir: folder.path,
    file,
    server(key) {
      const found = engine.servers().find((server) => server.key === key);
      if (found === undefined) throw new Error(`no server ${key}`);
      return found;
    },
    bridge: (name) => connectBridge(folder.path, name),
    async restart() {
      await engine.stop();
      engine = await open();
    },
    async [Symbol.asyncDispose]() {
      await engine.stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** The text of a config with these servers. */
export const configText = (entries: Entries): string => JSON.stringify({ mcpServers: entries }, undefined, 2);

export async function connectBridge(
  dir: string,
  name = 'test',
  capabilities: ClientCapabilities = {},
): Promise<Client & AsyncDisposable> {
  const client = new Client({ name, version: '1.0.0' }, { capabilities });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [programs.bridge, '--data-dir', dir],
      env: {},
      stderr: 'ignore',
    }),
  );
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

/** Waits until the hub of a folder takes connections. */
export function hubListens(dir: string): Promise<void> {
  return eventually(async () => {
    const socket = connect(dataPaths(dir).socket);
    try {
      await once(socket, 'connect');
    } finally {
      socket.destroy();
    }
  });
}

/** Asks a headless hub to end; resolves to its exit code and signal. Windows has no signal that asks. */
export async function endHub(hub: ChildProcess, dir: string): Promise<readonly unknown[]> {
  const exited = once(hub, 'exit');
  if (process.platform === 'win32') await stopOtherHub(dir);
  else hub.kill('SIGTERM');
  return exited;
}

/** Returns the names of the tools that a client sees. */
export async function namesOf(client: Client): Promise<readonly string[]> {
  const listed = z.looseObject({ tools: z.array(z.looseObject({ name: z.string() })) });
  const { tools } = await client.request({ method: 'tools/list' }, listed);
  return tools.map((tool) => tool.name);
}

/** Progress of the calls with this `_meta`. The SDK's `onprogress` forgets what comes together with the answer. */
export function progressOf(client: Client) {
  const progressToken = 'progress-of-this-call';
  const heard: { readonly progress: number; readonly message?: string | undefined }[] = [];
  client.setNotificationHandler(
    ProgressNotificationSchema,
    ({ params: { progressToken: _, ...progress } }) => void heard.push(progress),
  );
  return { heard, _meta: { progressToken } };
}

/** The text of a tool's result. */
export function textOf(result: unknown): string | undefined {
  const { content } = z.looseObject({ content: z.array(z.looseObject({ text: z.string() })) }).parse(result);
  return content[0]?.text;
}

/** An identity by its name, which is unique within its kind. */
export const identityNamed = ({ engine }: Hub, kind: IdentityKind, name: string): Identity | undefined =>
  engine.access().identities.find((identity) => identity.kind === kind && identity.name === name);

export const isConnected = (hub: Hub, key: string): Promise<void> =>
  eventually(() => {
    const { status, problem } = hub.server(key);
    expect(status, JSON.stringify(problem)).toBe('connected');
  });
