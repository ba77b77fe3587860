/**
 * `npm run screenshots`: runs the packaged app with a handful of real servers and saves each screen in light
 * and dark to .cache/screenshots/, and those that a page shows to docs/screenshots/. On Linux with its own
 * display. `npm run screenshots -- problem log`: only these.
 */
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client as StatelessClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { _electron as electron } from 'playwright-core';
import { pack } from './pack.mjs';
import { root } from './root.mjs';

const target = path.join(root, '.cache', 'screenshots');
const shownFolder = path.join(root, 'docs', 'screenshots');
/** Pictures that the README or a page of the docs shows. */
const shownOnPages = [
  'servers-light',
  'protocol-server-light',
  'protocol-client-light',
  'protocol-activity-light',
];
const unpacked = path.join(root, 'release', 'unpacked', 'linux-unpacked');
const port = 7439;
const size = { width: 1280, height: 800 };
const servers = (home) => ({
  files: { command: 'mcp-server-filesystem', args: ['.'] },
  memory: { command: 'mcp-server-memory' },
  thinking: { command: 'mcp-server-sequential-thinking' },
  everything: { command: 'mcp-server-everything' },
  tickets: { command: 'tickets-mcp', args: ['--project', 'atlas'] },
  // Through a shell, as npx does it: a process and a child process for each client.
  browser: {
    command: 'sh',
    args: ['-c', 'mcp-server-memory; exit'],
    patchbay: { isolation: 'per-client' },
  },
  notes: { command: 'node', args: [path.join(home, 'bin', 'mcp-server-memory')] },
  sketches: { command: 'sketches-mcp' },
  calendar: { command: 'mcp-server-memory', disabled: true },
});

