import type { ServerEra } from './server.ts';

/** How a server speaks and why, as in "2025-11-25, with sessions because it does not know server/discover". */
export function serverProtocolText({ era, version, reason }: ServerEra): string {
  return `${version}, ${era === 'modern' ? 'stateless' : 'with sessions'} because ${reason}`;
}

/** How a client speaks and why, as in "2026-07-28, stateless because each request stands for itself". */
export function clientProtocolText(era: ServerEra['era'], version: string): string {
  return era === 'modern'
    ? `${version}, stateless because each request stands for itself`
    : `${version}, with a session because it sent initialize`;
}
