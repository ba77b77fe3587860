// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../helper/eventually.ts';
import { freePort } from '../helper/free-port.ts';
import { fixture } from '../helper/programs.ts';
import { connectBridge, startApp, toolNames } from '../helper/running-app.ts';
import { tempDir } from '../helper/temp-dir.ts';

const canary = 'canary-6e1f0b-first-run';
const node = process.execPath;
const echo = fixture('echo');

/** A server that differs from others by its last argument. */
const server = (name: string, more: object = {}) =>
  JSON.stringify({ command: node, args: [echo, name], ...more });

/** Files of seven apps with comments, other settings, a secret in two of them, and servers that several have. */
const files = {
  'claude-desktop': [
    '.config/Claude/claude_desktop_config.json',
    `{"mcpServers":{"files":${server('files')},"github":${server('github', { env: { GITHUB_TOKEN: canary } })}},"theme":"dark"}`,
  ],
  'claude-code': [
    '.claude.json',
    `{\n  "numStartups": 3,\n  "mcpServers": { "files": ${server('files')} },\n  "projects": { "/srv/shop": { "mcpServers": { "shop": ${server('shop')} } } }\n}\n`,
  ],
  cursor: [
    '.cursor/mcp.json',
    `{\r\n\t// mine\r\n\t"mcpServers": {\r\n\t\t"gh": ${server('github', { env: { GITHUB_TOKEN: canary } })}, // one\r\n\t\t"notes": ${server('notes')}\r\n\t}\r\n}\r\n`,
  ],
  vscode: [
    '.config/Code/User/mcp.json',
    `{\n  // mine\n  "servers": { "notes": ${server('other notes')}, "maps": ${server('maps')} },\n  "inputs": [],\n}\n`,
  ],
  codex: [
    '.codex/config.toml',
    `# mine\nmodel = "o3" # why\n\n[mcp_servers.logs]\ncommand = "${node}"\nargs = ["${echo}", "logs"]\n\n[tui]\ntheme = "x"\n`,
  ],
  zed: [
    '.config/zed/settings.json',
    `// mine\n{\n  "context_servers": { "maps": ${server('maps')} },\n  "vim_mode": true\n}\n`,
  ],
  windsurf: ['.codeium/windsurf/mcp_config.json', `{ "mcpServers": { "mail": ${server('mail')} } }\n`],
} as const;

/** Servers of all apps by the names that they get, each once. */
const imported = ['files', 'github', 'shop', 'notes', 'notes-vscode', 'maps', 'logs', 'mail'];

async function madeUpPerson(folder: string) {
  const home = join(folder, 'home');
  const dir = join(home, '.patchbay');
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, 'settings.json'), JSON.stringify({ version: 1, port: await freePort() }));
  for (const [path, text] of Object.values(files)) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), text);
  }
  vi.stubEnv('HOME', home);
  vi.stubEnv('XDG_CONFIG_HOME', '');
  return { home, dir };
}

afterEach(() => vi.unstubAllEnvs());

describe.skipIf(process.platform !== 'linux')('the first run on a machine with seven apps', () => {
  it('[PB-CLIENT-1] [PB-CLIENT-2] [NFR-SEC1] one import takes all their servers over, every app starts Patchbay alone, one undo restores all bytes', async () => {
    await using folder = await tempDir();
    const { home, dir } = await madeUpPerson(folder.path);
    await using app = await startApp(dir);
    const { window } = app;
    await window.getByText('Found 11 servers in 7 apps').waitFor();
    await window.getByRole('button', { name: 'Review and import' }).press('Enter');
    const dialog = window.getByRole('dialog', { name: 'Import servers' });
    await dialog.getByText('11 servers in 7 apps, 8 of them different').waitFor();
    await dialog.getByText('8 selected · 1 secret will be stored encrypted').waitFor();
    expect(await dialog.textContent()).not.toContain(canary);
    await dialog.getByRole('button', { name: 'Import 8 servers' }).press('Enter');
    await dialog.getByText('Otherwise each would run twice.').waitFor();
    for (const [path, text] of Object.values(files))
      expect(await readFile(join(home, path), 'utf8')).toBe(text);
    await dialog.getByRole('button', { name: 'Replace in 7 apps' }).press('Enter');
    await dialog.getByText('Windsurf now uses Patchbay.').waitFor();

    for (const [path] of Object.values(files)) {
      const text = await readFile(join(home, path), 'utf8');
      expect(text).toContain('patchbay-bridge');
      expect(text).not.toContain(echo);
      expect(text).not.toContain(canary);
    }
    expect(await readFile(join(home, files.cursor[0]), 'utf8')).toContain('\t// mine\r\n');
    expect(await readFile(join(home, files.codex[0]), 'utf8')).toContain('model = "o3" # why');
    expect(await readFile(join(home, files.zed[0]), 'utf8')).toContain('"vim_mode": true');
    expect(JSON.parse(await readFile(join(home, files['claude-code'][0]), 'utf8'))).toMatchObject({
      numStartups: 3,
      projects: { '/srv/shop': { mcpServers: {} } },
    });
    const config = await readFile(join(dir, 'mcp.json'), 'utf8');
    expect(Object.keys(JSON.parse(config).mcpServers).sort()).toEqual([...imported].sort());
    expect(config).toContain('"GITHUB_TOKEN": "${secret:GITHUB_TOKEN}"');
    expect(config).not.toContain(canary);
    await using client = await connectBridge(dir);
    await eventually(async () => {
      const names = await toolNames(client);
      for (const key of imported) expect(names).toContain(`${key}__echo`);
    });

    await dialog.getByRole('button', { name: 'Undo' }).press('Enter');
    await window.getByText('The import was undone.').waitFor();
    for (const [path, text] of Object.values(files))
      expect(await readFile(join(home, path), 'utf8')).toBe(text);
    await window.getByText('Found 11 servers in 7 apps').waitFor();

    await window.getByRole('button', { name: 'Review and import' }).press('Enter');
    await dialog.getByRole('button', { name: 'Import 8 servers' }).press('Enter');
    await dialog.getByRole('checkbox', { name: 'Replace in Cursor' }).press('Space');
    await dialog.getByRole('button', { name: 'Replace in 6 apps' }).press('Enter');
    await dialog.getByText('The config files of Cursor still contain secrets in plain text.').waitFor();
  });
});
