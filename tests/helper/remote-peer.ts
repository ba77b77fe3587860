import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { JsonRpcRequest } from '../../electron/engine/rpc/message.ts';
import { createPeer } from '../../electron/engine/rpc/peer.ts';
import type { Peer } from '../../electron/engine/rpc/peer-contract.ts';
import {
  createHttpClientTransport,
  type HttpClientTransportOptions,
} from '../../electron/engine/transport/http-client-transport.ts';
import { httpServer, readJson, sendJson } from './http-server.ts';

export interface Seen {
  readonly verb: string | undefined;
  readonly url: string | undefined;
  readonly method: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** Answers in its own way; true where it did. */
type Misbehave = (body: JsonRpcRequest, response: ServerResponse, seen: Seen) => boolean | undefined;

/** A remote server with sessions that answers any request with its name, but for what the test has it do. */
export async function oddServer(misbehave: Misbehave) {
  const seen: Seen[] = [];
  let sessions = 0;
  const server = await httpServer(async (request, response) => {
    const body = ((await readJson(request)) ?? { method: request.method }) as JsonRpcRequest;
    const { headers, url, method: verb } = request;
    const facts = { verb, url, method: body.method, headers };
    seen.push(facts);
    if (misbehave(body, response, facts) === true) return;
    if (verb !== 'POST') return sendJson(response, verb === 'DELETE' ? 200 : 405);
    if (body.id === undefined) return sendJson(response, 202);
    if (body.method === 'initialize') sessions += 1;
    const answer = { jsonrpc: '2.0', id: body.id, result: { did: body.method } };
    sendJson(response, 200, answer, body.method === 'initialize' ? { 'mcp-session-id': `s${sessions}` } : {});
  });
  return {
    url: server.url,
    seen,
    said: () => seen.map(({ method }) => method),
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

export interface RemotePeer extends AsyncDisposable {
  readonly peer: Peer;
  readonly noise: readonly string[];
  /** Methods of the notifications that came. */
  readonly heard: readonly string[];
  /** Why the connection ended, once it has. */
  readonly ended: readonly unknown[];
}

export async function remotePeer(
  url: string,
  options: Partial<HttpClientTransportOptions> = {},
): Promise<RemotePeer> {
  const noise: string[] = [];
  const heard: string[] = [];
  const ended: unknown[] = [];
  const transport = createHttpClientTransport({
    url,
    headers: {},
    kind: 'http',
    isExplicit: true,
    ...options,
  });
  const peer = createPeer(transport, {
    request: async () => ({}),
    notification: ({ method }) => heard.push(method),
    noise: (text) => noise.push(text),
    closed: (reason) => ended.push(reason),
  });
  await peer.start();
  return { peer, noise, heard, ended, [Symbol.asyncDispose]: () => peer.close() };
}

/** The same once hands are shaken. */
export async function greetedPeer(
  url: string,
  options: Partial<HttpClientTransportOptions> = {},
): Promise<RemotePeer> {
  const connected = await remotePeer(url, options);
  await connected.peer.request('initialize', {}).result;
  await connected.peer.notify('notifications/initialized');
  return connected;
}
