import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { command, root } from '../bench/lib/places.mjs';
import { end, freePort, startNode } from '../bench/lib/process.mjs';
import { scratch } from '../bench/lib/scratch.mjs';
import { Session } from '../bench/lib/session.mjs';
import { until } from '../bench/lib/wait.mjs';
import { answers, openHttp } from '../bench/targets.mjs';

const packaged = (name) => join(root, 'node_modules', '@modelcontextprotocol', name, 'dist', 'index.js');
const node = (file) => ({ command: process.execPath, args: [file] });

/** The servers of a typical user: the reference server, and one that counts its calls. */
const typical = {
  everything: node(packaged('server-everything')),
  counter: node(join(root, 'tests', 'fixture', 'counts.mjs')),
};

/** Makes a home with nothing in it but a hub, which is started with `start` and from then on by whoever needs it. */
export async function openStage(servers = typical) {
  const folder = await scratch();
  const home = join(folder.path, 'home');
  const dataDir = join(home, '.patchbay');
  const project = join(home, 'project');
  await mkdir(project, { recursive: true });
  await mkdir(dataDir, { mode: 0o700 });
  const port = await freePort();
  await writeFile(join(dataDir, 'settings.json'), JSON.stringify({ version: 1, port }));
  const stage = new Stage({ folder, home, dataDir, project, port, servers });
  await stage.write(servers);
  return stage;
}

class Stage {
  home;
  project;
  env;
  #folder;
  #dataDir;
  #port;
  #servers;
  #hub;

  constructor({ folder, home, dataDir, project, port, servers }) {
    this.home = home;
    this.project = project;
    this.env = { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', TERM: 'xterm-256color' };
    this.#folder = folder;
    this.#dataDir = dataDir;
    this.#port = port;
    this.#servers = servers;
  }

  async start() {
    const options = { env: this.env, cwd: this.home, quiet: true };
    this.#hub = startNode(command('patchbay'), ['serve', '--data-dir', this.#dataDir], options);
    await answers(this.#port);
  }

  write(entries) {
    return writeFile(join(this.#dataDir, 'mcp.json'), JSON.stringify({ mcpServers: entries }, undefined, 2));
  }

  /** As a person switches it; resolves when the hub offers that many tools of it, or none. */
  async switch(key, isOn) {
    const servers = this.#servers;
    const entry = isOn ? servers[key] : { ...servers[key], disabled: true };
    await this.write({ ...servers, [key]: entry });
    await this.#until(`${key} ${isOn ? 'on' : 'off'}`, (names) =>
      names.some((name) => name.startsWith(`${key}__`)) === isOn ? names : undefined,
    );
  }

  /** The hub's address for clients that speak HTTP, with its token. */
  async endpoint() {
    const token = await readFile(join(this.#dataDir, 'token'), 'utf8');
    return { url: `http://127.0.0.1:${this.#port}/mcp`, token: token.trim() };
  }

  get bridge() {
    return { command: process.execPath, args: [command('patchbay-bridge'), '--data-dir', this.#dataDir] };
  }

  get aggregator() {
    const config = join(this.#dataDir, 'mcp.json');
    return { command: process.execPath, args: [command('mcp-simple-aggregator'), '--config', config] };
  }

  /** Resolves to the revision of MCP that the hub says it speaks with this client, by part of the client's name. */
  async protocol(name) {
    const { clients } = JSON.parse(await this.patchbay('status', '--json'));
    const found = clients.filter((client) => client.name.includes(name));
    return found.at(-1)?.protocolVersion;
  }

  /** The tools that the hub has now, once all servers are there. */
  tools() {
    return this.#until('all servers', (names) =>
      Object.keys(this.#servers).every((key) => names.some((name) => name.startsWith(`${key}__`)))
        ? names
        : undefined,
    );
  }

  /** Ends it at once, as a crash would; the next call finds none. */
  async killHub() {
    const status = JSON.parse(await this.patchbay('status', '--json'));
    process.kill(status.hub.pid, 'SIGKILL');
  }

  /** Runs `patchbay` to its end; resolves to what it said, rejects where its exit code is not 0. */
  async patchbay(...args) {
    const all = [command('patchbay'), ...args, '--data-dir', this.#dataDir];
    const { stdout } = await promisify(execFile)(process.execPath, all, { env: this.env, timeout: 60_000 });
    return stdout;
  }

  /** The programs that still run with this home. */
  async left() {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const found = await Promise.all(
      pids.map(async (pid) => {
        const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
        const line = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '');
        return environment.split('\0').includes(`HOME=${this.home}`)
          ? [line.replaceAll('\0', ' ').trim()]
          : [];
      }),
    );
    return found.flat().filter((line) => line !== '');
  }

  async close() {
    await this.patchbay('stop').catch(() => undefined);
    if (this.#hub !== undefined) await end(this.#hub);
  }

  async remove() {
    await this.#folder.remove();
  }

  async #until(what, judge) {
    return until(20_000, what, async () => judge(await this.#names()), 100);
  }

  async #names() {
    const client = await openHttp({ dir: this.#dataDir, port: this.#port });
    const session = new Session({ name: 'hub' }, { client, own: [] });
    await session.greet();
    const { tools } = await session.ask('tools/list', {});
    return tools.map(({ name }) => name);
  }
}
