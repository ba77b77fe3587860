import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { IpcAnswer, IpcCallName, IpcInput, IpcOutput } from '../../shared/ipc/contract.ts';
import { startClaudeDesktop } from '../helper/claude-desktop.ts';
import { eventually } from '../helper/eventually.ts';
import { freePort } from '../helper/free-port.ts';
import { fixture, nodeEntry } from '../helper/programs.ts';
import { startApp, useApp } from '../helper/running-app.ts';
import { tempDir } from '../helper/temp-dir.ts';

const canary = 'canary-7f3a9c2e';

const json = (root = 'mcpServers', eol = '\n') =>
  ['{', '\t// mine', `\t"${root}": { "other": { "command": "${canary}" } },`, '\t"z": 1', '}', ''].join(eol);

/** Files as the clients of this system have them, in every format, with comments and somebody else's secret. */
const files = {
  'claude-desktop': [
    '.config/Claude/claude_desktop_config.json',
    `{"mcpServers":{"other":{"command":"x","env":{"K":"${canary}"}}},"theme":"dark"}`,
  ],
  'claude-code': ['.claude.json', json()],
  cursor: ['.cursor/mcp.json', json('mcpServers', '\r\n')],
  vscode: ['.config/Code/User/mcp.json', `{\n\t// mine\n\t"servers": {},\n\t"inputs": ["${canary}"],\n}\n`],
  'vscode-insiders': ['.config/Code - Insiders/User/mcp.json', json('servers')],
  windsurf: ['.codeium/windsurf/mcp_config.json', json()],
  zed: ['.config/zed/settings.json', json('context_servers')],
  cline: ['.cline/data/settings/cline_mcp_settings.json', json()],
  roo: [
    '.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json',
    `\uFEFF${json()}`,
  ],
  codex: ['.codex/config.toml', `# mine\nmodel = "o3" # why\n\n[mcp_servers.other]\ncommand = "${canary}"\n`],
  'gemini-cli': ['.gemini/settings.json', json()],
  goose: ['.config/goose/config.yaml', `# mine\nextensions:\n  other:\n    cmd: ${canary} # why\n`],
  'lm-studio': ['.lmstudio/mcp.json', json()],
  continue: ['.continue/mcpServers/patchbay.json', json()],
  junie: ['.junie/mcp/mcp.json', '{}'],
  'copilot-cli': ['.copilot/mcp-config.json', ''],
  opencode: ['.config/opencode/opencode.json', json('mcp')],
  kiro: ['.kiro/settings/mcp.json', json()],
  'amazon-q': ['.aws/amazonq/mcp.json', json()],
  'qwen-code': ['.qwen/settings.json', json()],
  amp: ['.config/amp/settings.json', json('amp.mcpServers')],
  warp: ['.warp/.mcp.json', json()],
} as const;

function placesOf(folder: string) {
  const home = join(folder, 'home');
  return { home, dir: join(home, '.patchbay') };
}

/** A home and a data folder with one server; the app takes them for the person's own. */
async function madeUpPerson(folder: string): Promise<{ readonly home: string; readonly dir: string }> {
  const { home, dir } = placesOf(folder);
  await mkdir(dir, { recursive: true });
  await writeFile(
    join(dir, 'mcp.json'),
    JSON.stringify({ mcpServers: { echo: nodeEntry(fixture('echo')) } }),
  );
  await writeFile(join(dir, 'settings.json'), JSON.stringify({ version: 1, port: await freePort() }));
  for (const [path, text] of Object.values(files)) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), text);
  }
  vi.stubEnv('HOME', home);
  vi.stubEnv('XDG_CONFIG_HOME', '');
  return { home, dir };
}

/** A call as the window makes it. */
async function call<N extends IpcCallName>(window: Page, name: N, input: IpcInput<N>): Promise<IpcOutput<N>> {
  const script = `window.patchbay.call(${JSON.stringify(name)}, ${JSON.stringify(input) ?? 'undefined'})`;
  const answer: IpcAnswer<N> = await window.evaluate(script);
  if (!answer.ok) throw new Error(JSON.stringify(answer.problem));
  return answer.value;
}

const statusOf = async (window: Page, id: string) => {
  const { clients } = await call(window, 'connect.list', undefined);
  return clients.find((client) => client.id === id)?.status;
};

async function connect(window: Page, id: string): Promise<void> {
  const preview = await call(window, 'connect.preview', { id });
  expect(JSON.stringify(preview)).not.toContain(canary);
  const { previewId } = preview;
  const applied = await call(window, 'connect.apply', { id, previewId });
  expect(applied.files.map(({ kind }) => kind)).toEqual(['written']);
}

afterEach(() => vi.unstubAllEnvs());

