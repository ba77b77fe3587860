import type { ClientView } from './client.ts';

/** Returns a recognisable name for the name a client reports. */
export function clientTitle(client: Pick<ClientView, 'name' | 'title'>): string {
  if (client.title !== undefined && client.title !== '') return client.title;
  return knownNames[client.name] ?? (client.name === '' ? 'Not identified yet' : client.name);
}

/** Titles by the name that a client reports, and by its id in the client table, which our entries pass on. */
const knownNames: Readonly<Record<string, string>> = {
  'claude-ai': 'Claude Desktop',
  'cursor-vscode': 'Cursor',
  'windsurf-client': 'Windsurf',
  'codex-mcp-client': 'Codex',
  'gemini-cli-mcp-client': 'Gemini CLI',
  'continue-client': 'Continue',
  'continue-cli-client': 'Continue',
  'github-copilot-developer': 'Copilot CLI',
  'Kiro CLI': 'Kiro',
  'Q-DEV-CLI': 'Amazon Q',
  'q-cli': 'Amazon Q',
  'qwen-cli-mcp-client-patchbay': 'Qwen Code',
  'qwen-cli-mcp-client': 'Qwen Code',
  'amp-mcp-client': 'Amp',
  'claude-desktop': 'Claude Desktop',
  'claude-code': 'Claude Code',
  cursor: 'Cursor',
  vscode: 'VS Code',
  'vscode-insiders': 'VS Code Insiders',
  'vscode-workspace': 'VS Code, one workspace',
  windsurf: 'Windsurf',
  zed: 'Zed',
  cline: 'Cline',
  roo: 'Roo Code',
  codex: 'Codex',
  'gemini-cli': 'Gemini CLI',
  goose: 'Goose',
  'lm-studio': 'LM Studio',
  continue: 'Continue',
  junie: 'JetBrains Junie',
  'copilot-cli': 'Copilot CLI',
  opencode: 'opencode',
  kiro: 'Kiro',
  'amazon-q': 'Amazon Q',
  'qwen-code': 'Qwen Code',
  amp: 'Amp',
  warp: 'Warp',
  'cherry-studio': 'Cherry Studio',
};
