import { z } from 'zod';
import { type Problem, ProblemError, toProblem } from '../../../shared/error/problem.ts';
import { problemSchema } from '../../../shared/error/problem-schema.ts';
import { ConnectionClosedError, RpcError } from '../rpc/message.ts';
import type { Handshake } from './contract.ts';
import { type Evidence, handshakeFailed } from './failure-problem.ts';
import type { ClientIntroduction } from './instances-contract.ts';
import type { Session } from './session.ts';

/** Session-based protocol revisions spoken with servers, newest first. */
const protocolVersions: readonly [string, ...string[]] = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
];

/**
 * What servers are told that their client can do. A server is introduced to once and shared by clients that come and go,
 * so this is what clients may be able to do; what the one that is asked cannot do is refused when it is asked.
 */
const clientCapabilities = {
  sampling: { context: {}, tools: {} },
  elicitation: { form: {}, url: {} },
  roots: { listChanged: true },
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
};

/** The hub in its own name. */
export function hubIntroduction(version: string): ClientIntroduction {
  const [protocolVersion] = protocolVersions;
  return { protocolVersion, capabilities: clientCapabilities, clientInfo: { name: 'patchbay', version } };
}

export type Greeting =
  | { readonly kind: 'greeted'; readonly handshake: Handshake }
  /** It answered, but not in a way a connection can be built on. */
  | { readonly kind: 'unusable'; readonly problem: Problem }
  /** No answer will come. */
  | { readonly kind: 'closed'; readonly reason: Error };

/**
 * Opens the session, introduces its client to the server and learns what that is. Waits as long as the server takes;
 * closing the peer ends it. `evidence` is asked only if something is wrong.
 */
export async function greet(
  session: Session,
  introduction: ClientIntroduction,
  evidence: () => Evidence,
): Promise<Greeting> {
  try {
    await session.peer.start();
    return { kind: 'greeted', handshake: await shakeHands(session, introduction, evidence) };
  } catch (error) {
    if (error instanceof RpcError) return { kind: 'unusable', problem: refusal(error, evidence()) };
    if (error instanceof UnusableAnswer) return { kind: 'unusable', problem: error.problem };
    if (error instanceof ConnectionClosedError || error instanceof ProblemError) {
      return { kind: 'closed', reason: error };
    }
    return { kind: 'unusable', problem: toProblem(error) };
  }
}

/** Tells what the server said wrong from what the transport says of its own accord. */
class UnusableAnswer extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.sentence);
    this.problem = problem;
  }
}

async function shakeHands(
  { peer, transport }: Session,
  { protocolVersion: asked, capabilities: abilities, clientInfo }: ClientIntroduction,
  evidence: () => Evidence,
): Promise<Handshake> {
  const params = { protocolVersion: asked, capabilities: abilities, clientInfo };
  const parsed = answerSchema.safeParse(await peer.request('initialize', params).result);
  if (!parsed.success) {
    const reason = z.prettifyError(parsed.error).replaceAll('\n', ' ');
    throw new UnusableAnswer(handshakeFailed(reason, evidence()));
  }
  const { protocolVersion, capabilities, serverInfo, instructions } = parsed.data;
  if (!protocolVersions.includes(protocolVersion)) {
    const reason = `it speaks protocol version ${protocolVersion}; known are ${protocolVersions.join(', ')}.`;
    throw new UnusableAnswer(handshakeFailed(reason, evidence()));
  }
  transport.setProtocolVersion?.(protocolVersion);
  await peer.notify('notifications/initialized');
  return {
    protocolVersion,
    capabilities,
    serverInfo,
    ...(instructions === undefined ? {} : { instructions }),
  };
}

/** Lenient where a server can be used all the same: only the version decides how to talk. */
const answerSchema = z.object({
  protocolVersion: z.string(),
  capabilities: z.record(z.string(), z.unknown()).catch({}),
  serverInfo: z.record(z.string(), z.unknown()).catch({}),
  instructions: z.string().optional().catch(undefined),
});

/** A bridge or command that finds itself below itself says so in its error's data. */
function refusal(error: RpcError, evidence: Evidence): Problem {
  const carried = z.object({ problem: problemSchema }).safeParse(error.data);
  if (carried.success && carried.data.problem.code === 'server.loop') return carried.data.problem;
  return handshakeFailed(`error ${error.code}, ${error.message}`, evidence);
}
