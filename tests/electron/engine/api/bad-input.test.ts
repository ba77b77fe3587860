import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { adminToken, agentToken, fakePorts, serveApi } from '../../../helper/api.ts';

const servers = '/api/v1/aggregator/servers';
const json = { 'content-type': 'application/json' };
const good = { name: 'n', transport_type: 'STDIO', connection_config: { command: 'node' } };

const opened = () => serveApi(fakePorts().ports);

/** Sends these bytes over a connection and returns the answer. */
function talk(url: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text));
    let heard = '';
    socket.on('data', (bytes) => {
      heard += bytes;
      if (heard.includes('}')) socket.destroy();
    });
    socket.on('close', () => resolve(heard));
    socket.on('error', (error) => (heard === '' ? reject(error) : resolve(heard)));
  });
}

describe('an invalid request', () => {
  it.each([
    ['no JSON', '{', json, 400, 'invalid_json'],
    ['no body', undefined, json, 400, 'invalid_json'],
    ['another kind of body', 'a=b', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ['no kind of body', new Uint8Array([123, 125]), {}, 415, 'unsupported_media_type'],
    [
      'another character set',
      '{}',
      { 'content-type': 'application/json; charset=latin1' },
      415,
      'unsupported_media_type',
    ],
    ['a packed body', '{}', { ...json, 'content-encoding': 'gzip' }, 415, 'unsupported_media_type'],
    ['what is no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), json, 400, 'invalid_encoding'],
    ['more than 4 MiB', `"${'x'.repeat(4 * 1024 * 1024)}"`, json, 413, 'body_too_large'],
    ['a body nested deeply', '['.repeat(200_000), json, 400, 'invalid_json'],
    ['another type', '[]', json, 422, 'invalid_request'],
  ] as const)('is answered, with %s', async (_what, body, headers, status, code) => {
    await using api = await opened();
    const response = await api.ask(servers, {
      method: 'POST',
      headers,
      ...(body === undefined ? {} : { body }),
    });
    expect({ status: response.status, ...((await response.json()) as object) }).toMatchObject({
      status,
      code,
      error: expect.stringMatching(/\.$/),
      error_type: 'BadRequestError',
    });
  });

  it('is refused while it is still being sent if it has no length and no end', async () => {
    await using api = await opened();
    const path = '/api/v1/aggregator/servers';
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${adminToken}\r\n`;
    const kind = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    const piece = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    expect(await talk(api.url, head + kind + piece.repeat(66))).toMatch(
      /^HTTP\/1.1 413 [\s\S]*body_too_large/,
    );
  });

  it('[PB-SAFE-2] has a name with invisible characters', async () => {
    await using api = await opened();
    for (const name of ['a\u001b[31mb', 'a\u202eb', 'a\nb', 'a\u200bb'])
      expect(
        await api.send('POST', servers, {
          name,
          transport_type: 'STDIO',
          connection_config: { command: 'x' },
        }),
      ).toMatchObject({ status: 422, body: { code: 'invalid_request' } });
  });

  it('has a wrong method, path or id', async () => {
    await using api = await opened();
    const other = await api.ask(servers, { method: 'PUT', headers: json, body: '{}' });
    expect(other.status).toBe(405);
    expect(other.headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'POST']);
    expect(await other.json()).toMatchObject({ code: 'method_not_allowed' });
    const options = await api.ask(servers, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, POST, OPTIONS']);
    expect(await api.send('POST', '/api/v2/no', {})).toMatchObject({
      status: 404,
      body: { code: 'path_not_found' },
    });
    for (const path of [
      `${servers}/nobody`,
      `${servers}/%2e%2e%2f%2e%2e`,
      `${servers}/a%00`,
      `${servers}/%ff`,
    ]) {
      const response = await api.ask(path);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: 'server_not_found', error_type: 'NotFoundError' });
    }
  });

  it('[API-1] lists all invalid fields at once', async () => {
    await using api = await opened();
    const wrong = { name: '', transport_type: 'TELNET', connection_config: { url: 3 }, extra: 1 };
    const { status, body } = await api.send('POST', servers, wrong);
    expect(status).toBe(422);
    const { fields } = body as { fields: readonly { path: string }[] };
    expect(fields.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['name', 'transport_type', 'connection_config.url', '']),
    );
    const design = await api.send('POST', '/api/v1/mcp/invoke', {});
    expect(design).toMatchObject({ status: 400, body: { error_type: 'BadRequestError' } });
  });

  it('does not treat prototype properties as members', async () => {
    await using api = await opened();
    const text = `{"__proto__":{"name":"n"},"constructor":1,${JSON.stringify(good).slice(1)}`;
    expect((await api.send('POST', servers, text)).status).toBe(422);
    expect(({} as Record<string, unknown>).name).toBeUndefined();
  });
});

describe('a token', () => {
  it.each([
    ['is missing', {}, 'token_missing'],
    ['is of another kind', { authorization: 'Basic abc' }, 'token_missing'],
    ['is not known', { authorization: 'Bearer nobody' }, 'token_invalid'],
    ['is very long', { authorization: `Bearer ${'x'.repeat(8_000)}` }, 'token_invalid'],
  ] as const)('that %s is answered with 401', async (_what, headers, code) => {
    await using api = await opened();
    for (const path of [servers, '/metrics', '/api/v1/tools', '/api/v1/events', '/api/nowhere']) {
      const response = await api.ask(path, { headers, token: '' });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
      expect(await response.json()).toMatchObject({ code, error_type: 'AuthorizationError' });
    }
  });

  it('of an identity gives no access to administration', async () => {
    await using api = await opened();
    for (const path of [
      servers,
      `${servers}/a`,
      '/metrics',
      '/api/v1/identities',
      '/api/v1/mcp/circuit-breakers',
    ]) {
      const response = await api.ask(path, { token: agentToken });
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ code: 'admin_only' });
    }
    expect((await api.send('POST', servers, good, agentToken)).status).toBe(403);
    expect((await api.send('POST', '/api/v1/identities', {}, agentToken)).status).toBe(403);
  });

  it('[REQ-MCP-AUTH-001] of an identity cannot be used as another one', async () => {
    await using api = await opened();
    const call = { name: 'a.x', agent_id: 'somebody' };
    expect(await api.send('POST', '/api/v1/tools/call', call, agentToken)).toMatchObject({
      status: 401,
      body: { code: 'foreign_token' },
    });
    for (const agent_id of ['i1', 'bot', undefined]) {
      const { status } = await api.send('POST', '/api/v1/tools/call', { ...call, agent_id }, agentToken);
      expect(status).toBe(200);
    }
  });

  it('of the administrator calls for the identity it names', async () => {
    await using api = await opened();
    const unnamed = await api.send('POST', '/api/v1/tools/call', { name: 'a.x' }, adminToken);
    expect(unnamed).toMatchObject({ status: 400, body: { code: 'agent_missing' } });
    const unknown = await api.send('POST', '/api/v1/tools/call', { name: 'a.x', agent_id: 'x' });
    expect(unknown).toMatchObject({ status: 401, body: { code: 'no_grant' } });
    expect((await api.send('POST', '/api/v1/tools/call', { name: 'a.x', agent_id: 'bot' })).status).toBe(200);
  });
});

describe('bytes that are not a request', () => {
  it.each([
    ['an address that cannot be read', 'GET http://[ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['a path without its slash', 'GET api/v1/tools HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['a host with a path', 'GET /api/v1/tools HTTP/1.1\r\nHost: a/b\r\nConnection: close\r\n\r\n'],
  ])('are answered where they are %s', async (_what, text) => {
    await using api = await opened();
    expect(await talk(api.url, text)).toMatch(/^HTTP\/1.1 40[0-4] /);
    expect((await api.ask('/openapi.json')).status).toBe(200);
  });
});
