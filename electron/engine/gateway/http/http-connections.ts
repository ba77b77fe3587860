import { createServer, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Time limits in milliseconds, and the maximum number of connections. */
export interface ConnectionLimits {
  /** Maximum time for the headers. */
  readonly headersMs: number;
  /** Maximum time for the whole request. */
  readonly requestMs: number;
  /** Interval between timeout checks. */
  readonly checkMs: number;
  readonly maxConnections: number;
}

const connectionLimits: ConnectionLimits = {
  headersMs: 15_000,
  requestMs: 60_000,
  checkMs: 5_000,
  maxConnections: 2_000,
};

/**
 * Creates an HTTP server that answers even invalid requests with a status and a reason, and limits how long
 * it waits for slow senders.
 */
export function createLimitedServer(listener: RequestListener, limits = connectionLimits): Server {
  /** Connections whose answer has been sent, whatever else comes. */
  const refused = new WeakSet<Duplex>();
  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: limits.checkMs,
      keepAliveTimeout: keepAliveMs,
      // Requests without a Host header get their error from the guard.
      requireHostHeader: false,
    },
    (request, response) => {
      if (!refused.has(request.socket)) listener(request, response);
    },
  );
  let open = 0;
  const refuse = (socket: Duplex, refusal: ConnectionRefusal) => {
    refused.add(socket);
    refuseConnection(socket, refusal);
  };
  server.on('connection', (socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
    });
    if (open > limits.maxConnections) refuse(socket, tooMany);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    refuse(socket, reasons.get(error.code ?? '') ?? unreadable);
  });
  server.on('connect', (_request, socket) => refuse(socket, noTunnel));
  return server;
}

/**
 * In milliseconds; longer than clients keep connections open, so that none is closed while a request is on
 * its way.
 */
const keepAliveMs = 65_000;

interface ConnectionRefusal {
  readonly status: string;
  readonly code: string;
  readonly error: string;
}

const unreadable: ConnectionRefusal = {
  status: '400 Bad Request',
  code: 'bad_request',
  error: 'This is not a valid HTTP request.',
};
const tooSlow: ConnectionRefusal = {
  status: '408 Request Timeout',
  code: 'request_timeout',
  error: 'The request was not received in time.',
};
const headTooLarge: ConnectionRefusal = {
  status: '431 Request Header Fields Too Large',
  code: 'header_too_large',
  error: 'The headers are too large.',
};
const tooMany: ConnectionRefusal = {
  status: '503 Service Unavailable',
  code: 'too_many_connections',
  error: 'Too many connections are open.',
};
const noTunnel: ConnectionRefusal = {
  status: '405 Method Not Allowed',
  code: 'method_not_allowed',
  error: 'This server is not a proxy.',
};
const reasons: ReadonlyMap<string, ConnectionRefusal> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', tooSlow],
  ['HPE_HEADER_OVERFLOW', headTooLarge],
]);

/**
 * Sends the reason and closes the connection, even if the other side does not read. Where a connection is closed with
 * bytes of the request unread, Windows drops the answer too, so the close waits for the other side, or for a while.
 */
function refuseConnection(socket: Duplex, { status, code, error }: ConnectionRefusal): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ error, error_type: 'BadRequestError', code });
  const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`;
  socket.on('error', () => undefined);
  socket.end(`${head}\r\nConnection: close\r\n\r\n${body}`);
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}

const lingerMs = 1_000;