describe.skipIf(process.platform !== 'linux')('connecting clients in the packaged app', () => {
  const person = useApp(async (folder) => startApp((await madeUpPerson(folder)).dir));

  it('[PB-CLIENT-1] [PB-BRIDGE-1] [PB-NAMES-1] each format is written, proved by starting it, undone to the byte', async () => {
    const { window, folder } = person();
    const { home, dir } = placesOf(folder);
    for (const [id, [path, text]] of Object.entries(files)) {
      const file = join(home, path);
      await eventually(async () => expect(await statusOf(window, id)).toBe('found'));
      await connect(window, id);
      const proof = await call(window, 'connect.prove', { id });
      expect(proof).toMatchObject({ ok: true, tools: 2, called: 'echo__echo' });
      expect(proof.command).toContain(join(dir, 'bin', 'patchbay-bridge'));
      expect(await statusOf(window, id)).toBe('connected');
      const undone = await call(window, 'connect.undo', { id });
      expect(undone.files).toEqual([{ kind: 'restored', file }]);
      expect(await readFile(file, 'utf8')).toBe(text);
    }
  });

  it('[PB-CLIENT-1] [PB-A11Y-1] in the window: the difference, the proof, and back to the byte', async () => {
    const { window, folder } = person();
    const { home } = placesOf(folder);
    const [path, text] = files.vscode;
    await window
      .getByRole('navigation')
      .getByRole('button', { name: /^Clients/ })
      .click();
    await window.getByRole('button', { name: 'Connect VS Code', exact: true }).press('Enter');
    const dialog = window.getByRole('dialog', { name: 'Connect VS Code', exact: true });
    await dialog.getByText('is the only file changed').waitFor();
    expect(await dialog.textContent()).not.toContain(canary);
    await dialog.getByRole('button', { name: 'Connect and test' }).press('Enter');
    await dialog.getByText('Connected.').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).press('Enter');
    await window.getByRole('button', { name: 'More for VS Code', exact: true }).press('Enter');
    await window.getByRole('menuitem', { name: 'Disconnect…' }).press('Enter');
    await window.getByRole('button', { name: 'Disconnect', exact: true }).press('Enter');
    await eventually(async () => expect(await readFile(join(home, path), 'utf8')).toBe(text));
  });

  it('[PB-CLIENT-1] brings the bundle for Claude Desktop along', async () => {
    const { clients } = await call(person().window, 'connect.list', undefined);
    expect(clients.find(({ id }) => id === 'claude-desktop')).toMatchObject({ bundle: true });
  });
});

/** Needs the display, the keyring and the message bus of the tests, which are Linux's. */
describe.skipIf(process.platform !== 'linux')('clients of the packaged app in trouble', () => {
  it('[PB-CLIENT-1] what cannot be read or written is left alone, with the reason', async () => {
    await using folder = await tempDir();
    const { home, dir } = await madeUpPerson(folder.path);
    const spoiled = {
      cursor: '{ "mcpServers": { oops',
      codex: '[mcp_servers\n',
      goose: 'extensions: [1]\n',
      vscode: '{"servers": {}, "servers": {}}',
    } as const;
    const fileOf = (id: keyof typeof files) => join(home, files[id][0]);
    for (const [id, text] of Object.entries(spoiled))
      await writeFile(fileOf(id as keyof typeof spoiled), text);
    await chmod(fileOf('zed'), 0o444);
    const before = new Map<string, string>();
    const all = [...Object.keys(spoiled), 'zed'] as (keyof typeof files)[];
    for (const id of all) before.set(id, await readFile(fileOf(id), 'utf8'));
    await using app = await startApp(dir);
    for (const id of all) {
      const preview = await call(app.window, 'connect.preview', { id });
      expect(preview.files).toMatchObject([{ kind: 'refused', problem: { code: 'client.config_unusable' } }]);
      const { previewId } = preview;
      await expect(call(app.window, 'connect.apply', { id, previewId })).rejects.toThrow('config_unusable');
      expect(await readFile(fileOf(id), 'utf8')).toBe(before.get(id));
    }
    await app.window.keyboard.press('Control+4');
    await app.window.getByRole('button', { name: 'Connect Cursor' }).click();
    const dialog = app.window.getByRole('dialog', { name: 'Connect Cursor' });
    await dialog.getByText('client.config_unusable').waitFor();
  });

  it('[PB-CLIENT-1] [PB-BRIDGE-1] a wipe by the client is noticed and restored, and the client works', async () => {
    await using folder = await tempDir();
    const { home, dir } = await madeUpPerson(folder.path);
    await using app = await startApp(dir);
    const id = 'claude-desktop';
    const file = join(home, files[id][0]);
    {
      await using claude = startClaudeDesktop(file, home);
      await claude.saw('started');
      await connect(app.window, id);
      await claude.order({ do: 'setting', name: 'theme', value: 'light' }, 'saved');
      await eventually(async () => expect(await statusOf(app.window, id)).toBe('wiped'));
    }
    await connect(app.window, id);
    await using claude = startClaudeDesktop(file, home);
    await claude.saw('started');
    const { result } = await claude.order({ do: 'call', name: 'echo__echo', args: { text: 'hi' } }, 'result');
    expect(result).toMatchObject({ content: [{ text: '{"text":"hi"}' }] });
  });
});
