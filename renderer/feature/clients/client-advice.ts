import type { ClientView } from '../../../shared/model/client.ts';
import { clientTitle } from '../../lib/client-title.ts';

/** Why a client's list is outdated, and what brings it up to date. */
export function staleAdvice(client: Pick<ClientView, 'name' | 'title'>): string {
  if (client.name === 'claude-ai') {
    return 'Claude Desktop reads the tool list only at its start. Restart Claude Desktop to see the new list.';
  }
  return `${clientTitle(client)} was notified of the change but has not fetched the new list. Reloading its MCP servers also works.`;
}

/** Whether it listens to being told. */
export function tellable({ name }: Pick<ClientView, 'name'>): boolean {
  return name !== 'claude-ai';
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
