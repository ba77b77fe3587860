import { afterEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../../../electron/engine/base/logger.ts';
import { emptyListing } from '../../../../../electron/engine/catalogue/contract.ts';
import { createHttpEndpoint } from '../../../../../electron/engine/gateway/http/http-endpoint.ts';
import { createSessionRegistry } from '../../../../../electron/engine/gateway/session/session-registry.ts';
import { metaKeys } from '../../../../../electron/engine/transport/modern/protocol.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import { catalogueOf, createHeldRouter, surroundings, until } from '../../../../helper/gateway.ts';
import { envelope, type Json } from '../../transport/modern/modern-peers.ts';

const token = 'correct-horse-battery-staple';
const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const it of opened.splice(0).reverse()) await it.close();
});

const tools = [
  {
    name: 'deploy',
    inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
  },
  { name: `a_tool_whose_name_is_as_long_as_some_clients_can_take_${'x'.repeat(12)}`, inputSchema: {} },
  {
    name: 'broken',
    inputSchema: { type: 'object', properties: { region: { type: 'object', 'x-mcp-header': 'Region' } } },
  },
];

/** An endpoint with one server, whose calls wait until the test answers them. */
async function hub() {
  const { router, calls } = createHeldRouter();
  const store = catalogueOf({ s: { ...emptyListing, protocolVersion: '2025-11-25', tools } });
  const sessions = createSessionRegistry(surroundings({ router, catalogue: store }));
  const endpoint = createHttpEndpoint({
    token,
    version: '1.2.3',
    instanceId: 'hub test',
    hasProfile: () => false,
    hasServer: () => true,
    log: silentLogger,
    clock: new FakeClock(),
    sessions,
  });
  await endpoint.listen(0);
  opened.push(endpoint, sessions);
  const post = async (
    method: string,
    params: Json,
    more: Readonly<Record<string, string>> = {},
    path = '',
    meta: object = envelope(),
  ) => {
    const response = await fetch(`http://127.0.0.1:${endpoint.port}/mcp${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(params.name === undefined ? {} : { 'mcp-name': params.name }),
        ...more,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }),
    });
    return { status: response.status, body: (await response.json()) as Json };
  };
  const ask = (method: string, headers: Readonly<Record<string, string>>, query = '', body?: string) =>
    fetch(`http://127.0.0.1:${endpoint.port}/mcp${query}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body === undefined ? {} : { body }),
    });
  return { calls, post, ask };
}

describe('[PB-DUAL-1] [PB-DUAL-4] the HTTP endpoint and arguments in headers', () => {
  it('refuses initialize under a version that has none, by its header', async () => {
    const { post } = await hub();
    const refused = await post('initialize', { protocolVersion: '2025-11-25' }, {}, '', {});
    expect(refused).toMatchObject({ status: 400, body: { error: { code: -32020 } } });
  });

  it('serves a client without sessions by POST only; one with sessions may GET and DELETE', async () => {
    const { ask } = await hub();
    for (const method of ['GET', 'DELETE']) {
      for (const [headers, query] of [
        [{ 'mcp-protocol-version': '2026-07-28' }, ''],
        [{ 'mcp-protocol-version': '2026-07-28', 'mcp-session-id': 'x' }, ''],
        [{}, '?protocol=modern'],
      ] as const) {
        const refused = await ask(method, headers, query);
        expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
      }
      expect((await ask(method, { 'mcp-protocol-version': '2025-11-25' })).status).toBe(400);
    }
  });

  it.each([
    ['s__deploy', ''],
    ['deploy', ''],
    ['deploy', '/servers/s'],
  ])('refuses a call of %s at /mcp%s whose header differs, without running it', async (name, path) => {
    const { calls, post } = await hub();
    const params = { name, arguments: { region: 'eu' } };
    for (const headers of [{}, { 'mcp-param-region': 'us' }]) {
      const refused = await post('tools/call', params, headers, path);
      expect(refused).toMatchObject({ status: 400, body: { id: 1, error: { code: -32020 } } });
    }
    expect(calls).toEqual([]);
    const taken = post('tools/call', params, { 'mcp-param-region': 'eu' }, path);
    await until('the call', () => calls.length === 1);
    calls[0]?.answer({ content: [] });
    expect(await taken).toMatchObject({ status: 200, body: { result: { content: [] } } });
  });

  it('gives each client of one token names of the length that it takes, whoever asked first', async () => {
    const { post } = await hub();
    const longest = async (name: string) => {
      const { body } = await post(
        'tools/list',
        {},
        {},
        '',
        envelope({}, { [metaKeys.clientInfo]: { name, version: '1' } }),
      );
      return Math.max(...body.result.tools.map((tool: Json) => tool.name.length));
    };
    expect(await longest('claude-ai')).toBe(64);
    expect(await longest('cursor-vscode')).toBeLessThan(60);
    expect(await longest('claude-ai')).toBe(64);
    // Clients of more than sixteen names share a session.
    for (let index = 0; index < 20; index += 1) expect(await longest(`client-${index}`)).toBeGreaterThan(40);
  });

  it('ends the response to a request that a notification has cancelled', async () => {
    const { calls, post, ask } = await hub();
    const waiting = post('tools/call', { name: 's__broken', arguments: {} });
    await until('the call', () => calls.length === 1);
    const headers = { 'mcp-protocol-version': '2026-07-28', 'content-type': 'application/json' };
    const params = { requestId: 1, _meta: envelope() };
    const notice = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    expect((await ask('POST', headers, '', notice)).status).toBe(202);
    expect(await waiting).toMatchObject({ status: 200, body: { id: 1, error: { code: -32800 } } });
  });

  it('requires no header for an invalid schema, or for an unknown tool', async () => {
    const { calls, post } = await hub();
    const broken = post('tools/call', { name: 's__broken', arguments: { region: {} } });
    await until('the call', () => calls.length === 1);
    calls[0]?.answer({ content: [] });
    expect(await broken).toMatchObject({ status: 200 });
    const unknown = post('tools/call', { name: 'nobody__has', arguments: { region: 'eu' } });
    await until('the call', () => calls.length === 2);
    calls[1]?.answer({ content: [] });
    expect((await unknown).body.error).toBeUndefined();
  });
});
