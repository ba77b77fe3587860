import type { ClientIntroduction } from '../../supervise/instances-contract.ts';

/** What the tester is called, wherever clients are named. */
export const testerName = 'Patchbay tester';

const prefix = 'patchbay-tester/';

/** Its session at a server: always the same, so that a process of its own finds back to it. */
export function testerSession(serverKey: string): string {
  return `${prefix}${serverKey}`;
}

export function isTesterSession(sessionId: string): boolean {
  return sessionId.startsWith(prefix);
}

/** Who it says it is: a client whose person answers questions. It has no roots. */
export function introduceTester(version: string): ClientIntroduction {
  return {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: { form: {} }, sampling: {} },
    clientInfo: { name: 'patchbay-tester', title: testerName, version },
  };
}
