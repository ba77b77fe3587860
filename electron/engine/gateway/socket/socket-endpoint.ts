import type { Socket } from 'node:net';
import { type Problem, problem } from '../../../../shared/error/problem.ts';
import { parseJson } from '../../../../shared/json.ts';
import {
  type AdminHello,
  type BridgeHello,
  bridgeWireVersion,
  type HubHello,
  helloLimits,
} from '../../../../shared/schema/bridge-hello.ts';
import {
  adminHelloSchema,
  bridgeHelloSchema,
  wireVersionSchema,
} from '../../../../shared/schema/bridge-hello-schema.ts';
import { systemClock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { Transport } from '../../jsonrpc/transport.ts';
import { isRunning } from '../../store/files/process-identity.ts';
import { RelatedTransport } from '../../transport/modern/related-transport.ts';
import { listenSocket, readHelloLine, type SocketListener } from '../../transport/socket/socket.ts';
import { createStreamTransport } from '../../transport/stdio/stream-transport.ts';
import type { SessionRegistry } from '../session/session-registry.ts';
import { type AdminService, noAdmin, serveAdmin } from './admin-session.ts';

export interface SocketEndpointOptions {
  /** Socket file, or a pipe name on Windows. */
  readonly path: string;
  /** Version of this program, sent to bridges. */
  readonly version: string;
  readonly sessions: Pick<SessionRegistry, 'open'>;
  /** Handles commands, which are refused without it. */
  readonly admin?: AdminService;
  readonly log: Logger;
}

/**
 * Accepts bridges and commands. Trust is based on the user account: the socket is in a folder that other
 * users cannot enter.
 */
export interface SocketEndpoint {
  /** Rejects with ProblemError `hub.already_running` if another hub is listening there. */
  listen(): Promise<void>;
  /** False if nobody can connect, because the socket file was deleted, moved or replaced. */
  isFound(): Promise<boolean>;
  /** Listens at this path instead, or again; connections stay open. */
  moveTo(path: string): Promise<void>;
  /** Stops listening and closes all connections; idempotent. Close the sessions first. */
  close(): Promise<void>;
}

export function createSocketEndpoint(options: SocketEndpointOptions): SocketEndpoint {
  let listener: Promise<SocketListener> | undefined;
  return {
    async listen() {
      listener ??= listenSocket(options.path, (socket) => void handleConnection(socket, options));
      await listener;
    },
    isFound: async () => (await listener)?.isFound() ?? false,
    async moveTo(path) {
      await (await listener)?.moveTo(path);
    },
    async close() {
      const open = await listener?.catch(() => undefined);
      await open?.close();
    },
  };
}

async function handleConnection(socket: Socket, options: SocketEndpointOptions): Promise<void> {
  const { version, sessions, admin = noAdmin, log } = options;
  try {
    const parsed = parseHello(await readHelloLine(socket, helloLimits.bytes, helloLimits.milliseconds));
    if (!parsed.ok) {
      log.log('warn', 'A bridge was refused', { code: parsed.problem.code });
      return refuse(socket, parsed.problem);
    }
    write(socket, { patchbay: bridgeWireVersion, version, pid: process.pid });
    const { hello } = parsed;
    if (hello.kind === 'admin') await serveAdmin(streamOf(socket), admin, log);
    else if (hello.probe) hangUp(socket);
    else await openSession(socket, hello, sessions);
  } catch (error) {
    log.log('debug', 'A socket connection failed', { error: String(error) });
    socket.destroy();
  }
}

async function openSession(socket: Socket, hello: BridgeHello, sessions: Pick<SessionRegistry, 'open'>) {
  const { version, client, session, pid, names, profile, compact } = hello;
  await sessions.open({
    transport: new RelatedTransport(streamOf(socket)),
    via: 'bridge',
    bridge: { version, client, session, isAlive: () => isRunning(pid) },
    askedStyle: names,
    profile,
    compact,
  });
}

function streamOf(socket: Socket): Transport {
  return createStreamTransport({ readable: socket, writable: socket });
}

type HelloResult =
  | { readonly ok: true; readonly hello: BridgeHello | AdminHello }
  | { readonly ok: false; readonly problem: Problem };

/** Parses and checks a hello line. Older bridges are accepted if their wire version matches. */
function parseHello(line: string): HelloResult {
  const value = parseJson(line);
  const wire = wireVersionSchema.safeParse(value);
  if (!wire.success) return { ok: false, problem: invalidHello() };
  if (wire.data.patchbay !== bridgeWireVersion)
    return { ok: false, problem: versionMismatch(wire.data.patchbay) };
  const command = adminHelloSchema.safeParse(value);
  if (command.success) {
    return { ok: true, hello: { patchbay: bridgeWireVersion, kind: 'admin', version: command.data.version } };
  }
  const parsed = bridgeHelloSchema.safeParse(value);
  if (!parsed.success) return { ok: false, problem: invalidHello() };
  const { version, pid, client, names, profile, compact, probe, session } = parsed.data;
  const entry = { client, names, profile, compact, probe, session };
  return { ok: true, hello: { patchbay: bridgeWireVersion, kind: 'bridge', version, pid, ...entry } };
}

function refuse(socket: Socket, why: Problem): void {
  write(socket, { patchbay: bridgeWireVersion, error: why });
  hangUp(socket);
}

/** Closes a connection after the last message has been read, or after a timeout; further input is dropped. */
function hangUp(socket: Socket): void {
  const timer = systemClock.after(closeTimeoutMs, () => socket.destroy());
  socket.once('close', () => timer.dispose());
  // A paused socket never notices that the other side has closed.
  socket.resume().end();
}

const closeTimeoutMs = 1_000;

function write(socket: Socket, hello: HubHello): void {
  socket.write(`${JSON.stringify(hello)}\n`);
}

function versionMismatch(bridgeVersion: number): Problem {
  const newer = bridgeVersion > bridgeWireVersion;
  return problem(
    'hub.version_mismatch',
    `The bridge is ${newer ? 'newer' : 'older'} than the running Patchbay, and the two are not compatible.`,
    newer
      ? 'Quit Patchbay and start the newer version.'
      : 'Restart the client so that it starts the current bridge. If that does not help, connect the client again.',
    { 'wire version of the bridge': bridgeVersion, 'Patchbay protocol version': bridgeWireVersion },
  );
}

function invalidHello(): Problem {
  return problem(
    'app.invalid_request',
    'The program that connected to Patchbay’s socket is neither a Patchbay bridge nor a Patchbay command.',
    'Connect through patchbay-bridge, or use the HTTP endpoint.',
  );
}
