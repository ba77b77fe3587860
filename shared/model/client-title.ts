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
};
