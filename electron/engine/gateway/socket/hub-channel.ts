import { z } from 'zod';
import { type Problem, ProblemError, problem, toProblem } from '../../../../shared/error/problem.ts';
import { problemSchema } from '../../../../shared/error/problem-schema.ts';
import { parseJson } from '../../../../shared/json.ts';
import {
  type OperationInput,
  type OperationOutput,
  type OperationsBehind,
  operations,
} from '../../../../shared/operations/table.ts';
import { type AdminHello, bridgeWireVersion, helloLimits } from '../../../../shared/schema/bridge-hello.ts';
import { programVersion } from '../../../../shared/version.ts';
import { RpcError } from '../../jsonrpc/message.ts';
import { createPeer } from '../../jsonrpc/peer.ts';
import type { Peer } from '../../jsonrpc/peer-contract.ts';
import { dataPaths } from '../../store/files/data-dir.ts';
import { readRunningHub } from '../../store/files/instance-lock.ts';
import { hubSocket } from '../../store/files/socket-location.ts';
import { connectSocket, readHelloLine } from '../../transport/socket/socket.ts';
import { createStreamTransport } from '../../transport/stdio/stream-transport.ts';

/** A connection from a command to the running hub of a data folder. */
export interface HubChannel {
  /** Rejects with ProblemError. */
  ask<N extends OperationsBehind<'cli'>>(name: N, input: OperationInput<N>): Promise<OperationOutput<N>>;
  close(): Promise<void>;
}

/**
 * Rejects with ProblemError: `hub.unreachable` if no hub runs, `hub.busy` if it does not respond,
 * `hub.version_mismatch` if its version differs.
 */
export async function openHubChannel(dataDir: string): Promise<HubChannel> {
  const paths = dataPaths(dataDir);
  const socket = await connectSocket(await hubSocket(paths)).catch(async (error: unknown) => {
    throw (await cutOffHub(paths.hub)) ?? error;
  });
  const hello: AdminHello = { patchbay: bridgeWireVersion, kind: 'admin', version: programVersion };
  socket.write(`${JSON.stringify(hello)}\n`);
  const line = await readHelloLine(socket, helloLimits.bytes, helloLimits.milliseconds).catch((error) => {
    throw new ProblemError(notResponding(String(error)));
  });
  const hubVersion = versionOf(line);
  const transport = createStreamTransport({ readable: socket, writable: socket });
  const peer = createPeer(transport, { request: refuse, notification: () => {}, closed: () => {} });
  await peer.start();
  return { ask: (name, input) => ask(peer, hubVersion, name, input), close: () => peer.close() };
}

/** Explains why a hub that runs cannot be reached; undefined if none runs. */
async function cutOffHub(file: string): Promise<ProblemError | undefined> {
  const owner = await readRunningHub(file);
  if (owner === undefined) return undefined;
  const { pid } = owner;
  return new ProblemError(
    problem(
      'hub.unreachable',
      `Patchbay (process ${pid}) is running, but cannot be reached.`,
      `If it has just started, try again in a moment. Otherwise end process ${pid}, then start Patchbay again.`,
      { pid },
    ),
  );
}

async function ask<N extends OperationsBehind<'cli'>>(
  peer: Peer,
  hubVersion: string,
  name: N,
  input: OperationInput<N>,
): Promise<OperationOutput<N>> {
  const answer = await peer.request(name, { input }).result.catch((error: unknown) => {
    throw new ProblemError(problemOf(error));
  });
  const { output } = answerSchema.parse(answer);
  const parsed = operations[name].output.safeParse(output);
  if (!parsed.success) throw new ProblemError(versionMismatch(hubVersion));
  // Safe: the output was parsed by the schema of this operation.
  return parsed.data as OperationOutput<N>;
}

/** Calls without an output omit the member. */
const answerSchema = z.object({ output: z.unknown().optional() });

const refusalSchema = z.object({ error: problemSchema });
const helloSchema = z.object({ patchbay: z.literal(bridgeWireVersion), version: z.string() });

/** Reads the hub's hello, which has its version or the reason why it takes no commands. */
function versionOf(line: string): string {
  const value = parseJson(line);
  const refusal = refusalSchema.safeParse(value);
  if (refusal.success) throw new ProblemError(refusal.data.error);
  const hello = helloSchema.safeParse(value);
  if (!hello.success) throw new ProblemError(versionMismatch('unknown'));
  return hello.data.version;
}

function problemOf(error: unknown): Problem {
  const parsed = error instanceof RpcError ? problemSchema.safeParse(error.data) : undefined;
  return parsed?.success ? parsed.data : toProblem(error);
}

const refuse = () => Promise.reject(new Error('The command line answers no requests.'));

function notResponding(reason: string): Problem {
  const fix = 'Wait a moment, then try again. If Patchbay still does not respond, restart it.';
  return problem('hub.busy', 'Patchbay is running, but does not respond.', fix, { reason });
}

function versionMismatch(hubVersion: string): Problem {
  return problem(
    'hub.version_mismatch',
    'The running Patchbay and this command have incompatible versions.',
    'Restart Patchbay so that both have the same version.',
    { 'Patchbay version': hubVersion, 'Command version': programVersion },
  );
}
