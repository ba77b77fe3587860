import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { ConnectionClosedError, RpcError } from '../../../../../electron/engine/jsonrpc/message.ts';
import type { Peer } from '../../../../../electron/engine/jsonrpc/peer-contract.ts';
import { httpServer, sendJson } from '../../../../helper/http-server.ts';
import { greetedPeer, oddServer, remotePeer } from '../../../../helper/remote-peer.ts';

const invalid = { code: -32600, message: 'Invalid Request' };

function send(response: ServerResponse, status: number, type: string, body: string | Buffer): true {
  response.writeHead(status, type === '' ? {} : { 'content-type': type });
  response.end(body);
  return true;
}

const outcome = (peer: Peer, method: string) =>
  peer.request(method).result.catch((error: unknown) => error) as Promise<Error>;

describe('[NFR-R1] a ping that a server refuses', () => {
  const statuses = [400, 403, 404, 405, 406, 410, 415, 422, 429, 500, 501, 502, 503];

  it.each(statuses)('proves life with HTTP %s while its other answers come', async (status) => {
    for (const body of [{ jsonrpc: '2.0', id: null, error: invalid }, { message: 'no' }, undefined]) {
      await using server = await oddServer(({ method }, response) => {
        if (method !== 'ping') return false;
        sendJson(response, status, body);
        return true;
      });
      await using near = await greetedPeer(server.url);
      await near.peer.request('tools/list').result;
      for (let time = 0; time < 3; time += 1) {
        expect(await outcome(near.peer, 'ping')).toBeInstanceOf(RpcError);
      }
      expect(await near.peer.request('tools/call').result).toEqual({ did: 'tools/call' });
      expect(near.ended).toEqual([]);
    }
  });

  it.each([
    ['202', 202, ''],
    ['200 and nothing', 200, ''],
    ['200 and a word', 200, 'pong'],
    ['200 and JSON that is no answer', 200, '{"status":"ok"}'],
  ])('proves life with %s', async (_what, status, text) => {
    await using server = await oddServer(
      ({ method }, response) => method === 'ping' && send(response, status, 'text/plain', text),
    );
    await using near = await greetedPeer(server.url);
    await near.peer.request('tools/list').result;
    expect(await outcome(near.peer, 'ping')).toBeInstanceOf(RpcError);
    expect(near.ended).toEqual([]);
  });

  it('is missed where a gateway refuses everything', async () => {
    let isDown = false;
    await using server = await oddServer(
      (_body, response) => isDown && send(response, 502, 'text/plain', 'bad gateway'),
    );
    await using near = await greetedPeer(server.url);
    await near.peer.request('tools/list').result;
    isDown = true;
    expect(await outcome(near.peer, 'ping')).toMatchObject({
      name: 'HttpStatusError',
      cause: { problem: { sentence: 'The server answered with HTTP 502: bad gateway' } },
    });
    expect(near.ended).toEqual([]);
  });
});

describe('[NFR-R2] an address at which no server is any more', () => {
  it.each([404, 405, 500])(
    'is noticed by a ping that is refused as everything is, with HTTP %s',
    async (status) => {
      let isGone = false;
      await using server = await oddServer(({ id, method }, response) => {
        if (isGone) return send(response, status, 'text/html', '<title>Nothing here</title>');
        if (method !== 'initialize') return false;
        sendJson(response, 200, { jsonrpc: '2.0', id, result: {} });
        return true;
      });
      await using near = await greetedPeer(server.url);
      await near.peer.request('tools/list').result;
      isGone = true;
      expect(await outcome(near.peer, 'ping')).toBeInstanceOf(ConnectionClosedError);
      expect(near.ended).toEqual([]);
    },
  );
});

