import type { RawMessage } from '../../jsonrpc/raw-message.ts';

/** Returns true for a message that only clients send: a server on a terminal echoes what it is sent. */
export function isEcho({ method }: RawMessage): boolean {
  return method !== undefined && ofClients.has(method);
}

const ofClients: ReadonlySet<string> = new Set([
  'initialize',
  'notifications/initialized',
  'tools/list',
  'tools/call',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'completion/complete',
  'logging/setLevel',
  'server/discover',
]);
