import type { ClientView } from './client.ts';

/** A name people recognise for what a client calls itself. */
export function clientTitle(client: Pick<ClientView, 'name' | 'title'>): string {
  if (client.title !== undefined && client.title !== '') return client.title;
  return knownNames[client.name] ?? (client.name === '' ? 'Not introduced yet' : client.name);
}

const knownNames: Readonly<Record<string, string>> = {
  'claude-ai': 'Claude Desktop',
  'claude-code': 'Claude Code',
  'cursor-vscode': 'Cursor',
  'codex-mcp-client': 'Codex',
  // As entries that Patchbay writes call their client.
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
