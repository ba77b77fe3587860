import { z } from 'zod';
import { type Problem, ProblemError } from '../../../shared/error/problem.ts';
import { problemSchema } from '../../../shared/error/problem-schema.ts';
import { RpcError } from '../rpc/message.ts';
import type { Peer } from '../rpc/peer-contract.ts';
import type { Handshake } from './contract.ts';
import { handshakeFailed } from './failure-problem.ts';

/** Session-based protocol revisions spoken with servers, newest first. */
export const protocolVersions: readonly [string, ...string[]] = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
];

/**
 * Introduces the hub to a server and learns what it is. Waits as long as the server takes; ending the peer ends it.
 * Rejects with ProblemError when the answer is unusable, ConnectionClosedError when none will come.
 */
export async function shakeHands(
  peer: Peer,
  version: string,
  evidence: () => Readonly<Record<string, string | undefined>>,
): Promise<Handshake> {
  const [newest] = protocolVersions;
  const answer = await initialize(peer, newest, version).catch((error: unknown) => {
    throw error instanceof RpcError ? new ProblemError(refusal(error, evidence())) : error;
  });
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success) {
    const reason = z.prettifyError(parsed.error).replaceAll('\n', ' ');
    throw new ProblemError(handshakeFailed(reason, evidence()));
  }
  const { protocolVersion, capabilities, serverInfo, instructions } = parsed.data;
  if (!protocolVersions.includes(protocolVersion)) {
    const reason = `it speaks protocol version ${protocolVersion}; known are ${protocolVersions.join(', ')}.`;
    throw new ProblemError(handshakeFailed(reason, evidence()));
  }
  await peer.notify('notifications/initialized');
  return {
    protocolVersion,
    capabilities,
    serverInfo,
    ...(instructions === undefined ? {} : { instructions }),
  };
}

function initialize(peer: Peer, protocolVersion: string, version: string): Promise<unknown> {
  const clientInfo = { name: 'patchbay', version };
  return peer.request('initialize', { protocolVersion, capabilities: {}, clientInfo }).result;
}

/** Lenient where a server can be used all the same: only the version decides how to talk. */
const answerSchema = z.object({
  protocolVersion: z.string(),
  capabilities: z.record(z.string(), z.unknown()).catch({}),
  serverInfo: z.record(z.string(), z.unknown()).catch({}),
  instructions: z.string().optional().catch(undefined),
});

/** A bridge or command that finds itself below itself says so in its error's data. */
function refusal(error: RpcError, evidence: Readonly<Record<string, string | undefined>>): Problem {
  const carried = z.object({ problem: problemSchema }).safeParse(error.data);
  if (carried.success && carried.data.problem.code === 'server.loop') return carried.data.problem;
  return handshakeFailed(`error ${error.code}, ${error.message}`, evidence);
}
