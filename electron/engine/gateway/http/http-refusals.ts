import type { Problem } from '../../../../shared/error/problem.ts';
import { modernVersion } from '../../../../shared/model/mcp.ts';
import { rpcErrorCodes } from '../../jsonrpc/message.ts';
import type { HttpRefusal } from '../../transport/http-server/http-refusal.ts';
import { modernErrorCodes } from '../../transport/modern/protocol.ts';

/** Refusals of requests that belong to no session. */

const code = rpcErrorCodes.invalidRequest;

export const notFound: HttpRefusal = {
  status: 404,
  code,
  message:
    'MCP is served at /mcp, /mcp/servers/{key} and /mcp/profiles/{name}; the REST API is described at /docs',
};

export const badAddress: HttpRefusal = { status: 400, code, message: 'The URL is invalid' };

export const noSuchProfile = (name: string): HttpRefusal => ({
  status: 404,
  code,
  message: `There is no profile ${JSON.stringify(name)}`,
});

export const noSuchServer = (key: string): HttpRefusal => ({
  status: 404,
  code,
  message: `There is no server ${JSON.stringify(key)}`,
});

export const batchUnsupported: HttpRefusal = {
  status: 400,
  code,
  message: 'This protocol version does not support batches',
};

export const statelessOnly: HttpRefusal & { readonly data: unknown } = {
  status: 400,
  code: modernErrorCodes.unsupportedVersion,
  message: `This URL asks for the stateless protocol, MCP ${modernVersion}`,
  data: { supported: [modernVersion] },
};

export const sessionIdMissing: HttpRefusal = {
  status: 400,
  code,
  message: 'The Mcp-Session-Id header is missing',
};

export const getOnly: HttpRefusal = {
  status: 405,
  code,
  message: 'Only GET is allowed here',
  headers: { allow: 'GET, HEAD, OPTIONS' },
};

export const wrongMethod: HttpRefusal = {
  status: 405,
  code,
  message: 'Only GET, POST and DELETE are allowed here',
  headers: { allow: 'GET, POST, DELETE, OPTIONS' },
};

/** The stateless protocol knows neither a stream of its own nor sessions that could be ended. */
export const postOnly: HttpRefusal = {
  status: 405,
  code,
  message: `MCP ${modernVersion} is served by POST only`,
  headers: { allow: 'POST, OPTIONS' },
};

export const tooMany: HttpRefusal = {
  status: 503,
  code: rpcErrorCodes.internalError,
  message: 'Too many sessions are open',
  headers: { 'retry-after': '60' },
  data: {
    code: 'call.queue_full',
    fix: 'Close clients that are not in use, then try again in a minute.',
  },
};

/** Not 404, because the session continues at the next hub. */
export const shuttingDown: HttpRefusal = {
  status: 503,
  code: rpcErrorCodes.internalError,
  message: 'Patchbay is closing or restarting; try again in a moment',
  headers: { 'retry-after': '1' },
  data: { code: 'call.draining', fix: 'Send it again in a moment.' },
};

export const failed: HttpRefusal = {
  status: 500,
  code: rpcErrorCodes.internalError,
  message: 'Internal error',
};

export function loopRefusal(loop: Problem): HttpRefusal & { readonly data: unknown } {
  return { status: 403, code, message: loop.sentence, data: loop };
}
