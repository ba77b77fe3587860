import type { ClientView } from '../client/client.ts';
import type { ServerEra } from './server.ts';

/** How a program speaks, and a clause that says why. */
export interface ProtocolText {
  readonly protocol: string;
  readonly reason: string;
}

/** As in "2025-11-25, with sessions" and "it does not know server/discover". */
export function serverProtocol({ era, version, reason }: ServerEra): ProtocolText {
  return { protocol: `${version}, ${era === 'modern' ? 'stateless' : 'with sessions'}`, reason };
}

/** As in "2026-07-28, stateless" and "each request stands on its own". */
export function clientProtocol(era: ServerEra['era'], version: string): ProtocolText {
  return era === 'modern'
    ? { protocol: `${version}, stateless`, reason: 'each request stands on its own' }
    : { protocol: `${version}, with a session`, reason: 'it sent initialize' };
}

/** False for a stateless client over HTTP: its requests are all that is seen of it, and it never says goodbye. */
export function hasConnection({ via, era }: Pick<ClientView, 'via' | 'era'>): boolean {
  return via !== 'http' || era !== 'modern';
}

/** How a server speaks and why, as in "2025-11-25, with sessions because it does not know server/discover". */
export function serverProtocolText(era: ServerEra): string {
  return sentence(serverProtocol(era));
}

/** How a client speaks and why, as in "2026-07-28, stateless because each request stands on its own". */
export function clientProtocolText(era: ServerEra['era'], version: string): string {
  return sentence(clientProtocol(era, version));
}

function sentence({ protocol, reason }: ProtocolText): string {
  return `${protocol} because ${reason}`;
}
