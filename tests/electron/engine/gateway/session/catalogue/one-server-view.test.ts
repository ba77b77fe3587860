import { describe, expect, it } from 'vitest';
import { until } from '../../../../../helper/gateway.ts';
import { createMemoryHub, type MemoryServer } from '../../../../../helper/memory-hub.ts';

const capabilities = { tools: {}, resources: { subscribe: true }, prompts: {}, logging: {}, odd: { a: 1 } };

/** A server that echoes its requests. */
function mirror(own: MemoryServer['offer'] = {}): MemoryServer {
  const echo = (method: string) => (params: unknown) => ({ method, params });
  const methods = ['tools/call', 'prompts/get', 'resources/read', 'completion/complete', 'odd/method'];
  return {
    capabilities,
    offer: {
      capabilities,
      tools: [
        { name: 'echo', inputSchema: {}, 'x-odd': 1 },
        { name: 'a:b.c', inputSchema: {} },
      ],
      resources: [{ uri: 'file:///a', name: 'a' }],
      serverInfo: { name: 'own name', version: '9', extra: true },
      instructions: 'Its own words.',
      ...own,
    },
    answers: {
      ...Object.fromEntries(methods.map((method) => [method, echo(method)])),
      'resources/subscribe': () => ({}),
      'logging/setLevel': () => ({}),
    },
  };
}

async function hub(servers: Readonly<Record<string, MemoryServer>> = { s: mirror(), t: mirror() }) {
  const made = createMemoryHub(servers);
  for (const key of Object.keys(servers)) await made.connect(key);
  return made;
}

describe('a session with one server', () => {
  it('[PB-PASS-1] gets the server’s own initialize result', async () => {
    await using it = await hub();
    expect(await it.greet(await it.direct('s'))).toEqual({
      protocolVersion: '2025-11-25',
      capabilities,
      serverInfo: { name: 'own name', version: '9', extra: true },
      instructions: 'Its own words.',
    });
  });

  it('[PB-PASS-1] speaks the older of the two revisions', async () => {
    await using it = await hub({ s: mirror({ protocolVersion: '2025-03-26' }) });
    expect(await it.greet(await it.direct('s'))).toMatchObject({ protocolVersion: '2025-03-26' });
  });

  it('[PB-PASS-1] [FR-008] lists the server’s items as they are and nothing of another', async () => {
    await using it = await hub();
    const client = await it.direct('t');
    await it.greet(client);
    expect(await client.ask('tools/list')).toEqual({
      tools: [
        { name: 'echo', inputSchema: {}, 'x-odd': 1 },
        { name: 'a:b.c', inputSchema: {} },
      ],
    });
    // In the list of all servers the other server keeps this URI; here it is this server's own.
    expect(await client.ask('resources/list')).toEqual({ resources: [{ uri: 'file:///a', name: 'a' }] });
  });

  it.each([
    ['tools/call', { name: 'echo', arguments: { a: 1 } }],
    ['tools/call', { name: 'not listed' }],
    ['tools/call', { name: 's:echo' }],
    ['prompts/get', { name: 'any' }],
    ['resources/read', { uri: 'odd:any' }],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'x', value: '' } }],
    ['odd/method', { anything: [1] }],
  ])('[PB-PASS-1] [FR-007] sends %s with %j to the server as it is', async (method, params) => {
    await using it = await hub();
    const client = await it.direct('t');
    await it.greet(client);
    expect(await client.ask(method, params)).toEqual({ method, params });
    expect(it.server('s').requests).toEqual([]);
  });

  it('[PB-PASS-1] passes the server’s own refusals on', async () => {
    await using it = await hub();
    const client = await it.direct('s');
    await it.greet(client);
    await expect(client.ask('no/such')).rejects.toMatchObject({ code: -32601, message: 'No no/such' });
  });

  it('keeps turned-off tools off', async () => {
    await using it = await hub();
    it.catalogue.setServers([{ key: 's', enabled: true, disabledTools: new Set(['echo']) }]);
    const client = await it.direct('s');
    await it.greet(client);
    await expect(client.ask('tools/call', { name: 'echo' })).rejects.toMatchObject({ code: -32012 });
  });

  it('cannot start while the server is unavailable, and says why', async () => {
    await using it = createMemoryHub({ s: mirror({ protocolVersion: '' }) });
    const client = await it.direct('s');
    await it.crash('s');
    await expect(it.greet(client)).rejects.toMatchObject({
      code: -32010,
      data: { code: 'call.server_unavailable', serverKey: 's', cause: 'server.crashed' },
    });
    it.catalogue.setServers([{ key: 's', enabled: false, disabledTools: new Set() }]);
    await expect(it.greet(client)).rejects.toMatchObject({ data: { status: 'disabled' } });
  });

  it('[PB-PASS-1] gets log messages and resource updates of its server only, and sets no other server’s level', async () => {
    await using it = await hub();
    const client = await it.direct('s');
    await it.greet(client);
    await client.ask('logging/setLevel', { level: 'debug' });
    await client.ask('resources/subscribe', { uri: 'file:///a' });
    for (const key of ['t', 's']) {
      await it.server(key).peer.notify('notifications/message', { level: 'info', data: key });
      await it.server(key).peer.notify('notifications/resources/updated', { uri: 'file:///a' });
    }
    await until('the notices', () => client.notices.length === 2);
    expect(client.noticed('notifications/message')).toEqual([{ level: 'info', data: 's' }]);
    expect(it.server('t').requests).toEqual([]);
  });
});

describe('bare names', () => {
  it('[PB-NAMES-1] are accepted where one server alone has them, and refused where two do', async () => {
    const tools = [{ name: 'alone', inputSchema: {} }];
    await using it = await hub({ s: mirror(), t: mirror({ tools: [...tools, { name: 'echo' }] }) });
    const client = await it.client();
    expect(await client.ask('tools/call', { name: 'alone' })).toMatchObject({ params: { name: 'alone' } });
    expect(it.server('t').requests).toHaveLength(1);
    await expect(client.ask('tools/call', { name: 'echo' })).rejects.toMatchObject({ code: -32602 });
  });
});