describe('[NFR-R2] a session that a server has forgotten', () => {
  const unknown = { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'No valid session ID' } };

  it.each([400, 404, 409, 410, 422, 500])('ends with HTTP %s to a call', async (status) => {
    let knows = true;
    await using server = await oddServer((_body, response) => {
      if (!knows) sendJson(response, status, unknown);
      return !knows;
    });
    await using near = await greetedPeer(server.url);
    await near.peer.request('tools/list').result;
    knows = false;
    expect(await outcome(near.peer, 'tools/call')).toMatchObject({
      name: 'ConnectionClosedError',
      sent: false,
    });
    await expect.poll(() => near.ended).toMatchObject([{ name: 'SessionGoneError' }]);
  });

  it.each([
    ['in a first session, for the protocol says so', false, 1],
    ['but not in one that followed, where other requests are answered', true, 0],
  ])('ends with one call that is refused by 404 %s', async (_when, isRenewed, ends) => {
    await using server = await oddServer(
      ({ method }, response) => method === 'tools/call' && send(response, 404, 'text/plain', 'nothing here'),
    );
    await using near = await greetedPeer(server.url, { isReconnect: isRenewed });
    await near.peer.request('tools/list').result;
    const failure = await outcome(near.peer, 'tools/call');
    if (ends === 0) expect(failure.message).toBe('The server answered with HTTP 404: nothing here');
    await expect.poll(() => near.ended.length).toBe(ends);
  });

  it('survives a 404 for something the server does not have', async () => {
    const none = ['prompts/list', 'resources/list', 'resources/templates/list', 'logging/setLevel'];
    await using server = await oddServer(({ method, id }, response) => {
      if (none.includes(method)) sendJson(response, 404, { jsonrpc: '2.0', id, error: invalid });
      return none.includes(method);
    });
    await using near = await greetedPeer(server.url);
    await near.peer.request('tools/list').result;
    for (const method of none) expect(await outcome(near.peer, method)).toMatchObject(invalid);
    expect(await near.peer.request('tools/call').result).toEqual({ did: 'tools/call' });
    expect(near.ended).toEqual([]);
  });

  it('is not replaced again for lists that a server refuses before it has answered anything', async () => {
    await using server = await oddServer(({ method }, response) => {
      const isRefused = method === 'ping' || method === 'prompts/list';
      return isRefused && send(response, 404, 'text/plain', 'no such route');
    });
    await using near = await greetedPeer(server.url, { isReconnect: true });
    expect((await outcome(near.peer, 'prompts/list')).message).toBe(
      'The server answered with HTTP 404: no such route',
    );
    expect(await near.peer.request('tools/list').result).toEqual({ did: 'tools/list' });
    expect(near.ended).toEqual([]);
  });

  it('survives a 404 about the method, the params or the resource', async () => {
    await using server = await oddServer(({ id, method }, response) => {
      const code = { unknown: -32601, 'tools/call': -32602, 'resources/read': -32002 }[method];
      if (code !== undefined)
        sendJson(response, 404, { jsonrpc: '2.0', id, error: { code, message: 'not here' } });
      return code !== undefined;
    });
    await using near = await greetedPeer(server.url);
    for (const [method, code] of [
      ['unknown', -32601],
      ['tools/call', -32602],
      ['resources/read', -32002],
    ] as const) {
      expect(await outcome(near.peer, method)).toMatchObject({ name: 'RpcError', code, message: 'not here' });
    }
    expect(near.ended).toEqual([]);
  });

  it('is named once to a server whose header came twice', async () => {
    await using server = await oddServer(({ id, method }, response, { verb, headers }) => {
      if (verb === 'POST' && method !== 'initialize')
        return headers['mcp-session-id'] !== 'kite-1' && send(response, 404, '', '');
      if (method !== 'initialize') return false;
      response.setHeader('mcp-session-id', ['kite-1', 'kite-1']);
      sendJson(response, 200, { jsonrpc: '2.0', id, result: {} });
      return true;
    });
    await using near = await greetedPeer(server.url);
    expect(await near.peer.request('tools/list').result).toEqual({ did: 'tools/list' });
  });

  it('is distinguished from one that the server never knew', async () => {
    await using server = await oddServer(({ method }, response) => {
      if (method !== 'initialize') sendJson(response, 404, unknown);
      return method !== 'initialize';
    });
    await using near = await remotePeer(server.url);
    await near.peer.request('initialize', {}).result;
    await expect(near.peer.notify('notifications/initialized')).rejects.toMatchObject({
      message: 'The server does not recognize the session it has just started.',
    });
  });
});

