import { createServer, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Time limits in milliseconds, and the maximum number of connections. */
export interface ConnectionLimits {
  /** Maximum time for the headers. */
  readonly head: number;
  /** Maximum time for the whole request. */
  readonly whole: number;
  /** Interval between timeout checks. */
  readonly look: number;
  readonly connections: number;
}

export const connectionLimits: ConnectionLimits = {
  head: 15_000,
  whole: 60_000,
  look: 5_000,
  connections: 2_000,
};

/**
 * Creates an HTTP server that answers even invalid requests with a status and a reason, and limits how long
 * it waits for slow senders.
 */
export function patientServer(listener: RequestListener, limits = connectionLimits): Server {
  const server = createServer(
    {
      headersTimeout: limits.head,
      requestTimeout: limits.whole,
      connectionsCheckingInterval: limits.look,
      keepAliveTimeout: idleConnection,
      // Requests without a Host header get their error from the guard.
      requireHostHeader: false,
    },
    listener,
  );
  let open = 0;
  server.on('connection', (socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
    });
    if (open > limits.connections) dismiss(socket, tooMany);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    dismiss(socket, reasons.get(error.code ?? '') ?? unreadable);
  });
  server.on('connect', (_request, socket) => dismiss(socket, noTunnel));
  return server;
}

/**
 * In milliseconds; longer than clients keep connections open, so that none is closed while a request is on
 * its way.
 */
const idleConnection = 65_000;

interface Dismissal {
  readonly status: string;
  readonly code: string;
  readonly error: string;
}

const unreadable: Dismissal = {
  status: '400 Bad Request',
  code: 'bad_request',
  error: 'This is not a valid HTTP request.',
};
const tooSlow: Dismissal = {
  status: '408 Request Timeout',
  code: 'request_timeout',
  error: 'The request was not received in time.',
};
const headTooLarge: Dismissal = {
  status: '431 Request Header Fields Too Large',
  code: 'header_too_large',
  error: 'The headers are too large.',
};
const tooMany: Dismissal = {
  status: '503 Service Unavailable',
  code: 'too_many_connections',
  error: 'Too many connections are open.',
};
const noTunnel: Dismissal = {
  status: '405 Method Not Allowed',
  code: 'method_not_allowed',
  error: 'This server is not a proxy.',
};
const reasons: ReadonlyMap<string, Dismissal> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', tooSlow],
  ['HPE_HEADER_OVERFLOW', headTooLarge],
]);

/** Sends the reason and closes the connection, even if the other side does not read. */
function dismiss(socket: Duplex, { status, code, error }: Dismissal): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ error, error_type: 'BadRequestError', code });
  const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`;
  socket.on('error', () => undefined);
  socket.end(`${head}\r\nConnection: close\r\n\r\n${body}`, () => socket.destroy());
}
