import { protocolVersions } from '../../../shared/model/mcp.ts';
import type { InitializeParams } from '../servers/contract.ts';

/** Name of the tester wherever clients are named. */
export const testerName = 'Patchbay tester';

const prefix = 'patchbay-tester/';

/**
 * Returns the tester's session id for a server: always the same, so that an isolated process is found again.
 */
export function testerSession(serverKey: string): string {
  return `${prefix}${serverKey}`;
}

export function isTesterSession(sessionId: string): boolean {
  return sessionId.startsWith(prefix);
}

/** The tester's initialize params: a client whose user answers requests, without roots. */
export function testerInitializeParams(version: string): InitializeParams {
  return {
    protocolVersion: protocolVersions[0],
    capabilities: { elicitation: { form: {} }, sampling: {} },
    clientInfo: { name: 'patchbay-tester', title: testerName, version },
  };
}