describe('[NFR-R1] a refusal of something that needs no answer', () => {
  it.each([400, 403, 404, 405, 410, 500])('costs nothing, with HTTP %s', async (status) => {
    await using server = await oddServer((body, response, { verb }) => {
      if (verb === 'POST' && (body.id !== undefined || body.method === undefined)) return false;
      sendJson(response, status, { message: 'Validation failed' });
      return true;
    });
    await using near = await remotePeer(server.url);
    await near.peer.request('initialize', {}).result;
    for (const method of ['initialized', 'cancelled', 'progress', 'roots/list_changed']) {
      await expect(near.peer.notify(`notifications/${method}`, { requestId: 99 })).rejects.toMatchObject({
        name: 'HttpStatusError',
        words: 'Validation failed',
      });
    }
    expect(await near.peer.request('tools/call').result).toEqual({ did: 'tools/call' });
    expect(near.ended).toEqual([]);
  });
});

describe('[US3.2] the words of a server that refuses a call', () => {
  const error = { code: -32001, message: 'The file is not there', data: { name: 'a' } };

  it.each([
    ['its own id', 400, 'application/json', JSON.stringify({ jsonrpc: '2.0', id: 2, error })],
    ['its id as text', 500, 'application/problem+json', JSON.stringify({ jsonrpc: '2.0', id: '2', error })],
    ['no id', 422, '', JSON.stringify({ jsonrpc: '2.0', error })],
    ['an id of the server', 503, 'text/plain', JSON.stringify({ jsonrpc: '2.0', id: 'server-error', error })],
    ['an event', 400, 'text/event-stream', `data: ${JSON.stringify({ jsonrpc: '2.0', id: 2, error })}\n\n`],
    ['a batch', 400, 'application/json', JSON.stringify([{ jsonrpc: '2.0', id: 2, error }])],
  ])('reach the caller as they came with %s', async (_what, status, type, body) => {
    await using server = await oddServer(
      ({ method }, response) => method === 'tools/call' && send(response, status, type, body),
    );
    await using near = await greetedPeer(server.url);
    expect(await outcome(near.peer, 'tools/call')).toMatchObject({ name: 'RpcError', ...error });
    expect(near.ended).toEqual([]);
  });

  it('[NFR-R1] are an answer where they are a result', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 2, result: { ok: 1 } });
    await using server = await oddServer(
      ({ method }, response) => method === 'tools/call' && send(response, 500, 'application/json', body),
    );
    await using near = await greetedPeer(server.url);
    expect(await near.peer.request('tools/call').result).toEqual({ ok: 1 });
  });

  it.each([
    ['application/json', '{"message":"Validation failed"}', ': Validation failed'],
    ['application/json', '{"error":"Not yours"}', ': Not yours'],
    ['application/json', '{"error":{"code":"E1","message":"Not\\u0007 \\u202eyours"}}', ': Not yours'],
    ['application/json', '{"detail":[{"loc":["body"],"msg":"field required"}]}', ': field required'],
    ['application/json', '{"oops":true}', ': {"oops":true}'],
    ['text/plain', 'Bad\r\n request\u001b[31m', ': Bad request'],
    [
      'text/html',
      '<html><head><title>Bad Request</title></head><body><h1>x</h1></body></html>',
      ': Bad Request',
    ],
    ['text/html', '<h1>Bad Request</h1>', ''],
    ['application/xml', '<Error><Code>E1</Code><Message>Not yours</Message></Error>', ': Not yours'],
    ['text/xml', '<?xml version="1.0"?><fault xml:lang="en"><detail a="1">No</detail></fault>', ': No'],
    ['text/plain', Buffer.from('Gesperrt für Gäste', 'latin1'), ': Gesperrt für Gäste'],
    ['text/plain', 'the key sk-hush-hush-hush is wrong', ': the key ••• is wrong'],
    ['', '', ''],
  ])('are reported if they are not a message: %s %s', async (type, body, words) => {
    await using server = await oddServer(
      ({ method }, response) => method === 'tools/call' && send(response, 403, type, body),
    );
    await using near = await greetedPeer(server.url, { headers: { 'x-key': 'sk-hush-hush-hush' } });
    const failure = await outcome(near.peer, 'tools/call');
    expect(failure).toMatchObject({ name: 'RpcError', data: { status: 403 } });
    expect(failure.message).toBe(`The server answered with HTTP 403${words}`);
    expect(near.ended).toEqual([]);
  });

  it('[NFR-R4] are cut, and waited for no longer than a moment', async () => {
    await using server = await oddServer(({ method }, response) => {
      if (method !== 'tools/call') return false;
      response.writeHead(400, { 'content-type': 'text/plain' });
      response.write('no '.repeat(1000));
      return true;
    });
    await using near = await greetedPeer(server.url);
    const { message } = await outcome(near.peer, 'tools/call');
    expect(message).toMatch(/^The server answered with HTTP 400: no no .*…$/);
    expect(message.length).toBeLessThan(400);
  });

  it('are reported for a stream that ends without an answer', async () => {
    await using server = await oddServer(({ method }, response) => {
      const text = 'event: error\ndata: {"error":"The model is overloaded"}\n\n';
      return method === 'tools/call' && send(response, 200, 'text/event-stream', text);
    });
    await using near = await greetedPeer(server.url);
    const { message } = await outcome(near.peer, 'tools/call');
    expect(message).toContain('without an answer. Last output: The model is overloaded');
  });

  it('are reported for an invalid answer', async () => {
    await using server = await oddServer(({ method }, response) => {
      if (method === 'json') return send(response, 200, 'application/json', '{"error":"Quota is used up"}');
      return method === 'page' && send(response, 200, 'text/html', '<title>Log in</title>');
    });
    await using near = await greetedPeer(server.url);
    expect((await outcome(near.peer, 'json')).message).toContain(': Quota is used up');
    const page = await outcome(near.peer, 'page');
    expect(page).toBeInstanceOf(ConnectionClosedError);
    expect(page.message).toBe(
      "This address doesn't respond like an MCP server (it returned a web page: Log in).",
    );
  });
});

