import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import { type ConnectionLimits, createLimitedServer } from './http-connections.ts';
import { type HttpRequestOptions, HttpRequests } from './http-requests.ts';
import { HttpSessions, type HttpSessionsOptions } from './http-sessions.ts';
import { ModernRequests } from './modern-requests.ts';

export interface HttpEndpointOptions extends HttpRequestOptions, HttpSessionsOptions {
  readonly connections?: ConnectionLimits;
}

/**
 * Serves Streamable HTTP on 127.0.0.1 only: `/mcp` for all servers, `/mcp/servers/{key}` for one server as if
 * connected directly, `/mcp/profiles/{name}` for those of a profile, and `/healthz`.
 */
export interface HttpEndpoint {
  /** The current port; undefined while not listening. */
  readonly port: number | undefined;
  /**
   * Listens on this port (0 for any) and moves sessions along if it was listening elsewhere. Rejects with
   * ProblemError `hub.port_in_use` and keeps the old port.
   */
  listen(port: number): Promise<void>;
  /** Prepares for the end of the hub: from now on, sessions that close stay stored for the next hub. */
  prepareShutdown(): void;
  /**
   * Closes every connection; idempotent. Close the sessions first so that their last messages are still sent.
   */
  close(): Promise<void>;
}

export function createHttpEndpoint(options: HttpEndpointOptions): HttpEndpoint {
  const sessions = new HttpSessions(options);
  const modern = new ModernRequests(options);
  const requests = new HttpRequests(options, sessions, modern);
  const retired = new Set<Server>();
  let current: Server | undefined;

  /** Responses in progress on the old port are still sent there. */
  function retire(server: Server): void {
    retired.add(server);
    server.close(() => retired.delete(server));
    server.closeIdleConnections();
  }

  return {
    get port() {
      return current === undefined ? undefined : portOf(current);
    },
    async listen(port) {
      if (current !== undefined && portOf(current) === port) return;
      const next = createLimitedServer(
        (request, response) => requests.handle(request, response),
        options.connections,
      );
      await bind(next, port);
      if (current !== undefined) retire(current);
      current = next;
    },
    prepareShutdown: () => sessions.prepareShutdown(),
    async close() {
      const servers = current === undefined ? [...retired] : [...retired, current];
      current = undefined;
      sessions.dispose();
      await modern.close();
      await Promise.all(servers.map(unbind));
    },
  };
}

function portOf(server: Server): number | undefined {
  return (server.address() as AddressInfo | null)?.port;
}

function bind(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? portInUse(port, error) : error);
    server.once('error', fail);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', fail);
      resolve();
    });
  });
}

function unbind(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.once('close', resolve);
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function portInUse(port: number, cause: unknown): ProblemError {
  const found = problem(
    'hub.port_in_use',
    `Port ${port} is used by another program, so clients cannot connect over HTTP.`,
    'Quit that program, or choose another port: under Settings in the window, or with "patchbay serve --port".',
    { address: `127.0.0.1:${port}` },
  );
  return new ProblemError(found, { cause });
}
