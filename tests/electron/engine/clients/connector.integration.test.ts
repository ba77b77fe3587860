import { chmod, stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { startConnectHub, textOfFile } from '../../../helper/connect-hub.ts';
import { permissions } from '../../../helper/permissions.ts';
import { fixture, nodeEntry } from '../../../helper/programs.ts';

const servers = { echo: nodeEntry(fixture('echo')) };

/** A client's file before the edit: with comments, settings and a secret of another server. */
const texts = {
  json: '{\n  // mine\n  "theme": "dark",\n  "ROOT": {\n    "other": { "command": "x", "env": { "API_KEY": "sk-canary-7f3a9c2e" } }, // keep\n  },\n}\n',
  toml: '# mine\nmodel = "o3"\n\n[ROOT.other]\ncommand = "x" # keep\nenv = { API_KEY = "sk-canary-7f3a9c2e" }\n',
  yaml: '# mine\nGOOSE_PROVIDER: x\nROOT:\n  other:\n    cmd: x # keep\n    envs:\n      API_KEY: sk-canary-7f3a9c2e\n',
};

type Row = readonly [id: string, platform: NodeJS.Platform, file: string, text: string];
const json = (id: string, platform: NodeJS.Platform, file: string, root = 'mcpServers'): Row => [
  id,
  platform,
  file,
  texts.json.replace('ROOT', root),
];
const onAll = (id: string, file: string, root?: string): readonly Row[] =>
  (['linux', 'darwin', 'win32'] as const).map((platform) => json(id, platform, file, root));

const store = 'AppData/Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude';
const support = 'Library/Application Support';
const rows: readonly Row[] = [
  json('claude-desktop', 'linux', '.config/Claude/claude_desktop_config.json'),
  json('claude-desktop', 'darwin', `${support}/Claude/claude_desktop_config.json`),
  json('claude-desktop', 'win32', 'AppData/Roaming/Claude/claude_desktop_config.json'),
  json('claude-desktop', 'win32', `${store}/claude_desktop_config.json`),
  ...onAll('claude-code', '.claude.json'),
  ...onAll('cursor', '.cursor/mcp.json'),
  json('vscode', 'linux', '.config/Code/User/mcp.json', 'servers'),
  json('vscode', 'darwin', `${support}/Code/User/mcp.json`, 'servers'),
  json('vscode', 'win32', 'AppData/Roaming/Code/User/mcp.json', 'servers'),
  json('vscode-insiders', 'linux', '.config/Code - Insiders/User/mcp.json', 'servers'),
  json('vscode-insiders', 'darwin', `${support}/Code - Insiders/User/mcp.json`, 'servers'),
  json('vscode-insiders', 'win32', 'AppData/Roaming/Code - Insiders/User/mcp.json', 'servers'),
  ...onAll('windsurf', '.codeium/windsurf/mcp_config.json'),
  json('zed', 'linux', '.config/zed/settings.json', 'context_servers'),
  json('zed', 'darwin', '.config/zed/settings.json', 'context_servers'),
  json('zed', 'win32', 'AppData/Roaming/Zed/settings.json', 'context_servers'),
  ...onAll('cline', '.cline/data/settings/cline_mcp_settings.json'),
  json(
    'cline',
    'linux',
    '.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
  ),
  json(
    'roo',
    'darwin',
    `${support}/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json`,
  ),
  json(
    'roo',
    'win32',
    'AppData/Roaming/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json',
  ),
  json(
    'roo',
    'linux',
    '.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json',
  ),
  ...(['linux', 'darwin', 'win32'] as const).map(
    (platform): Row => ['codex', platform, '.codex/config.toml', texts.toml.replace('ROOT', 'mcp_servers')],
  ),
  ...onAll('gemini-cli', '.gemini/settings.json'),
  ['goose', 'linux', '.config/goose/config.yaml', texts.yaml.replace('ROOT', 'extensions')],
  ['goose', 'darwin', '.config/goose/config.yaml', texts.yaml.replace('ROOT', 'extensions')],
  [
    'goose',
    'win32',
    'AppData/Roaming/Block/goose/config/config.yaml',
    texts.yaml.replace('ROOT', 'extensions'),
  ],
  ...onAll('lm-studio', '.lmstudio/mcp.json'),
  ...onAll('continue', '.continue/mcpServers/patchbay.json'),
  ...onAll('junie', '.junie/mcp/mcp.json'),
  ...onAll('copilot-cli', '.copilot/mcp-config.json'),
];

/** The launcher of other systems is a shell script, which Windows cannot start. */
const startable = rows.filter(([, platform]) => process.platform !== 'win32' || platform === 'win32');

/** A secret that must not appear in a preview. */
const canary = 'canary-7f3a9c2e';

describe('a client of any system', () => {
  it.each(startable)(
    '[PB-CLIENT-1] %s on %s at %s: written, proved by starting what was written, undone to the byte',
    async (id, platform, path, text) => {
      await using hub = await startConnectHub({ platform, servers });
      const file = await hub.put(path, text);
      await chmod(file, 0o640);
      expect((await hub.client(id)).status).toBe('found');

      const preview = await hub.engine.run('connect.preview', { id });
      expect(preview.files).toMatchObject([{ kind: 'change', file }]);
      expect(JSON.stringify(preview)).not.toContain(canary);
      expect(JSON.stringify(preview.files)).toContain('patchbay-bridge');
      expect(await textOfFile(file)).toBe(text);

      expect(
        (await hub.engine.run('connect.apply', { id, previewId: preview.previewId })).files,
      ).toMatchObject([{ kind: 'written', file }]);
      expect((await stat(file)).mode & 0o777).toBe(permissions(0o640));
      expect(await textOfFile(file)).toContain('// keep'.replace('//', text.includes('//') ? '//' : '#'));
      expect(await hub.client(id)).toMatchObject({ status: 'connected', canUndo: true });

      const proof = await hub.engine.run('connect.prove', { id });
      expect(proof.problem).toBeUndefined();
      expect(proof).toMatchObject({ ok: true, file, tools: 2 });
      expect(proof.steps.map(({ step, ok }) => [step, ok])).toEqual(
        ['read', 'start', 'handshake', 'list', 'names', 'call', 'end'].map((step) => [step, true]),
      );
      expect((await hub.client(id)).proof).toMatchObject({ ok: true, tools: 2 });

      expect((await hub.engine.run('connect.undo', { id })).files).toEqual([{ kind: 'restored', file }]);
      expect(await textOfFile(file)).toBe(text);
      expect((await hub.client(id)).status).toBe('found');
    },
  );
});
