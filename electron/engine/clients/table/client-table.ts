import type { ClientRow } from './client-row.ts';
import {
  cherry,
  cline,
  codex,
  copilot,
  gemini,
  goose,
  opencode,
  roo,
  standard,
  typed,
  windsurf,
  zed,
} from './entry-shape.ts';
import { everywhere, inAppData, inEditors, inHome, programNames } from './row-parts.ts';

const claudeFile = 'claude_desktop_config.json';
const clineFile = 'cline_mcp_settings.json';

const vsCode = {
  kind: 'editor',
  format: 'json',
  root: 'servers',
  shape: typed,
  canLocate: true,
  pickup: 'by-itself',
} as const;

const desktop = {
  kind: 'app',
  format: 'json',
  root: 'mcpServers',
  shape: standard,
  canLocate: true,
} as const;
const editor = { ...desktop, kind: 'editor' } as const;
const command = { ...desktop, kind: 'command' } as const;
const byHand = { ...desktop, canLocate: false, pickup: 'restart' } as const;

/** The clients that can be connected, in display order. */
export const clientTable: readonly ClientRow[] = [
  {
    ...desktop,
    id: 'claude-desktop',
    title: 'Claude Desktop',
    clientNames: ['claude-ai'],
    places: {
      ...inAppData('Claude', claudeFile),
      // The Store version of Claude Desktop sees a virtual AppData, the older one the real folder.
      win32: ({ appData, localAppData, join }) => [
        {
          file: join(localAppData, 'Packages', 'Claude_*', 'LocalCache', 'Roaming', 'Claude', claudeFile),
          sign: join(localAppData, 'Packages', 'Claude_*'),
        },
        { file: join(appData, 'Claude', claudeFile) },
      ],
    },
    // The program of Claude Code is named claude too.
    processes: {
      darwin: /\/Claude\.app\/Contents\/MacOS\/Claude$/,
      win32: /^(?=.*\\(?:AnthropicClaude|WindowsApps\\Claude_[^\\]*)\\).*\\claude\.exe$/is,
      linux: /\/claude-desktop$/,
    },
    overwrites: true,
    pickup: 'quit-and-restart',
    pickupText:
      'Now restart Claude Desktop: quit it completely, its tray or menu bar icon too, then start it again.',
    bundle: true,
    noHttp: 'Claude Desktop can only use HTTP endpoints on the internet; on this machine it starts programs.',
  },
  {
    ...command,
    id: 'claude-code',
    title: 'Claude Code',
    clientNames: ['claude-code'],
    shape: typed,
    places: everywhere(({ home, env, join }) => {
      const folder = env.CLAUDE_CONFIG_DIR;
      if (folder !== undefined && folder !== '') return [{ file: join(folder, '.claude.json') }];
      return [{ file: join(home, '.claude.json'), sign: join(home, '.claude') }];
    }),
    pickup: 'restart',
    pickupText: 'Now start a new session, or type /mcp in a running one.',
  },
  {
    ...editor,
    id: 'cursor',
    title: 'Cursor',
    clientNames: ['cursor-vscode'],
    places: inHome('.cursor', 'mcp.json'),
    processes: programNames('Cursor', 'Cursor', 'cursor'),
    pickup: 'reload',
    pickupText: 'Now restart Cursor, or turn on "patchbay" under Settings, MCP.',
  },
  {
    ...vsCode,
    id: 'vscode',
    title: 'VS Code',
    clientNames: ['Visual Studio Code'],
    places: inAppData('Code', 'User', 'mcp.json'),
    processes: programNames('Visual Studio Code', 'Code', 'code'),
    pickupText: 'VS Code picks it up automatically; start "patchbay" when it asks.',
  },
  {
    ...vsCode,
    id: 'vscode-insiders',
    title: 'VS Code Insiders',
    clientNames: ['Visual Studio Code - Insiders'],
    places: inAppData('Code - Insiders', 'User', 'mcp.json'),
    processes: programNames('Visual Studio Code - Insiders', 'Code - Insiders', 'code-insiders'),
    pickupText: 'VS Code picks it up automatically; start "patchbay" when it asks.',
  },
  {
    ...vsCode,
    id: 'vscode-workspace',
    title: 'VS Code, one workspace',
    clientNames: ['Visual Studio Code', 'Visual Studio Code - Insiders'],
    pickupText: 'VS Code picks it up automatically; start "patchbay" when it asks.',
  },
  {
    ...editor,
    id: 'windsurf',
    title: 'Windsurf',
    clientNames: ['windsurf-client', 'Windsurf'],
    shape: windsurf,
    places: everywhere(({ home, join }) => {
      const plugin = join(home, '.codeium', 'mcp_config.json');
      return [
        { file: join(home, '.codeium', 'windsurf', 'mcp_config.json') },
        { file: plugin, sign: plugin },
      ];
    }),
    processes: programNames('Windsurf', 'Windsurf', 'windsurf'),
    pickup: 'reload',
    pickupText: 'Now press Refresh in the MCP panel of Cascade.',
  },
  {
    ...editor,
    id: 'zed',
    title: 'Zed',
    clientNames: ['Zed'],
    root: 'context_servers',
    shape: zed,
    places: {
      ...everywhere(({ config, join }) => [{ file: join(config, 'zed', 'settings.json') }]),
      win32: ({ appData, join }) => [{ file: join(appData, 'Zed', 'settings.json') }],
    },
    pickup: 'by-itself',
    pickupText: 'Zed picks it up automatically.',
  },
  {
    ...editor,
    id: 'cline',
    title: 'Cline',
    clientNames: ['Cline'],
    shape: cline,
    places: everywhere((folders) => {
      const { home, join } = folders;
      const own = join(home, '.cline', 'mcp.json');
      return [
        { file: join(home, '.cline', 'data', 'settings', clineFile), sign: join(home, '.cline', 'data') },
        ...inEditors(folders, 'saoudrizwan.claude-dev', 'settings', clineFile),
        { file: own, sign: own },
      ];
    }),
    pickup: 'by-itself',
    pickupText: 'Cline picks it up automatically.',
  },
  {
    ...editor,
    id: 'roo',
    title: 'Roo Code',
    clientNames: ['Roo Code'],
    shape: roo,
    places: everywhere((folders) =>
      inEditors(folders, 'rooveterinaryinc.roo-cline', 'settings', 'mcp_settings.json'),
    ),
    pickup: 'by-itself',
    pickupText: 'Roo Code picks it up automatically.',
  },
  {
    ...command,
    id: 'codex',
    title: 'Codex',
    clientNames: ['codex-mcp-client'],
    format: 'toml',
    root: 'mcp_servers',
    shape: codex,
    places: everywhere(({ home, env, join }) => {
      const folder = env.CODEX_HOME;
      return [
        { file: join(folder === undefined || folder === '' ? join(home, '.codex') : folder, 'config.toml') },
      ];
    }),
    pickup: 'restart',
    pickupText: 'Now start a new Codex session.',
  },
  {
    ...command,
    id: 'gemini-cli',
    title: 'Gemini CLI',
    clientNames: ['gemini-cli-mcp-client'],
    shape: gemini,
    places: inHome('.gemini', 'settings.json'),
    pickup: 'reload',
    pickupText: 'Now type /mcp reload, or restart Gemini CLI.',
  },
  {
    ...command,
    id: 'goose',
    title: 'Goose',
    clientNames: ['goose'],
    format: 'yaml',
    root: 'extensions',
    shape: goose,
    places: {
      ...everywhere(({ config, join }) => [{ file: join(config, 'goose', 'config.yaml') }]),
      win32: ({ appData, join }) => [{ file: join(appData, 'Block', 'goose', 'config', 'config.yaml') }],
    },
    pickup: 'restart',
    pickupText: 'Now start a new Goose session.',
  },
  {
    ...desktop,
    id: 'lm-studio',
    title: 'LM Studio',
    clientNames: [],
    places: everywhere(({ home, join }) => [
      { file: join(home, '.lmstudio', 'mcp.json') },
      { file: join(home, '.cache', 'lm-studio', 'mcp.json') },
    ]),
    processes: programNames('LM Studio', 'LM Studio', 'lm-studio'),
    pickup: 'reload',
    pickupText: 'Now restart LM Studio, or turn on "patchbay" under Program.',
  },
  {
    ...editor,
    id: 'continue',
    title: 'Continue',
    clientNames: ['continue-client', 'continue-cli-client'],
    // Continue also reads files in the form of Claude Desktop, so Patchbay gets a file of its own.
    places: everywhere(({ home, join }) => [
      { file: join(home, '.continue', 'mcpServers', 'patchbay.json'), sign: join(home, '.continue') },
    ]),
    pickup: 'reload',
    pickupText: 'Now reload the editor window.',
  },
  {
    ...editor,
    id: 'junie',
    title: 'JetBrains Junie',
    clientNames: [],
    places: everywhere(({ home, join }) => [
      { file: join(home, '.junie', 'mcp', 'mcp.json'), sign: join(home, '.junie') },
    ]),
    pickup: 'restart',
    pickupText: 'Now restart the IDE, or press Apply under Settings, Tools, Junie, MCP.',
  },
  {
    ...command,
    id: 'copilot-cli',
    title: 'Copilot CLI',
    clientNames: ['github-copilot-developer'],
    shape: copilot,
    places: inHome('.copilot', 'mcp-config.json'),
    pickup: 'restart',
    pickupText: 'Now restart Copilot CLI.',
  },
  {
    ...command,
    id: 'opencode',
    title: 'opencode',
    clientNames: ['opencode'],
    root: 'mcp',
    innerRoot: 'servers',
    shape: opencode,
    // The same folder in the home folder on Windows; opencode reads both files if both exist.
    places: everywhere(({ config, join }) => {
      const withComments = join(config, 'opencode', 'opencode.jsonc');
      return [
        { file: join(config, 'opencode', 'opencode.json') },
        { file: withComments, sign: withComments },
      ];
    }),
    pickup: 'restart',
    pickupText: 'Now restart opencode.',
  },
  {
    ...editor,
    id: 'kiro',
    title: 'Kiro',
    clientNames: ['Kiro CLI'],
    places: everywhere(({ home, join }) => [
      { file: join(home, '.kiro', 'settings', 'mcp.json'), sign: join(home, '.kiro') },
    ]),
    processes: programNames('Kiro', 'Kiro', 'kiro'),
    pickup: 'by-itself',
    pickupText: 'Kiro picks it up automatically.',
  },
  {
    ...command,
    id: 'amazon-q',
    title: 'Amazon Q',
    clientNames: ['Q-DEV-CLI', 'q-cli'],
    // The command-line program reads the first, through its default agent; the editors read the second.
    places: everywhere(({ home, join }) => {
      const agent = join(home, '.aws', 'amazonq', 'agents', 'default.json');
      return [{ file: join(home, '.aws', 'amazonq', 'mcp.json') }, { file: agent, sign: agent }];
    }),
    pickup: 'restart',
    pickupText: 'Now start a new Amazon Q session.',
  },
  {
    ...command,
    id: 'qwen-code',
    title: 'Qwen Code',
    clientNames: ['qwen-cli-mcp-client-patchbay', 'qwen-cli-mcp-client', 'qwen-code'],
    shape: gemini,
    places: inHome('.qwen', 'settings.json'),
    pickup: 'restart',
    pickupText: 'Now restart Qwen Code.',
  },
  {
    ...command,
    id: 'amp',
    title: 'Amp',
    clientNames: ['amp-mcp-client'],
    root: 'amp.mcpServers',
    places: everywhere(({ config, join }) => [{ file: join(config, 'amp', 'settings.json') }]),
    pickup: 'restart',
    pickupText: 'Now start a new Amp thread.',
  },
  {
    ...desktop,
    id: 'warp',
    title: 'Warp',
    clientNames: ['warp'],
    places: everywhere(({ home, join }) => [{ file: join(home, '.warp', '.mcp.json') }]),
    processes: programNames('Warp', 'warp', 'warp'),
    pickup: 'reload',
    pickupText: 'Now turn on "patchbay" in Warp under Settings, Agents, MCP servers.',
  },
  {
    ...byHand,
    id: 'cherry-studio',
    title: 'Cherry Studio',
    clientNames: ['Cherry Studio'],
    shape: cherry,
    pickupText: 'Open Settings, MCP, Import from JSON, and paste the snippet there.',
  },
  {
    ...byHand,
    id: 'other',
    title: 'Another client',
    kind: 'other',
    clientNames: [],
    shape: typed,
    pickupText: 'Paste the snippet where the client lists its MCP servers, and restart the client.',
  },
];
