import { z } from 'zod';
import { type Problem, ProblemError, problem, toProblem } from '../../../../shared/error/problem.ts';
import { problemSchema } from '../../../../shared/error/problem-schema.ts';
import {
  type OperationInput,
  type OperationOutput,
  type OperationsBehind,
  operations,
} from '../../../../shared/operations/table.ts';
import { type AdminHello, bridgeWireVersion, helloLimits } from '../../../../shared/schema/bridge-hello.ts';
import { programVersion } from '../../../../shared/version.ts';
import { RpcError } from '../../rpc/message.ts';
import { createPeer } from '../../rpc/peer.ts';
import type { Peer } from '../../rpc/peer-contract.ts';
import { dataPaths } from '../../store/data-dir.ts';
import { hubSocket } from '../../store/socket-place.ts';
import { connectSocket, readHelloLine } from '../../transport/socket.ts';
import { createStreamTransport } from '../../transport/stream-transport.ts';

/** The running hub of a data folder, as commands reach it. */
export interface HubChannel {
  /** Rejects with ProblemError. */
  ask<N extends OperationsBehind<'cli'>>(name: N, input: OperationInput<N>): Promise<OperationOutput<N>>;
  close(): Promise<void>;
}

/** Rejects with ProblemError `hub.unreachable` where none runs, `hub.busy` where it says nothing, `hub.version_mismatch` where it is another version's. */
export async function openHubChannel(dataDir: string): Promise<HubChannel> {
  const socket = await connectSocket(await hubSocket(dataPaths(dataDir)));
  const hello: AdminHello = { patchbay: bridgeWireVersion, kind: 'admin', version: programVersion };
  socket.write(`${JSON.stringify(hello)}\n`);
  const line = await readHelloLine(socket, helloLimits.bytes, helloLimits.milliseconds).catch((error) => {
    throw new ProblemError(silent(String(error)));
  });
  const hubVersion = versionOf(line);
  const transport = createStreamTransport({ readable: socket, writable: socket });
  const peer = createPeer(transport, { request: refuse, notification: () => {}, closed: () => {} });
  await peer.start();
  return { ask: (name, input) => ask(peer, hubVersion, name, input), close: () => peer.close() };
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
  if (!parsed.success) throw new ProblemError(otherVersion(hubVersion));
  // Safe: the schema just parsed belongs to this very name.
  return parsed.data as OperationOutput<N>;
}

/** A call without an output has none. */
const answerSchema = z.object({ output: z.unknown().optional() });

const refusalSchema = z.object({ error: problemSchema });
const helloSchema = z.object({ patchbay: z.literal(bridgeWireVersion), version: z.string() });

/** Of the hub, which says its own name or why it takes no commands. */
function versionOf(line: string): string {
  const value = parseJson(line);
  const refusal = refusalSchema.safeParse(value);
  if (refusal.success) throw new ProblemError(refusal.data.error);
  const hello = helloSchema.safeParse(value);
  if (!hello.success) throw new ProblemError(otherVersion('unknown'));
  return hello.data.version;
}

function problemOf(error: unknown): Problem {
  const told = error instanceof RpcError ? problemSchema.safeParse(error.data) : undefined;
  return told?.success ? told.data : toProblem(error);
}

const refuse = () => Promise.reject(new Error('A command answers nothing.'));

function silent(reason: string): Problem {
  const fix = 'Wait a moment and try again; if it stays like this, quit Patchbay and start it again.';
  return problem('hub.busy', 'Patchbay is running, but does not respond.', fix, { reason });
}

function otherVersion(theirs: string): Problem {
  return problem(
    'hub.version_mismatch',
    'The running Patchbay and this command are of versions that do not understand each other.',
    'Restart Patchbay, so that both are of the same version.',
    { 'Patchbay version': theirs, 'version of the command': programVersion },
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
