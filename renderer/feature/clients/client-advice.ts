import type { ClientView } from '../../../shared/model/client.ts';

/** A name people recognise for what a client calls itself. */
export function clientTitle(client: Pick<ClientView, 'name' | 'title'>): string {
  if (client.title !== undefined && client.title !== '') return client.title;
  return knownNames[client.name] ?? (client.name === '' ? 'Not introduced yet' : client.name);
}

/** Why a client's list is outdated, and what brings it up to date. */
export function staleAdvice(client: Pick<ClientView, 'name' | 'title'>): string {
  if (client.name === 'claude-ai') {
    return 'Claude Desktop ignores list changes. Restart Claude Desktop to see the new list.';
  }
  return `${clientTitle(client)} was told about the change but has not asked for the new list. Reload its MCP servers or restart it.`;
}

export const styleWords: Readonly<Record<ClientView['nameStyle'], string>> = {
  safe: 'server__tool',
  colon: 'server:tool',
  dot: 'server.tool',
  raw: 'tool, as it is',
};

export const viaWords: Readonly<Record<ClientView['via'], string>> = {
  bridge: 'Bridge',
  http: 'HTTP',
  stdio: 'stdio',
};

const knownNames: Readonly<Record<string, string>> = {
  'claude-ai': 'Claude Desktop',
  'claude-code': 'Claude Code',
  'cursor-vscode': 'Cursor',
  'codex-mcp-client': 'Codex',
};
