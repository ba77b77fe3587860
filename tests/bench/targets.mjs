import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HttpClient } from './lib/http-client.mjs';
import { command, program } from './lib/places.mjs';
import { freePort, start, startNode } from './lib/process.mjs';
import { scratch } from './lib/scratch.mjs';
import { StdioClient } from './lib/stdio-client.mjs';
import { until } from './lib/wait.mjs';

/**
 * Programs measured besides the peers. `limit` names the forwarder over the same transport; `start(servers,
 * options)` starts the program with `mcpServers` entries; programs that support only one server take the
 * first. Options for ours: `nodeArgs`, `file` to run instead of the one in dist/, and for a hub its
 * `settings`.
 */
export const targets = [
  { name: 'direct', front: 'stdio', role: 'direct', start: startDirect },
  { name: 'forwarder', front: 'stdio', role: 'limit', start: startForwarder },
  { name: 'plain-sdk', front: 'stdio', role: 'plain', start: startPlain },
  { name: 'aggregator', front: 'stdio', role: 'ours', limit: 'forwarder', start: startAggregator },
  { name: 'bridge', front: 'stdio', role: 'ours', limit: 'forwarder', start: startBridge },
  { name: 'forwarder-http', front: 'http', role: 'limit', start: startHttpForwarder },
  { name: 'http', front: 'http', role: 'ours', limit: 'forwarder-http', start: startHttp },
];

const firstOf = (servers) => Object.entries(servers)[0];

async function startDirect(servers) {
  const [, entry] = firstOf(servers);
  const child = start(entry.command, entry.args);
  return { client: new StdioClient(child), own: [child], tool: 'echo' };
}

async function startForwarder(servers) {
  const [, entry] = firstOf(servers);
  const child = startNode(program('forward-stdio'), [entry.command, ...entry.args]);
  return { client: new StdioClient(child), own: [child], tool: 'echo' };
}

async function startHttpForwarder(servers) {
  const [, entry] = firstOf(servers);
  const port = await freePort();
  const child = startNode(program('forward-http'), [String(port), entry.command, ...entry.args], {
    quiet: true,
  });
  await answers(port);
  return { client: new HttpClient({ port }), own: [child], tool: 'echo' };
}

async function startPlain(servers) {
  const folder = await scratch();
  const child = startNode(program('plain-aggregator'), [await writeConfig(folder, servers)]);
  return {
    client: new StdioClient(child),
    own: [child],
    tool: `${firstOf(servers)[0]}__echo`,
    tidy: folder.remove,
  };
}

async function startAggregator(servers, options = {}) {
  const folder = await scratch();
  const args = ['--config', await writeConfig(folder, servers)];
  const child = startNode(options.file ?? command('mcp-simple-aggregator'), args, options);
  return {
    client: new StdioClient(child),
    own: [child],
    tool: `${firstOf(servers)[0]}:echo`,
    tidy: folder.remove,
  };
}

async function startBridge(servers, options) {
  const hub = await startHub(servers, options);
  const bridge = startNode(command('patchbay-bridge'), ['--data-dir', hub.dir, '--names', 'safe']);
  // The bridge goes first: a hub that ends under it would be started again.
  return { ...hub, client: new StdioClient(bridge), own: [bridge, hub.child] };
}

async function startHttp(servers, options) {
  const hub = await startHub(servers, options);
  return { ...hub, client: await openHttp(hub), own: [hub.child] };
}

/** A headless hub on a new data folder, as soon as it answers. */
export async function startHub(servers, options = {}) {
  const folder = await scratch();
  const dir = join(folder.path, 'data');
  await mkdir(dir, { mode: 0o700 });
  await writeFile(join(dir, 'mcp.json'), JSON.stringify({ mcpServers: servers }));
  if (options.settings !== undefined)
    await writeFile(join(dir, 'settings.json'), JSON.stringify(options.settings));
  const port = await freePort();
  const args = ['serve', '--data-dir', dir, '--port', String(port)];
  const child = startNode(options.file ?? command('patchbay'), args, { ...options, quiet: true });
  await answers(port);
  return { child, dir, port, tool: `${firstOf(servers)[0]}__echo`, tidy: folder.remove };
}

/** One more client of a running hub. */
export async function openHttp({ dir, port }) {
  const token = (await readFile(join(dir, 'token'), 'utf8')).trim();
  return new HttpClient({ port, token });
}

/** Resolves when something listens there. */
export async function answers(port, path = '/healthz') {
  await until(20_000, 'an HTTP server', () => fetch(`http://127.0.0.1:${port}${path}`).then(() => true), 5);
}

async function writeConfig(folder, servers) {
  const file = join(folder.path, 'config.json');
  await writeFile(file, JSON.stringify({ mcpServers: servers }));
  return file;
}
