import { copyFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { HttpClient } from './lib/http-client.mjs';
import { installPackage, packageFolder } from './lib/install.mjs';
import { peerCache, program } from './lib/places.mjs';
import { freePort, start, startNode } from './lib/process.mjs';
import { scratch } from './lib/scratch.mjs';
import { SseClient } from './lib/sse-client.mjs';
import { StdioClient } from './lib/stdio-client.mjs';
import { until } from './lib/wait.mjs';
import { answers } from './targets.mjs';

/** Programs of others that run here, with the version they are measured in. */
export const peers = [
  peer('mcp-hub', '4.2.1', 'http', startMcpHub),
  peer('mcp-use', '2.5.2', 'http', startMcpUse),
  peer('mcp-proxy', '6.7.19', 'http', startMcpProxy),
  peer('supergateway', '4.0.0', 'http', startSupergateway),
  peer('mcp-remote', '0.15.1', 'stdio', startMcpRemote, 'its server is reached over HTTP'),
  peer('@standardbeagle/slop-mcp', '0.15.0', 'stdio', startSlop, 'a call is wrapped in its execute_tool'),
];

/** Makes sure that a peer is in the cache folder; rejects with the reason where it cannot be. */
export function install({ name, version }) {
  return installPackage({ name, version, folder: folderOf(name, version), flags: ['--omit=optional'] });
}

function peer(name, version, front, begin, remark) {
  const target = { name, version, front, role: 'peer', ...(remark === undefined ? {} : { remark }) };
  return { ...target, start: (servers) => begin(servers, folderOf(name, version)) };
}

const folderOf = (name, version) => packageFolder(peerCache, name, version);

const inside = (folder, name, file) => join(folder, 'node_modules', name, file);

/** Each runs with a home of its own, and listens on loopback whatever its default is. */
async function surroundings() {
  const home = await scratch();
  const { PATH } = process.env;
  const options = {
    env: {
      PATH,
      HOME: home.path,
      XDG_CONFIG_HOME: home.path,
      XDG_STATE_HOME: home.path,
      XDG_DATA_HOME: home.path,
    },
    cwd: home.path,
    nodeArgs: ['--import', program('loopback-only')],
  };
  return { home, options };
}

async function startMcpHub(servers, folder) {
  const { home, options } = await surroundings();
  const port = await freePort();
  const config = join(home.path, 'config.json');
  await writeFile(config, JSON.stringify({ mcpServers: servers }));
  const args = ['--port', String(port), '--config', config];
  const child = startNode(inside(folder, 'mcp-hub', 'dist/cli.js'), args, { ...options, quiet: true });
  // The hub listens before it is ready, and refuses requests until then.
  const client = await until(20_000, 'mcp-hub', () => SseClient.open({ port }), 100);
  return { client, own: [child], tool: `${Object.keys(servers)[0]}__echo`, tidy: home.remove };
}

/** A library, not a program: the file that uses it must lie beside it. */
async function startMcpUse(servers, folder) {
  const { home, options } = await surroundings();
  const port = await freePort();
  const [[key, { command, args }]] = Object.entries(servers);
  const file = join(folder, 'proxy.mjs');
  await copyFile(program('mcp-use-proxy'), file);
  const child = startNode(file, [String(port), key, command, ...args], { ...options, quiet: true });
  await answers(port, '/');
  return { client: new HttpClient({ port }), own: [child], tool: `${key}_echo`, tidy: home.remove };
}

async function startMcpProxy(servers, folder) {
  const { home, options } = await surroundings();
  const port = await freePort();
  const [{ command, args }] = Object.values(servers);
  const flags = ['--port', String(port), '--host', '127.0.0.1', '--server', 'stream', '--', command, ...args];
  const child = startNode(inside(folder, 'mcp-proxy', 'dist/bin/mcp-proxy.mjs'), flags, {
    ...options,
    quiet: true,
  });
  await answers(port, '/ping');
  return { client: new HttpClient({ port }), own: [child], tool: 'echo', tidy: home.remove };
}

async function startSupergateway(servers, folder) {
  const { home, options } = await surroundings();
  const port = await freePort();
  const [{ command, args }] = Object.values(servers);
  const line = [command, ...args].map((part) => `"${part}"`).join(' ');
  const flags = ['--stdio', line, '--outputTransport', 'streamableHttp', '--stateful', '--logLevel', 'none'];
  const entry = inside(folder, 'supergateway', 'dist/index.js');
  const child = startNode(entry, [...flags, '--port', String(port)], { ...options, quiet: true });
  await answers(port, '/');
  return { client: new HttpClient({ port }), own: [child], tool: 'echo', tidy: home.remove };
}

async function startMcpRemote(_servers, folder) {
  const { home, options } = await surroundings();
  const [port, callback] = [await freePort(), await freePort()];
  const server = startNode(program('http-child'), [String(port)], { quiet: true });
  await answers(port);
  const args = [`http://127.0.0.1:${port}/mcp`, String(callback)];
  const child = startNode(inside(folder, 'mcp-remote', 'dist/proxy.js'), args, options);
  return {
    client: new StdioClient(child),
    own: [child],
    servers: [server],
    tool: 'echo',
    tidy: home.remove,
  };
}

async function startSlop(servers, folder) {
  const { home, options } = await surroundings();
  const entries = Object.entries(servers).map(
    ([key, { command, args }]) =>
      `mcp ${JSON.stringify(key)} {\n  command ${JSON.stringify(command)}\n  args ${args.map((arg) => JSON.stringify(arg)).join(' ')}\n}\n`,
  );
  await writeFile(join(home.path, '.slop-mcp.kdl'), entries.join(''));
  const { getBinaryPath } = createRequire(import.meta.url)(
    inside(folder, '@standardbeagle/slop-mcp', 'index.js'),
  );
  const child = start(getBinaryPath(), ['serve'], options);
  const [key] = Object.keys(servers);
  const wrap = (tool, parameters) => ({
    name: 'execute_tool',
    arguments: { mcp_name: key, tool_name: tool, parameters },
  });
  return { client: new StdioClient(child), own: [child], tool: 'echo', wrap, tidy: home.remove };
}
