import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { beginEvents, httpServer, readJson, sendJson } from '../../../../helper/http-server.ts';
import { remotePeer } from '../../../../helper/remote-peer.ts';

interface Options {
  /** Address that the server names for messages; PORT stands for its own port. */
  readonly endpoint?: string;
  readonly eventName?: string;
  readonly endpointName?: string;
  /** Sends nothing on its stream but that address. */
  readonly isSilent?: boolean;
  /** Milliseconds after which it answers on its stream, also where its response is an error. */
  readonly answersRefusedAfter?: number;
  readonly lineEnd?: string;
  post(response: ServerResponse, method: string, id: number | undefined): void;
}

/** Starts a server of the older transport that answers requests on its stream. */
async function sseServer({
  endpoint = '/messages?s=1',
  eventName = 'message',
  endpointName = 'endpoint',
  isSilent = false,
  answersRefusedAfter,
  lineEnd = '\n',
  post,
}: Options) {
  const posted: (string | undefined)[] = [];
  let stream: ServerResponse | undefined;
  const write = (name: string, data: string) =>
    stream?.write([`event: ${name}`, `data: ${data}`, '', ''].join(lineEnd));
  const server = await httpServer(async (request, response) => {
    if (request.method === 'GET') {
      stream = response;
      beginEvents(response);
      const port = request.socket.localPort;
      write(endpointName, endpoint.replace('PORT', String(port)));
      return;
    }
    const { id, method } = (await readJson(request)) as { id?: number; method: string };
    posted.push(request.url);
    post(response, method, id);
    const answer = () => write(eventName, JSON.stringify({ jsonrpc: '2.0', id, result: { method } }));
    if (id === undefined || isSilent) return;
    if (response.statusCode < 300) answer();
    else if (answersRefusedAfter !== undefined) setTimeout(answer, answersRefusedAfter);
  });
  return { url: server.url, posted, [Symbol.asyncDispose]: () => server.stop() };
}

