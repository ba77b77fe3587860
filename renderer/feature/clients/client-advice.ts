import type { ClientView } from '../../../shared/model/client.ts';
import { clientTitle } from '../../lib/client-title.ts';

/** Explains why a client's tool list is outdated and how to update it. */
export function staleAdvice(client: Pick<ClientView, 'name' | 'title'>): string {
  if (client.name === 'claude-ai') {
    return 'Claude Desktop reads the tool list only when it starts. Restart Claude Desktop to see the new list.';
  }
  return `${clientTitle(client)} was notified of the change but has not fetched the new list. Reloading its MCP servers also works.`;
}

/** Returns whether the client reacts to list-changed notifications. */
export function canNotify({ name }: Pick<ClientView, 'name'>): boolean {
  return name !== 'claude-ai';
}

export const nameStyleLabels: Readonly<Record<ClientView['nameStyle'], string>> = {
  safe: 'server__tool',
  colon: 'server:tool',
  dot: 'server.tool',
  raw: 'tool (unchanged)',
};

export const transportLabels: Readonly<Record<ClientView['via'], string>> = {
  bridge: 'Bridge',
  http: 'HTTP',
  stdio: 'stdio',
};