/** Screens: how to open each from a fresh window, and how to leave it if Escape is not enough. */
const screens = {
  servers: async () => {},
  server: async (window) => {
    await window.getByRole('button', { name: 'files', exact: true }).click();
    await window.getByRole('tab', { name: /^Tools/ }).click();
  },
  problem: (window) => window.getByRole('button', { name: 'tickets', exact: true }).click(),
  log: async (window) => {
    await window.getByRole('button', { name: 'everything', exact: true }).click();
    await window.getByRole('tab', { name: /^Log/ }).click();
  },
  config: async (window) => {
    await window.getByRole('button', { name: 'files', exact: true }).click();
    await window.getByRole('tab', { name: /^Config/ }).click();
  },
  add: (window) => window.getByRole('button', { name: 'Add server' }).first().click(),
  tools: (window) => window.keyboard.press('Control+2'),
  search: async (window) => {
    await openPage(window, 'Control+2', 'By server');
    const field = window.getByLabel('Search name, description or server');
    await field.fill('creat fil');
    await window.getByText(/\d match/).waitFor();
    return () => field.fill('');
  },
  skills: async (window) => {
    await openPage(window, 'Control+2', 'By skill');
    await window.getByRole('list', { name: 'Tools of this skill' }).waitFor();
    return () => openPage(window, 'Control+2', 'By server');
  },
  activity: (window) => window.keyboard.press('Control+3'),
  'protocol-server': async (window) => {
    await openServer(window, 'sketches');
    await window.getByText(/stateless because/).waitFor();
  },
  'protocol-client': async (window) => {
    await openPage(window, 'Control+4', 'Clients');
    await window
      .getByText(/stateless because/)
      .first()
      .waitFor();
  },
  'protocol-activity': async (window, [, , client]) => {
    await client.callTool({ name: 'memory__read_graph', arguments: {} });
    await openPage(window, 'Control+3', 'Calls');
    await window.getByText('read_graph').first().click();
    await window
      .getByText(/stateless because/)
      .first()
      .waitFor();
  },
  audit: async (window) => {
    await openPage(window, 'Control+3', 'Audit');
    await window.locator('[data-row="0"]').click();
  },
  metrics: async (window) => {
    await openPage(window, 'Control+3', 'Metrics');
    await window.getByText('Show as table').waitFor();
  },
  limits: async (window) => {
    await openPage(window, 'Control+5', 'Limits');
    return () => openPage(window, 'Control+5', 'General');
  },
  clients: (window) => window.keyboard.press('Control+4'),
  'client-compact': async (window) => {
    await openCompact(window);
    await window.getByText('To find and read one tool').waitFor();
  },
  'client-compact-on': async (window, [, client]) => {
    const of = { of: 'client', name: 'cursor-vscode' };
    await setCompact(window, { ...of, compact: { direct: 5, pinned: ['files:read_text_file'] } });
    await client.listTools();
    await openCompact(window);
    await window.getByText('To find and read one tool').waitFor();
    return async () => {
      await setCompact(window, { ...of, compact: 'inherit' });
      await client.listTools();
    };
  },
  'profile-compact': async (window) => {
    await makeProfile(window, 'Notes', ['memory', 'notes']);
    await openPage(window, 'Control+4', 'Profiles');
    await window.getByRole('switch', { name: 'Compact mode for clients with this profile' }).click();
    await window.getByText('Pinned tools').waitFor();
    await window.mouse.move(0, 0);
    return () => openPage(window, 'Control+4', 'Clients');
  },
  access: async (window) => {
    const asked = await grant(window, 'cursor-vscode', 'ask', { kind: 'risk', risk: 'high' });
    const denied = await grant(window, 'cursor-vscode', 'deny', {
      kind: 'pattern',
      pattern: '*:*directory*',
    });
    await openPage(window, 'Control+4', 'Access');
    await window.getByRole('button', { name: /^Cursor, files: .*ask first/ }).waitFor();
    return async () => {
      await revoke(window, [asked, denied]);
      await openPage(window, 'Control+4', 'Clients');
    };
  },
  approvals: async (window, [client]) => {
    await grant(window, 'claude-ai', 'ask', { kind: 'server', serverKey: 'memory' });
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['likes engines'] }];
    void client.callTool({ name: 'memory__create_entities', arguments: { entities } }).catch(() => undefined);
    await window.getByRole('region', { name: 'Calls that need approval' }).waitFor();
    return async () => {
      await window.getByRole('button', { name: 'Deny' }).click();
      await window.getByRole('button', { name: 'Close this message' }).click();
    };
  },
  settings: (window) => window.keyboard.press('Control+5'),
  palette: (window) => window.keyboard.press('Control+k'),
  processes: async (window, clients) => {
    for (const client of clients) await client.callTool({ name: 'browser__read_graph', arguments: {} });
    await showSection(window, 'browser', 'Processes');
    await window
      .getByRole('button', { name: /^Child processes of/ })
      .first()
      .click();
    await sleep(2_500);
  },
  program: async (window) => {
    await openServer(window, 'notes');
    await window.getByRole('button', { name: 'Which version runs?' }).click();
    const panel = window.getByRole('region', { name: 'Which version runs', exact: true });
    await panel.getByRole('button', { name: 'Reload' }).waitFor();
    await panel.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  },
  trial: async (window) => {
    await editCommand(window, 'memory', 'mcp-server-everything');
    await window.getByRole('button', { name: 'Try it' }).click();
    await window.getByText('It works.').waitFor();
    await window.mouse.move(0, 0);
    return () => window.getByRole('button', { name: 'Revert' }).click();
  },
  difference: async (window) => {
    await editCommand(window, 'memory', 'mcp-server-everything');
    await window.getByRole('button', { name: 'Save', exact: true }).click();
    await window.getByText(/^New config in use/).waitFor();
    await window.getByRole('tab', { name: 'Overview' }).click();
  },
  asleep: async (window) => {
    await openServer(window, 'thinking');
    await window.getByRole('button', { name: 'Actions for thinking' }).last().click();
    await window.getByRole('menuitem', { name: 'Sleep now' }).click();
    await window.getByText(/^Asleep, .+ saved$/).waitFor();
  },
  quit: async (window, [client]) => {
    const operation = { name: 'everything__trigger-long-running-operation', arguments: { duration: 15 } };
    void client.callTool(operation).catch(() => undefined);
    await sleep(1_500);
    await window.keyboard.press('Control+k');
    await window.getByPlaceholder('Search commands, servers and tools').fill('quit');
    await window.getByText('Quit Patchbay').click();
    await window.getByRole('dialog', { name: 'Quit Patchbay?' }).waitFor();
  },
  health: async (window) => {
    // A span of the history takes half a minute.
    await sleep(healthy);
    await showSection(window, 'everything', 'Health');
  },
};

/** Milliseconds until there is a history worth showing. */
const healthy = 100_000;

async function openPage(window, shortcut, title) {
  await window.keyboard.press(shortcut);
  await window.locator('label', { hasText: new RegExp(`^${title}$`) }).click();
}

