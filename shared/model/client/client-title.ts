import type { ClientView } from './client.ts';

/** Returns a recognisable name for the name a client reports. */
export function clientTitle(client: Pick<ClientView, 'name' | 'title'>): string {
  if (client.title !== undefined && client.title !== '') return client.title;
  return knownNames[client.name] ?? (client.name === '' ? 'Not identified yet' : client.name);
}

const knownNames: Readonly<Record<string, string>> = {
  'claude-ai': 'Claude Desktop',
  'claude-code': 'Claude Code',
  'cursor-vscode': 'Cursor',
  'codex-mcp-client': 'Codex',
  // Client names used in entries that Patchbay writes.
  'claude-desktop': 'Claude Desktop',
  codex: 'Codex',
  cursor: 'Cursor',
  vscode: 'VS Code',
  'vscode-insiders': 'VS Code Insiders',
  'vscode-workspace': 'VS Code, one workspace',
  windsurf: 'Windsurf',
  zed: 'Zed',
  cline: 'Cline',
  roo: 'Roo Code',
  'gemini-cli': 'Gemini CLI',
  goose: 'Goose',
  'lm-studio': 'LM Studio',
  continue: 'Continue',
  junie: 'JetBrains Junie',
  'copilot-cli': 'Copilot CLI',
  'cherry-studio': 'Cherry Studio',
};