describe('[NFR-R1] a server of the older SSE transport', () => {
  it.each([
    ['relative', '/messages?s=1'],
    ['absolute', 'http://127.0.0.1:PORT/messages?s=1'],
    ['with space around it', ' /messages?s=1 '],
    ['by another name of this machine', 'http://localhost:PORT/messages?s=1'],
    ['by no address', 'http://0.0.0.0:PORT/messages?s=1'],
    ['by its port in a container', 'http://127.0.0.1:1/messages?s=1'],
    ['by its name in a container', 'http://app:8000/messages?s=1'],
    ['by its address in another network', 'http://10.0.0.7:8000/messages?s=1'],
    ['percent-encoded', '%2Fmessages%3Fs=1'],
    ['in quotes', '"/messages?s=1"'],
    ['in single quotes', "'/messages?s=1'"],
    ['as a member of an object', '{"sessionId":"s","uri":"/messages?s=1"}'],
  ])('may name its address for messages %s', async (_how, endpoint) => {
    await using server = await sseServer({ endpoint, post: (response) => sendJson(response, 202) });
    await using near = await remotePeer(server.url, { kind: 'sse' });
    expect(await near.peer.request('ping').result).toEqual({ method: 'ping' });
    expect(server.posted).toEqual(['/messages?s=1']);
  });

  it.each(['/messages?s=1', 'http://127.0.0.1:PORT/messages?s=1', '"/messages?s=1"'])(
    'may name its address in an event without a name: %s',
    async (endpoint) => {
      const post = (response: ServerResponse) => sendJson(response, 202);
      await using server = await sseServer({ endpoint, endpointName: 'message', post });
      await using near = await remotePeer(server.url, { kind: 'sse' });
      expect(await near.peer.request('ping').result).toEqual({ method: 'ping' });
    },
  );

  it('may name its address in an event whose name is in capitals', async () => {
    const post = (response: ServerResponse) => sendJson(response, 202);
    await using server = await sseServer({ endpointName: 'Endpoint', post });
    await using near = await remotePeer(server.url, { kind: 'sse' });
    expect(await near.peer.request('ping').result).toEqual({ method: 'ping' });
  });

  it('may name its address with the entities of a page', async () => {
    const post = (response: ServerResponse) => sendJson(response, 202);
    await using server = await sseServer({ endpoint: '/messages?a=1&amp;s=1', post });
    await using near = await remotePeer(server.url, { kind: 'sse' });
    expect(await near.peer.request('ping').result).toEqual({ method: 'ping' });
    expect(server.posted).toEqual(['/messages?a=1&s=1']);
  });

  it('is not posted to where it names no address of its own', async () => {
    for (const endpoint of ['{"uri":"http://elsewhere.example/messages"}', '"http://elsewhere.example/"']) {
      await using server = await sseServer({ endpoint, post: (response) => sendJson(response, 202) });
      await expect(remotePeer(server.url, { kind: 'sse' })).rejects.toThrow('to a different origin');
    }
  });

  it('may answer in the body of the POST and never on its stream', async () => {
    const post = (response: ServerResponse, method: string, id: number | undefined) =>
      sendJson(response, 200, { jsonrpc: '2.0', id, result: { inBody: method } });
    await using server = await sseServer({ post, isSilent: true });
    await using near = await remotePeer(server.url, { kind: 'sse' });
    for (const method of ['initialize', 'tools/list', 'tools/call'])
      expect(await near.peer.request(method).result).toEqual({ inBody: method });
    expect(near.noise).toEqual([]);
  });

  it.each([
    ['ends', true],
    ['is left open', false],
  ])('may answer in an event in the body of the POST, which %s', async (_how, ends) => {
    const post = (response: ServerResponse, method: string, id: number | undefined) => {
      beginEvents(response);
      response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { inBody: method } })}\n\n`);
      if (ends) response.end();
    };
    await using server = await sseServer({ post, isSilent: true });
    await using near = await remotePeer(server.url, { kind: 'sse' });
    for (const method of ['initialize', 'tools/list'])
      expect(await near.peer.request(method).result).toEqual({ inBody: method });
  });

  it.each([
    ['responds to no message', () => {}],
    ['closes the connection of a notification', (response: ServerResponse) => response.destroy()],
  ])('is used even if it %s', async (_how, refuse) => {
    const post = (response: ServerResponse, method: string) => {
      if (method.startsWith('notifications/')) refuse(response);
    };
    await using server = await sseServer({ post });
    await using near = await remotePeer(server.url, { kind: 'sse' });
    expect(await near.peer.request('initialize').result).toEqual({ method: 'initialize' });
    await near.peer.notify('notifications/initialized');
    expect(await near.peer.request('tools/list').result).toEqual({ method: 'tools/list' });
    expect(near.ended).toEqual([]);
  });

  it('answers on its stream where it does so at all, whatever stands in the body', async () => {
    const post = (response: ServerResponse, _method: string, id: number | undefined) =>
      sendJson(response, 200, { jsonrpc: '2.0', id, result: {} });
    await using server = await sseServer({ post });
    await using near = await remotePeer(server.url, { kind: 'sse' });
    for (const method of ['initialize', 'tools/list'])
      expect(await near.peer.request(method).result).toEqual({ method });
    expect(near.noise).toEqual([]);
  });

  it.each([
    [200, 'application/json', '{}'],
    [200, 'text/plain', 'OK'],
    [202, 'text/plain', 'Accepted'],
    [204, 'text/plain', ''],
    [200, 'text/event-stream', ''],
  ])('may answer a message with %s, %s and %s', async (status, type, body) => {
    await using server = await sseServer({
      eventName: 'response',
      lineEnd: '\r\n',
      post: (response) => response.writeHead(status, { 'content-type': type }).end(body),
    });
    await using near = await remotePeer(server.url, { kind: 'sse' });
    expect(await near.peer.request('tools/list').result).toEqual({ method: 'tools/list' });
    await near.peer.notify('notifications/initialized');
    expect([near.noise, near.ended]).toEqual([[], []]);
  });

  it('[US3.2] fails a call alone that it refuses, with its words', async () => {
    const error = { code: -32602, message: 'The file is not there' };
    await using server = await sseServer({
      post: (response, method, id) => {
        if (method === 'own') sendJson(response, 400, { jsonrpc: '2.0', id, error });
        else if (method === 'other') sendJson(response, 403, { detail: 'Not yours' });
        else if (method === 'ping') sendJson(response, 404, {});
        else sendJson(response, 202);
      },
    });
    await using near = await remotePeer(server.url, { kind: 'sse' });
    await expect(near.peer.request('own').result).rejects.toMatchObject({ name: 'RpcError', ...error });
    await expect(near.peer.request('other').result).rejects.toThrow(
      'The server answered with HTTP 403: Not yours',
    );
    await expect(near.peer.request('ping').result).rejects.toMatchObject({ name: 'RpcError' });
    expect(await near.peer.request('fine').result).toEqual({ method: 'fine' });
    expect(near.ended).toEqual([]);
  });

  it.each([
    [500, 0],
    [404, 0],
    [404, 200],
    [405, 200],
    [500, 200],
  ])('may refuse a call with HTTP %i and answer it on its stream after %i ms', async (status, delayMs) => {
    await using server = await sseServer({
      post: (response) => sendJson(response, status, { error: 'no' }),
      answersRefusedAfter: delayMs,
    });
    await using near = await remotePeer(server.url, { kind: 'sse' });
    for (const method of ['initialize', 'tools/call'])
      expect(await near.peer.request(method).result).toEqual({ method });
    expect([near.ended, near.noise, server.posted.length]).toEqual([[], [], 2]);
  });

  it('[US3.2] may answer on its stream before it refuses the call', async () => {
    await using server = await sseServer({
      post: (response) => setTimeout(() => sendJson(response, 404, {}), 100),
    });
    await using near = await remotePeer(server.url, { kind: 'sse' });
    expect(await near.peer.request('tools/call').result).toEqual({ method: 'tools/call' });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await near.peer.request('tools/list').result).toEqual({ method: 'tools/list' });
    expect(near.ended).toEqual([]);
  });

  it('[NFR-R2] gets a new session if it has forgotten the one of a call', async () => {
    await using server = await sseServer({
      post: (response) => sendJson(response, 404, 'Could not find session'),
    });
    await using near = await remotePeer(server.url, { kind: 'sse' });
    await expect(near.peer.request('tools/call').result).rejects.toMatchObject({ sent: false });
    await expect.poll(() => near.ended).toMatchObject([{ name: 'SessionGoneError' }]);
  });
});
