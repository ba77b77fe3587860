import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { silentLogger } from '../../../electron/engine/base/logger.ts';
import { startHub as openHub, type Hub as RunningHub } from '../../../electron/engine/engine.ts';
import { until } from '../../helper/gateway.ts';
import { programs } from '../../helper/programs.ts';
import { tempDir } from '../../helper/temp-dir.ts';
import { httpWire } from './http-wire.ts';
import { ModernRawClient } from './modern-raw-client.ts';
import { RawClient } from './raw-client.ts';
import { type RawWire, stdioWire } from './wire.ts';

/** A way from a client to the tricky server; `remote server` is the bridge again, with the server behind HTTP. */
export type PathName = 'command' | 'bridge' | '/mcp' | '/mcp/servers/{key}' | 'remote server';

export interface OpenPath extends AsyncDisposable {
  /** Returns the name that a tool or prompt of the server has on this path. */
  told(name: string): string;
  /** Connects one more client, already initialized. */
  connect(capabilities?: string, name?: string): Promise<RawClient>;
  /** Opens one more client that has sent nothing yet; over HTTP it may use an existing session id. */
  wire(sessionId?: string): RawClient;
}

/** How one end speaks: with sessions (`legacy`), or stateless (`modern`). */
export type Era = 'legacy' | 'modern';

/** A program to start as a server. */
interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

const rawServer = fileURLToPath(new URL('./fixture/raw-server.mjs', import.meta.url));
const entry: Program = { command: process.execPath, args: [rawServer] };

/** The tricky server of an era. */
export const trickyServer = (era: Era): Program =>
  era === 'legacy' ? entry : { ...entry, args: [...entry.args, '--modern'] };

/** Straight to the server: what the other paths are compared with. */
export async function openDirect(server: Program = entry, era: Era = 'legacy'): Promise<OpenPath> {
  return openWith(
    (name) => name,
    () => stdioWire(server.command, server.args),
    async () => {},
    era,
  );
}

/** `options` are more members of the server's entry; `era` is how the clients speak. */
export async function openPath(
  name: PathName,
  options: object = {},
  server: object = entry,
  era: Era = 'legacy',
): Promise<OpenPath> {
  const whole = { ...server, ...options };
  if (name === 'command') return openCommand(whole, era);
  if (name === 'remote server') return openRemote(options, server, era);
  const hub = await startHub(whole);
  const { url, token } = hub.engine.connection();
  switch (name) {
    case 'bridge': {
      const bridge = () => stdioWire(process.execPath, [programs.bridge, '--data-dir', hub.dir]);
      return openWith((tool) => `t__${tool}`, bridge, hub.stop, era);
    }
    case '/mcp':
      return openWith(
        (tool) => `t__${tool}`,
        (sessionId) => httpWire(url, token, sessionId, era),
        hub.stop,
        era,
      );
    case '/mcp/servers/{key}':
      return openWith(
        (tool) => tool,
        (sessionId) => httpWire(`${url}/servers/t`, token, sessionId, era),
        hub.stop,
        era,
      );
  }
}

async function openRemote(options: object, server: object, era: Era): Promise<OpenPath> {
  const { command, args } = { ...entry, ...server };
  const program = spawn(command, [...args, '--http'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [url] = await once(program.stdout, 'data');
  const bridge = await openPath('bridge', options, { type: 'http', url: String(url).trim() }, era);
  return {
    ...bridge,
    async [Symbol.asyncDispose]() {
      await bridge[Symbol.asyncDispose]();
      program.kill('SIGKILL');
    },
  };
}

async function openCommand(server: object, era: Era): Promise<OpenPath> {
  const folder = await tempDir();
  const file = join(folder.path, 'config.json');
  await writeFile(file, JSON.stringify({ mcpServers: { t: server } }));
  const command = () => stdioWire(process.execPath, [programs.aggregator, '--config', file]);
  return openWith(
    (tool) => `t:${tool}`,
    command,
    async () => folder[Symbol.asyncDispose](),
    era,
  );
}

function openWith(
  told: (name: string) => string,
  openWire: (sessionId?: string) => RawWire,
  stop: () => Promise<void>,
  era: Era,
): OpenPath {
  const clients: RawClient[] = [];
  const wire = (sessionId?: string) => {
    const opened = openWire(sessionId);
    const client = era === 'modern' ? new ModernRawClient(opened) : new RawClient(opened);
    clients.push(client);
    return client;
  };
  return {
    told,
    wire,
    async connect(capabilities, name) {
      const client = wire();
      await client.greet(capabilities, name);
      return client;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()));
      await stop();
    },
  };
}

interface Hub {
  readonly engine: RunningHub;
  readonly dir: string;
  readonly stop: () => Promise<void>;
}

async function startHub(server: { readonly patchbay?: object }): Promise<Hub> {
  const folder = await tempDir();
  const t = { ...server, patchbay: { ...server.patchbay, guard: 'off' } };
  await writeFile(join(folder.path, 'mcp.json'), JSON.stringify({ mcpServers: { t } }));
  const engine = await openHub(
    { logger: silentLogger, env: async () => process.env },
    { dataDir: folder.path, version: '0.0.0-test', port: 0 },
  );
  await until(
    'a connected server',
    () => engine.servers().every(({ status }) => status === 'connected'),
    60_000,
  );
  const stop = async () => {
    await engine.stop();
    await folder[Symbol.asyncDispose]();
  };
  return { engine, dir: folder.path, stop };
}
