import { readFile } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chooseProfile } from '../../../../electron/engine/catalogue/client-facts.ts';
import { findFiles, locationsOf } from '../../../../electron/engine/clients/config-locations.ts';
import { clientTable } from '../../../../electron/engine/clients/table/client-table.ts';
import { clientTitle } from '../../../../shared/model/client/client-title.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

const row = (id: string) => {
  const found = clientTable.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no client ${id}`);
  return found;
};
const filesOf = (id: string, platform: NodeJS.Platform, env = {}) =>
  locationsOf(row(id), { platform, home: platform === 'win32' ? 'C:\\Users\\Ada' : '/home/ada', env }).map(
    ({ file }) => file,
  );

/** The locations of each client's files, on Linux, macOS and Windows. */
const expected: Readonly<Record<string, readonly [linux: string[], mac: string[], windows: string[]]>> = {
  'claude-desktop': [
    ['.config/Claude/claude_desktop_config.json'],
    ['Library/Application Support/Claude/claude_desktop_config.json'],
    [
      'AppData/Local/Packages/Claude_*/LocalCache/Roaming/Claude/claude_desktop_config.json',
      'AppData/Roaming/Claude/claude_desktop_config.json',
    ],
  ],
  'claude-code': same('.claude.json'),
  cursor: same('.cursor/mcp.json'),
  vscode: [
    ['.config/Code/User/mcp.json'],
    ['Library/Application Support/Code/User/mcp.json'],
    ['AppData/Roaming/Code/User/mcp.json'],
  ],
  'vscode-insiders': [
    ['.config/Code - Insiders/User/mcp.json'],
    ['Library/Application Support/Code - Insiders/User/mcp.json'],
    ['AppData/Roaming/Code - Insiders/User/mcp.json'],
  ],
  'vscode-workspace': [[], [], []],
  windsurf: same('.codeium/windsurf/mcp_config.json', '.codeium/mcp_config.json'),
  zed: [['.config/zed/settings.json'], ['.config/zed/settings.json'], ['AppData/Roaming/Zed/settings.json']],
  cline: [clineIn('.config'), clineIn('Library/Application Support'), clineIn('AppData/Roaming')],
  roo: [rooIn('.config'), rooIn('Library/Application Support'), rooIn('AppData/Roaming')],
  codex: same('.codex/config.toml'),
  'gemini-cli': same('.gemini/settings.json'),
  goose: [
    ['.config/goose/config.yaml'],
    ['.config/goose/config.yaml'],
    ['AppData/Roaming/Block/goose/config/config.yaml'],
  ],
  'lm-studio': same('.lmstudio/mcp.json', '.cache/lm-studio/mcp.json'),
  continue: same('.continue/mcpServers/patchbay.json'),
  junie: same('.junie/mcp/mcp.json'),
  'copilot-cli': same('.copilot/mcp-config.json'),
  opencode: same('.config/opencode/opencode.json', '.config/opencode/opencode.jsonc'),
  kiro: same('.kiro/settings/mcp.json'),
  'amazon-q': same('.aws/amazonq/mcp.json', '.aws/amazonq/agents/default.json'),
  'qwen-code': same('.qwen/settings.json'),
  amp: same('.config/amp/settings.json'),
  warp: same('.warp/.mcp.json'),
  'cherry-studio': [[], [], []],
  other: [[], [], []],
};

function same(...files: string[]): [string[], string[], string[]] {
  return [files, files, files];
}

function clineIn(folder: string): string[] {
  const name = 'cline_mcp_settings.json';
  const extension = `User/globalStorage/saoudrizwan.claude-dev/settings/${name}`;
  return [
    `.cline/data/settings/${name}`,
    `${folder}/Code/${extension}`,
    `${folder}/Code - Insiders/${extension}`,
    '.cline/mcp.json',
  ];
}

function rooIn(folder: string): string[] {
  const extension = 'User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json';
  return [`${folder}/Code/${extension}`, `${folder}/Code - Insiders/${extension}`];
}

describe('where the files of a client are', () => {
  it.each(clientTable.map(({ id }) => id))('[PB-CLIENT-1] %s, on every system', (id) => {
    const [linux = [], mac = [], windows = []] = expected[id] ?? [];
    expect(filesOf(id, 'linux')).toEqual(linux.map((file) => posix.join('/home/ada', file)));
    expect(filesOf(id, 'darwin')).toEqual(mac.map((file) => posix.join('/home/ada', file)));
    expect(filesOf(id, 'win32')).toEqual(windows.map((file) => win32.join('C:\\Users\\Ada', file)));
  });

  it('[PB-CLIENT-1] is documented on the page about apps', async () => {
    const page = await readFile(new URL('../../../../docs/apps.md', import.meta.url), 'utf8');
    for (const { id, title } of clientTable) {
      const [linux = []] = expected[id] ?? [];
      if (linux.length === 0 || id === 'roo') continue;
      expect(page).toMatch(new RegExp(`^\\| ${title} +\\|`, 'm'));
      if (id !== 'vscode-insiders') expect(page).toContain(`\`${linux[0]}`);
    }
  });

  it('[PB-CLIENT-1] follows the variables that move them', () => {
    expect(filesOf('zed', 'linux', { XDG_CONFIG_HOME: '/x' })).toEqual(['/x/zed/settings.json']);
    expect(filesOf('codex', 'darwin', { CODEX_HOME: '/c' })).toEqual(['/c/config.toml']);
    expect(filesOf('claude-code', 'linux', { CLAUDE_CONFIG_DIR: '/d' })).toEqual(['/d/.claude.json']);
    const moved = { APPDATA: 'D:\\R', LOCALAPPDATA: 'D:\\L' };
    expect(filesOf('claude-desktop', 'win32', moved)).toEqual([
      'D:\\L\\Packages\\Claude_*\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json',
      'D:\\R\\Claude\\claude_desktop_config.json',
    ]);
  });

  it('[PB-CLIENT-1] nobody is found in an empty home', async () => {
    await using home = await tempDir();
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      const machine = { platform, home: home.path, env: {}, path: posix };
      for (const client of clientTable) expect(await findFiles(client, machine)).toEqual([]);
    }
  });
});