describe('[NFR-R2] an initialize request that is refused for now', () => {
  it.each([429, 500, 503])(
    'with HTTP %s does not count as an answer, and its words are reported',
    async (status) => {
      const refusal = { jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'Starting up' } };
      for (const explicit of [true, false]) {
        await using server = await httpServer((_request, response) => sendJson(response, status, refusal));
        await using near = await remotePeer(server.url, { isExplicit: explicit });
        expect(await outcome(near.peer, 'initialize')).toMatchObject({
          name: 'HttpStatusError',
          message: `The server answered with HTTP ${status}: Starting up`,
        });
      }
    },
  );
});

describe('[NFR-R1] an initialize request that is answered with an HTTP error', () => {
  it.each([400, 404, 429, 500, 503])('counts as answered where %s carries a result', async (status) => {
    const answer = { jsonrpc: '2.0', id: 1, result: { ok: 1 } };
    await using server = await httpServer((_request, response) => sendJson(response, status, answer));
    await using near = await remotePeer(server.url);
    expect(await near.peer.request('initialize').result).toEqual({ ok: 1 });
  });
});

describe('[NFR-R1] credentials that are refused', () => {
  it('end the connection if initialize is refused by 403, with the server’s words', async () => {
    await using server = await httpServer((_request, response) =>
      sendJson(response, 403, { error: 'Not on the list' }),
    );
    await using near = await remotePeer(server.url, { isExplicit: false });
    const failure = near.peer.request('initialize', {}).result;
    await expect(failure).rejects.toMatchObject({ cause: { problem: { code: 'server.unauthorized' } } });
    await expect
      .poll(() => near.ended)
      .toMatchObject([
        {
          problem: {
            evidence: expect.arrayContaining([{ label: 'the server said', value: 'Not on the list' }]),
          },
        },
      ]);
  });
});

describe('a redirect that is not followed', () => {
  it.each([
    ['http://127.0.0.1:1/inner/?token=hush', 307, 'http://127.0.0.1:1/inner/?…'],
    ['http://ann:hush@inner.example/', 302, 'http://inner.example/'],
    ['/mcp/', 301, '/mcp/'],
    ['/mcp/', 303, '/mcp/'],
  ])('[US1.6] to %s says where to, without secrets', async (location, status, shown) => {
    await using server = await httpServer(
      (_request, response) => void response.writeHead(status, { location }).end(),
    );
    await using near = await remotePeer(server.url, { isExplicit: false });
    const { message } = await outcome(near.peer, 'initialize');
    expect(message).toContain(`The server redirects to `);
    expect(message).toContain(`${shown} (HTTP ${status})`);
    expect(message).not.toContain('hush');
  });
});
