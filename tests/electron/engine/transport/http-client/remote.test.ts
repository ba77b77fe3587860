import type { RequestListener, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { JsonRpcRequest } from '../../../../../electron/engine/jsonrpc/message.ts';
import { createPeer } from '../../../../../electron/engine/jsonrpc/peer.ts';
import { toRaw } from '../../../../../electron/engine/jsonrpc/read-message.ts';
import { createHttpClientTransport } from '../../../../../electron/engine/transport/http-client/http-client-transport.ts';
import { withinOrigin } from '../../../../../electron/engine/transport/http-client/within-origin.ts';
import { beginEvents, httpServer, readJson, sendJson } from '../../../../helper/http-server.ts';

type Answer = (body: JsonRpcRequest, response: ServerResponse) => void;

/** Starts a server that answers one request at a time on command, and has no session stream. */
const answering =
  (answer: Answer): RequestListener =>
  async (request, response) => {
    if (request.method !== 'POST') return sendJson(response, 405);
    const body = (await readJson(request)) as JsonRpcRequest;
    if (body.id === undefined) return sendJson(response, 202);
    answer(body, response);
  };

async function peerOf(url: string, kind: 'http' | 'sse' = 'http') {
  const noise: string[] = [];
  const transport = createHttpClientTransport({ url, headers: { 'x-key': 'k' }, kind, isExplicit: true });
  const peer = createPeer(transport, {
    request: async () => ({}),
    notification: () => {},
    noise: (text) => noise.push(text),
    closed: () => {},
  });
  await peer.start();
  return { peer, noise, [Symbol.asyncDispose]: () => peer.close() };
}

const request = (method: string) => toRaw({ jsonrpc: '2.0', id: 0, method, params: {} });

describe('[PB-PASS-1] what a remote server says', () => {
  it('[FR-008] passes to the digit, on one line however it was laid out', async () => {
    const result = '{"big":9007199254740993,"zero":-0,"a":1,"a":2,\r\n  "text":"\u2028 and \\n"}';
    await using server = await httpServer(
      answering(({ id }, response) => {
        response.writeHead(200, { 'content-type': 'Application/JSON; charset=utf-8' });
        response.end(`{\n  "jsonrpc": "2.0",\n  "id": ${id},\n  "result": ${result}\n}\n`);
      }),
    );
    await using near = await peerOf(server.url);
    const answer = await near.peer.forward(request('x')).result;
    expect(answer.resultBytes?.toString('utf8')).toBe(result.replace('\r\n', '  '));
    expect(answer.line().indexOf('\n')).toBe(answer.line().length - 1);
  });

  it('[FR-008] may come in an event of many lines, cut anywhere', async () => {
    await using server = await httpServer(
      answering(async ({ id }, response) => {
        beginEvents(response);
        const bytes = Buffer.from(
          `: hello\r\nevent: message\r\ndata: {"jsonrpc":"2.0",\r\ndata: "id":${id},"result":{"é":"😀"}}\r\n\r\n`,
        );
        for (const byte of bytes) {
          response.write(Buffer.from([byte]));
          await new Promise((resolve) => setImmediate(resolve));
        }
        response.end();
      }),
    );
    await using near = await peerOf(server.url);
    expect(await near.peer.request('x').result).toEqual({ é: '😀' });
  });

  it('may be an array, as an older revision has it', async () => {
    await using server = await httpServer(
      answering(({ id }, response) =>
        sendJson(response, 200, [
          { jsonrpc: '2.0', method: 'notifications/message' },
          { jsonrpc: '2.0', id, result: { ok: true } },
        ]),
      ),
    );
    await using near = await peerOf(server.url);
    expect(await near.peer.request('x').result).toEqual({ ok: true });
  });

  it.each([
    ['is a page', 200, 'text/html', '<html>'],
    ['is JSON that is no answer', 200, 'application/json', '{"hello":1}'],
    ['answers another request', 200, 'application/json', '{"jsonrpc":"2.0","id":99,"result":{}}'],
    ['is an event that is no message', 200, 'text/event-stream', 'data: hello\n\n'],
  ])('[NFR-R4] fails the one call when it %s', async (_what, status, type, body) => {
    await using server = await httpServer(
      answering(({ method, id }, response) => {
        if (method === 'fine') return sendJson(response, 200, { jsonrpc: '2.0', id, result: {} });
        response.writeHead(status, { 'content-type': type });
        response.end(body);
      }),
    );
    await using near = await peerOf(server.url);
    await expect(near.peer.request('x').result).rejects.toMatchObject({
      sent: true,
      cause: { problem: { code: 'server.unreachable' } },
    });
    expect(await near.peer.request('fine').result).toEqual({});
  });
});

describe('[NFR-R4] a request that a server only accepts', () => {
  it('fails where no stream is left on which the answer could come', async () => {
    await using server = await httpServer(answering((_body, response) => sendJson(response, 202)));
    await using near = await peerOf(server.url);
    await expect(near.peer.request('before').result).rejects.toMatchObject({ sent: true });
    await near.peer.notify('notifications/initialized');
    await expect(near.peer.request('after').result).rejects.toMatchObject({ sent: true });
  });
});

describe('redirects', () => {
  const redirecting = (location: string, status: number): RequestListener => {
    let redirected = 0;
    return async (incoming, response) => {
      if (redirected++ === 0) return void response.writeHead(status, { location }).end();
      const { id } = (await readJson(incoming)) as JsonRpcRequest;
      sendJson(response, 200, { jsonrpc: '2.0', id, result: { key: incoming.headers['x-key'] } });
    };
  };

  it('are followed on the same server, with headers and message', async () => {
    await using server = await httpServer(redirecting('/elsewhere', 307));
    await using near = await peerOf(server.url);
    expect(await near.peer.request('x').result).toEqual({ key: 'k' });
  });

  it.each([
    ['to another server', 'http://127.0.0.1:1/', 307],
    ['that would lose the message', '/elsewhere', 302],
    ['that carry a login', 'http://user:pass@127.0.0.1/', 307],
  ])('%s are refused', async (_what, location, status) => {
    await using server = await httpServer(redirecting(location, status));
    await using near = await peerOf(server.url);
    await expect(near.peer.request('x').result).rejects.toMatchObject({ status });
  });

  it('come to an end', async () => {
    let asked = 0;
    const fetch = withinOrigin(async () => {
      asked += 1;
      return new Response(null, { status: 307, headers: { location: '/again' } });
    });
    expect((await fetch('http://a.example/')).status).toBe(307);
    expect(asked).toBe(6);
  });
});

describe('an SSE server', () => {
  it('may not name an address elsewhere for messages', async () => {
    await using server = await httpServer((_request, response) => {
      beginEvents(response);
      response.write('event: endpoint\ndata: http://elsewhere.example/messages\n\n');
    });
    await expect(peerOf(server.url, 'sse')).rejects.toMatchObject({
      problem: { sentence: 'The server asked for messages to be sent to a different origin.' },
    });
  });
});