describe('a row of the table', () => {
  it('[PB-NAMES-1] is known to the catalogue by the clientInfo.name of its client', () => {
    const unknown = chooseProfile({ clientName: 'nobody knows', programDefault: 'safe' });
    for (const { clientNames, id } of clientTable) {
      for (const clientName of clientNames) {
        const profile = chooseProfile({ clientName, programDefault: 'safe' });
        expect([id, profile.isStrict]).toEqual([id, !unknown.isStrict]);
      }
    }
  });

  it('[PB-CLIENT-1] has the title that people see in place of its id and of the names it reports', () => {
    const isShared = (name: string) => clientTable.filter((row) => row.clientNames.includes(name)).length > 1;
    for (const { id, title, clientNames } of clientTable.filter((row) => row.kind !== 'other')) {
      const names = [id, ...clientNames.filter((name) => !isShared(name))];
      for (const name of names) expect([name, clientTitle({ name })]).toEqual([name, title]);
    }
  });

  it('[PB-CLIENT-1] has an id of its own, and reads back the command that it writes', () => {
    expect(new Set(clientTable.map(({ id }) => id)).size).toBe(clientTable.length);
    const command = { command: '/bin/bridge', args: ['--client', 'x'], env: { A: 'b' } };
    for (const { shape } of clientTable) {
      const entry = shape.stdio(command);
      expect(shape.command(entry)).toEqual(command);
      const { env = {}, envs = env } = entry;
      for (const value of Object.values(envs as object)) expect(typeof value).toBe('string');
    }
  });
});
