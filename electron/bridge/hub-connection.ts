import { type Problem, problem } from '../../shared/error/problem.ts';
import { isRecord, parseJson } from '../../shared/json.ts';
import { type BridgeHello, bridgeWireVersion, helloLimits } from '../../shared/schema/bridge-hello.ts';
import { systemClock } from '../engine/base/clock.ts';
import type { Transport } from '../engine/jsonrpc/transport.ts';
import { connectSocket, readHelloLine } from '../engine/transport/socket/socket.ts';
import { createStreamTransport } from '../engine/transport/stdio/stream-transport.ts';
import { asProblem } from './bridge-problem.ts';

export type HubHandshake =
  /** A hub has answered the hello; its transport is not started. */
  | {
      readonly kind: 'connected';
      readonly transport: Transport;
      readonly version: string;
      readonly pid: number;
    }
  /** A hub is running and refuses this bridge. */
  | { readonly kind: 'refused'; readonly problem: Problem }
  /** The connection was accepted, but nothing was sent. */
  | { readonly kind: 'silent' };

/** Connects and exchanges hellos; rejects if no hub is running. */
export async function connectHub(
  path: string,
  hello: Pick<BridgeHello, 'version' | 'client' | 'names' | 'profile' | 'compact' | 'probe' | 'session'>,
  signal: AbortSignal,
  timeoutMs: number = helloLimits.milliseconds,
): Promise<HubHandshake> {
  const socket = await connectSocket(path, signal);
  const stop = () => socket.destroy();
  signal.addEventListener('abort', stop, { once: true });
  let isSilent = false;
  const limit = systemClock.after(timeoutMs, () => {
    isSilent = true;
    socket.destroy();
  });
  try {
    const message: BridgeHello = { patchbay: bridgeWireVersion, kind: 'bridge', pid: process.pid, ...hello };
    socket.write(`${JSON.stringify(message)}\n`);
    const answer = parseHubHello(await readHelloLine(socket, helloLimits.bytes, timeoutMs + graceMs));
    if (answer.kind === 'refused') socket.destroy();
    if (answer.kind === 'refused') return answer;
    const transport = createStreamTransport({ readable: socket, writable: socket, isReadBefore: true });
    return { ...answer, transport };
  } catch (error) {
    if (isSilent) return { kind: 'silent' };
    throw error;
  } finally {
    limit.dispose();
    signal.removeEventListener('abort', stop);
  }
}

/**
 * Milliseconds; lets our own timeout fire before that of the reader, because it reports the better reason.
 */
const graceMs = 1_000;

type ParsedHello =
  | { readonly kind: 'connected'; readonly version: string; readonly pid: number }
  | { readonly kind: 'refused'; readonly problem: Problem };

/** Parses the hub's hello by hand: the bridge has no schema library. */
function parseHubHello(line: string): ParsedHello {
  const value = parseJson(line);
  if (!isRecord(value) || typeof value.patchbay !== 'number') return refused(notPatchbay(line));
  const problem = asProblem(value.error);
  if (problem !== undefined) return refused(problem);
  if (value.patchbay !== bridgeWireVersion) return refused(incompatibleVersion(value.patchbay));
  const { version, pid } = value;
  if (typeof version !== 'string' || typeof pid !== 'number') return refused(notPatchbay(line));
  return { kind: 'connected', version, pid };
}

function refused(problem: Problem): ParsedHello {
  return { kind: 'refused', problem };
}

function incompatibleVersion(theirs: number): Problem {
  return problem(
    'hub.version_mismatch',
    'This bridge and the running Patchbay have incompatible versions.',
    'Restart Patchbay, then the client.',
    { 'Patchbay protocol version': theirs, 'bridge protocol version': bridgeWireVersion },
  );
}

function notPatchbay(line: string): Problem {
  return problem(
    'hub.version_mismatch',
    'The program answering on Patchbay’s socket is not Patchbay.',
    'Quit the program that uses the data folder, then start Patchbay again.',
    { 'first line': line.slice(0, 200) },
  );
}
