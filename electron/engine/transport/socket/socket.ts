import { chmod, lstat, rename, unlink } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import { type Clock, systemClock } from '../../base/clock.ts';

export interface SocketListener {
  /** False if the socket file was deleted, moved or replaced, so that nobody can connect. */
  isFound(): Promise<boolean>;
  /** Listens at this path instead, or again; connections stay open. */
  moveTo(path: string): Promise<void>;
  /** Stops listening, closes all connections and removes the socket file; idempotent. */
  close(): Promise<void>;
}

/**
 * Listens on a Unix socket (0600; its folder must be private, since the mode is set after the file appears)
 * or a Windows named pipe. A stale socket file is replaced; if another program is listening on it, rejects
 * with ProblemError `hub.already_running`. Sockets are handed over paused, so that the client's first bytes
 * are not lost.
 */
export async function listenSocket(
  path: string,
  onConnection: (socket: Socket) => void,
): Promise<SocketListener> {
  const sockets = new Set<Socket>();
  const accept = (socket: Socket) => {
    ignoreErrors(socket);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    onConnection(socket);
  };
  let current = await openServer(path, accept);
  return {
    isFound: async () => isPipe(current.path) || (await inodeOf(current.path)) === current.inode,
    async moveTo(next) {
      // Removes the file at its path, whoever made it, so the new one must come afterwards.
      current.server.close();
      current = await openServer(next, accept);
    },
    close: () => closeServer(current, sockets),
  };
}

interface OpenServer {
  readonly server: Server;
  readonly path: string;
  /** Tells the socket file from a later one; undefined for a pipe. */
  readonly inode: number | undefined;
}

async function openServer(path: string, onConnection: (socket: Socket) => void): Promise<OpenServer> {
  requireShortPath(path);
  const server = createServer({ pauseOnConnect: true }, onConnection);
  await listenOrReplace(server, path);
  if (isPipe(path)) return { server, path, inode: undefined };
  await chmod(path, 0o600);
  return { server, path, inode: await inodeOf(path) };
}

async function inodeOf(path: string): Promise<number | undefined> {
  return (await lstat(path).catch(() => undefined))?.ino;
}

/** Connects; rejects with ProblemError `hub.unreachable`, or with the signal's reason. */
export function connectSocket(path: string, signal?: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const socket = connect(path);
    const settle = (outcome: () => void) => {
      socket.off('error', fail);
      signal?.removeEventListener('abort', abort);
      outcome();
    };
    const fail = (error: NodeJS.ErrnoException) => settle(() => reject(unreachable(path, error)));
    const abort = () =>
      settle(() => {
        socket.destroy();
        reject(signal?.reason);
      });
    ignoreErrors(socket);
    socket.once('error', fail);
    socket.once('connect', () => settle(() => resolve(socket)));
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/**
 * Reads the first line of a socket, without its newline; the rest stays in the (paused) socket for a
 * transport. Rejects and destroys the socket if the line exceeds `limit` bytes, does not arrive within
 * `timeoutMs`, or the socket ends first.
 */
export function readHelloLine(
  socket: Socket,
  limit: number,
  timeoutMs: number,
  clock: Clock = systemClock,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const stop = () => {
      timer.dispose();
      socket.pause();
      socket.off('data', read).off('end', ended).off('close', ended);
    };
    const fail = (sentence: string) => {
      stop();
      socket.destroy();
      reject(new Error(sentence));
    };
    const ended = () => fail('The connection ended before the first line was complete');
    const timer = clock.after(timeoutMs, () => fail('The first line did not come in time'));
    const read = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const end = received.indexOf(0x0a);
      if (end > limit || (end === -1 && received.length > limit)) return fail('The first line is too long');
      if (end === -1) return;
      stop();
      if (end + 1 < received.length) socket.unshift(received.subarray(end + 1));
      resolve(received.toString('utf8', 0, end).trimEnd());
    };
    socket.on('data', read).on('end', ended).on('close', ended);
    socket.resume();
  });
}

/**
 * Ignores errors, which would end the program: `close` always follows, and that is what callers listen for.
 */
function ignoreErrors(socket: Socket): void {
  socket.on('error', () => {});
}

async function listenOrReplace(server: Server, path: string): Promise<void> {
  try {
    await listen(server, path);
  } catch (error) {
    if (codeOf(error) !== 'EADDRINUSE') throw error;
    const found = isPipe(path) ? undefined : await lstat(path).catch(() => undefined);
    if (found?.isSocket() === false) throw inTheWay(path, error);
    if (isPipe(path) || !(await isStale(path))) throw inUse(path, error);
    await unlink(path);
    await listen(server, path);
  }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      server.on('error', () => {});
      resolve();
    });
  });
}

/** Returns true only if the connection is refused, which proves that nobody listens. */
function isStale(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    probe.once('connect', () => {
      probe.destroy();
      resolve(false);
    });
    probe.once('error', (error) => resolve(codeOf(error) === 'ECONNREFUSED'));
  });
}

/** Node removes the file at the path of a server that closes, so that of another hub is moved out of the way meanwhile. */
async function closeServer({ server, path, inode }: OpenServer, sockets: ReadonlySet<Socket>): Promise<void> {
  const found = await inodeOf(path);
  const isOthers = inode !== undefined && found !== undefined && found !== inode;
  const aside = `${path}.${process.pid}`;
  if (isOthers) await rename(path, aside).catch(() => undefined);
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  if (isOthers) await rename(aside, path).catch(() => undefined);
  for (const socket of sockets) socket.destroy();
  await closed;
}

/** Refuses a path that Node would silently truncate, and then listen somewhere else. */
function requireShortPath(path: string): void {
  const maxBytes = process.platform === 'darwin' ? 103 : 107;
  if (isPipe(path) || Buffer.byteLength(path) <= maxBytes) return;
  throw new ProblemError(
    problem(
      'hub.data_folder_unwritable',
      'The path of the data folder is too long for a socket.',
      'Choose a data folder with a shorter path.',
      { path, 'longest possible': maxBytes },
    ),
  );
}

function inUse(path: string, cause: unknown): ProblemError {
  const found = problem(
    'hub.already_running',
    'Another Patchbay already uses this data folder.',
    'Quit the other Patchbay, or choose another data folder.',
    { socket: path },
  );
  return new ProblemError(found, { cause });
}

function inTheWay(path: string, cause: unknown): ProblemError {
  const found = problem(
    'hub.data_folder_unwritable',
    `${path} is not a socket, so clients could not connect.`,
    'Move it away, then start Patchbay again.',
    { path },
  );
  return new ProblemError(found, { cause });
}

function unreachable(path: string, cause: NodeJS.ErrnoException): ProblemError {
  const isAbsent = cause.code === 'ENOENT' || cause.code === 'ECONNREFUSED';
  const found = problem(
    'hub.unreachable',
    isAbsent ? 'Patchbay is not running.' : 'Patchbay does not respond.',
    'Start the app, or "patchbay serve", then try again.',
    {
      socket: path,
      error: cause.code,
    },
  );
  return new ProblemError(found, { cause });
}

function isPipe(path: string): boolean {
  return path.startsWith('\\\\.\\pipe\\') || path.startsWith('\\\\?\\pipe\\');
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