async function openCompact(window) {
  await openPage(window, 'Control+4', 'Clients');
  await window.getByRole('button', { name: 'Tools Cursor sees' }).click();
  await window.getByRole('tab', { name: 'Compact mode' }).click();
}

function setCompact(window, wish) {
  return window.evaluate((input) => globalThis.patchbay.call('profile.setCompact', input), wish);
}

function makeProfile(window, name, keys) {
  const servers = Object.fromEntries(keys.map((key) => [key, 'all']));
  return window.evaluate(
    async (input) => {
      await globalThis.patchbay.call('profile.create', { name: input.name });
      await globalThis.patchbay.call('profile.select', input);
    },
    { name, servers },
  );
}

/** Creates a rule for a client; returns its id. */
function grant(window, name, effect, scope) {
  return window.evaluate(
    async ([who, what, about]) => {
      const { value } = await globalThis.patchbay.call('access.get');
      const { id } = value.identities.find((identity) => identity.name === who);
      const made = await globalThis.patchbay.call('access.grant', {
        identityId: id,
        effect: what,
        scope: about,
      });
      return made.value.id;
    },
    [name, effect, scope],
  );
}

function revoke(window, ids) {
  return window.evaluate(async (grants) => {
    for (const grantId of grants) await globalThis.patchbay.call('access.revokeGrant', { grantId });
  }, ids);
}

async function openServer(window, key) {
  await window.getByRole('button', { name: key, exact: true }).click();
  await window.getByRole('tab', { name: 'Overview' }).click();
}

async function showSection(window, key, title) {
  await openServer(window, key);
  const section = window.getByRole('region', { name: title, exact: true });
  await section.waitFor();
  await section.evaluate((element) => element.scrollIntoView({ block: 'center' }));
}

async function editCommand(window, key, command) {
  await openServer(window, key);
  await window.getByRole('tab', { name: /^Config/ }).click();
  await window.getByLabel('Command', { exact: true }).fill(command);
}

if (process.platform === 'linux' && process.env.DISPLAY === undefined) {
  const again = ['-a', '-s', '-screen 0 1440x900x24 -noreset', process.execPath, ...process.argv.slice(1)];
  process.exit(spawnSync('xvfb-run', again, { stdio: 'inherit' }).status ?? 1);
}
const chosen = process.argv.slice(2);
const unknown = chosen.find((name) => !Object.hasOwn(screens, name));
if (unknown !== undefined) throw new Error(`Unknown screen "${unknown}".`);
await pack();
await mkdir(target, { recursive: true });
await mkdir(shownFolder, { recursive: true });
const home = await mkdtemp(path.join(tmpdir(), 'demo-'));
try {
  await furnish(home);
  for (const theme of ['light', 'dark']) await photograph(theme);
} finally {
  await rm(home, { recursive: true, force: true });
}

/**
 * Creates a home folder with the servers' programs in its own `bin`, so that no picture shows this machine.
 */
async function furnish(folder) {
  await mkdir(path.join(folder, 'bin'));
  for (const name of ['filesystem', 'memory', 'sequential-thinking', 'everything']) {
    const program = `mcp-server-${name}`;
    await symlink(path.join(root, 'node_modules', '.bin', program), path.join(folder, 'bin', program));
  }
  const stateless = path.join(root, 'tests', 'fixture', 'modern.mjs');
  const started = `#!/bin/sh\nexec node "${stateless}" "$@"\n`;
  await writeFile(path.join(folder, 'bin', 'sketches-mcp'), started, { mode: 0o755 });
  await mkdir(nvmFolder(folder), { recursive: true });
  const node = `#!/bin/sh\n[ "$1" = --version ] && echo v22.11.0 && exit\nexec "${process.execPath}" "$@"\n`;
  await writeFile(path.join(nvmFolder(folder), 'node'), node, { mode: 0o755 });
  // The machine's shell profile would put its folders into PATH.
  const shell = `#!/bin/sh\nexport PATH="${pathOf(folder)}"\nwhile [ $# -gt 1 ]; do shift; done\nexec /bin/sh -c "$1"\n`;
  await writeFile(shellOf(folder), shell, { mode: 0o755 });
}

function shellOf(folder) {
  return path.join(folder, 'sh');
}

function pathOf(folder) {
  return [path.join(folder, 'bin'), nvmFolder(folder), '/usr/local/bin', '/usr/bin', '/bin'].join(':');
}

/** Folder where a version manager has its own Node. */
function nvmFolder(folder) {
  return path.join(folder, '.nvm', 'versions', 'node', 'v22.11.0', 'bin');
}

/** Uses a server regularly, so that its health has data. */
function keepUsing(client) {
  const call = { name: 'everything__echo', arguments: { message: 'hello' } };
  const timer = setInterval(() => void client.callTool(call).catch(() => undefined), 700);
  return () => clearInterval(timer);
}

async function photograph(theme) {
  const dataDir = path.join(home, '.patchbay');
  await mkdir(dataDir, { recursive: true });
  await writeFile(
    path.join(dataDir, 'mcp.json'),
    `${JSON.stringify({ mcpServers: servers(home) }, undefined, 2)}\n`,
  );
  await writeFile(path.join(dataDir, 'settings.json'), JSON.stringify({ version: 1, theme, port }));
  const app = await launch(dataDir);
  const window = await app.firstWindow();
  await app.evaluate(
    ({ BrowserWindow }, bounds) =>
      BrowserWindow.getAllWindows()[0]?.setContentSize(bounds.width, bounds.height),
    size,
  );
  await window.getByText('Connected', { exact: true }).nth(3).waitFor({ timeout: 30_000 });
  await window.getByText('Failed', { exact: true }).first().waitFor({ timeout: 30_000 });
  const clients = [
    await connect(dataDir, 'claude-ai'),
    await connect(dataDir, 'cursor-vscode'),
    await connectStateless(dataDir, 'claude-code'),
  ];
  const stopUsing = keepUsing(clients[1]);
  await sleep(3_000);
  const wanted = Object.entries(screens).filter(([name]) => chosen.length === 0 || chosen.includes(name));
  for (const [name, open] of wanted) {
    await window.keyboard.press('Escape');
    await window.keyboard.press('Control+1');
    await window.getByRole('heading', { name: 'Servers' }).waitFor();
    await window.keyboard.press('Escape');
    await sleep(300);
    const leave = await open(window, clients);
    await sleep(900);
    const picture = `${name}-${theme}`;
    const folder = shownOnPages.includes(picture) ? shownFolder : target;
    await window.screenshot({ path: path.join(folder, `${picture}.png`) });
    if (typeof leave === 'function') await leave();
  }
  stopUsing();
  await window.keyboard.press('Escape');
  for (const client of clients) await client.close();
  // Quitting does not ask about clients that are known to have disconnected; a stateless one never says so.
  await sleep(1_000);
  const closed = app.close();
  await window.getByRole('button', { name: 'Quit now' }).click({ timeout: 10_000 });
  await closed;
  await rm(dataDir, { recursive: true, force: true });
}

async function launch(dataDir, attempts = 3) {
  const args = [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--data-dir', dataDir];
  // Passes nothing else of this machine's environment, because pictures would show it.
  const { DISPLAY, XAUTHORITY, LANG = 'C.UTF-8' } = process.env;
  const env = {
    DISPLAY,
    LANG,
    ...(XAUTHORITY === undefined ? {} : { XAUTHORITY }),
    HOME: home,
    PATH: pathOf(home),
    SHELL: shellOf(home),
  };
  try {
    return await electron.launch({
      executablePath: path.join(unpacked, 'patchbay'),
      args,
      env,
      timeout: 20_000,
    });
  } catch (error) {
    if (attempts === 1) throw error;
    return launch(dataDir, attempts - 1);
  }
}

/** Over HTTP and without a session. */
async function connectStateless(dataDir, name) {
  const versionNegotiation = { mode: 'auto' };
  const client = new StatelessClient({ name, version: '2.1.332' }, { versionNegotiation });
  const token = await readFile(path.join(dataDir, 'token'), 'utf8');
  const requestInit = { headers: { authorization: `Bearer ${token.trim()}` } };
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  await client.listTools();
  return client;
}

async function connect(dataDir, name) {
  const client = new Client({ name, version: '1.0.0' });
  const command = path.join(unpacked, 'resources', 'bin', 'patchbay-bridge');
  await client.connect(
    new StdioClientTransport({ command, args: ['--data-dir', dataDir], env: {}, stderr: 'ignore' }),
  );
  await client.listTools();
  return client;
}
