import { describe, expect, it, vi } from 'vitest';
import { ConnectionClosedError, RpcError } from '../../../../../../electron/engine/jsonrpc/message.ts';
import { toRaw } from '../../../../../../electron/engine/jsonrpc/read-message.ts';
import {
  ServerConnection,
  type ServerConnectionOptions,
} from '../../../../../../electron/engine/servers/lifecycle/connection/server-connection.ts';
import { ServerSecrets } from '../../../../../../electron/engine/servers/log/server-secrets.ts';

const call = toRaw({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { arguments: { token: 'tok-5up3r' } },
});

/** Creates a connection whose requests all fail with this error. */
function failing(error: Error, options: Partial<ServerConnectionOptions> = {}) {
  const fail = () => {
    const result = Promise.reject(error);
    result.catch(() => undefined);
    return { id: 1, result, abandon: () => true };
  };
  const peer = {
    receivedCount: 3,
    forwardedCount: 2,
    request: fail,
    requestRaw: fail,
    forward: vi.fn(fail),
    notify: async () => {},
  };
  const secrets = new ServerSecrets(['hunter22']);
  const connection = new ServerConnection({
    peer,
    handshake: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} },
    secrets,
    refusal: () => undefined,
    endsLate: false,
    ...options,
  });
  return { connection, peer, secrets };
}

const errorOf = (result: Promise<unknown>) => result.catch((error: unknown) => error);

describe('the connection to a server', () => {
  it('counts messages and calls', () => {
    const { connection } = failing(new Error());
    expect([connection.received(), connection.activeCalls]).toEqual([3, 2]);
  });

  it.each([
    ['legacy', { own: 1, progressToken: 'p' }],
    ['modern', undefined],
  ] as const)('[PB-DUAL-1] keeps the envelope of a client from a %s server', (era, kept) => {
    const verdict = { era, reason: 'r', version: '2026-07-28' };
    const handshake = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {}, era: verdict };
    const { connection, peer } = failing(new Error(), { handshake });
    const stray = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', own: 1, progressToken: 'p' };
    const params = { name: 'a', _meta: stray };
    connection
      .forward(toRaw({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }), {})
      .result.catch(() => undefined);
    // The translator of a modern server replaces it.
    expect(peer.forward.mock.calls).toMatchObject([[{ params: { _meta: kept ?? stray } }, {}]]);
    expect(JSON.stringify(peer.forward.mock.calls)).toMatch(kept === undefined ? /2026/ : /^(?!.*2026)/);
  });

  it.each([
    ['a client with a session sends by itself', 'legacy', {}, 'passes'],
    ['a stateless client came back with', 'legacy', { 'patchbay/clientCapabilities': {} }, 'is refused'],
    ['the hub goes on with for a client with a session', 'legacy', { 'patchbay/goesOn': true }, 'is refused'],
    ['a stateless client came back with', 'modern', { 'patchbay/clientCapabilities': {} }, 'passes'],
  ] as const)('[PB-PASS-1] [PB-DUAL-4] the state that %s, to a %s server', async (_, era, _meta, outcome) => {
    const verdict = { era, reason: 'r', version: '2026-07-28' };
    const handshake = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {}, era: verdict };
    const { connection, peer } = failing(new Error('sent'), { handshake });
    const params = { name: 'a', requestState: { own: [1.0] }, inputResponses: {}, _meta };
    const request = toRaw({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const error = await errorOf(connection.forward(request, {}).result);
    if (outcome === 'passes') {
      expect(error).toMatchObject({ message: 'sent' });
      expect(peer.forward.mock.calls).toMatchObject([[request, {}]]);
    } else {
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('now has sessions') });
      expect(peer.forward).not.toHaveBeenCalled();
    }
  });

  it.each([
    ['a session', 'modern', false, { sampling: {}, roots: {}, extensions: { 'a.b/c': { d: 1 } } }],
    ['no session', 'modern', true, undefined],
    ['a session', 'legacy', false, undefined],
  ] as const)(
    '[PB-DUAL-1] tells the capabilities of a client with %s to a %s server',
    (_client, era, isStateless, told) => {
      const handshake = {
        protocolVersion: '2025-11-25',
        capabilities: {},
        serverInfo: {},
        era: { era, reason: 'r', version: '2026-07-28' },
      };
      const capabilities = {
        sampling: true,
        elicitation: false,
        roots: { listChanged: true },
        tasks: { list: {} },
        extensions: { 'io.modelcontextprotocol/tasks': {}, 'a.b/c': { d: 1 } },
      };
      const { connection, peer } = failing(new Error(), { handshake });
      const client = {
        initializeParams: () => ({ protocolVersion: '2025-11-25', capabilities, clientInfo: {} }),
        isStateless: () => isStateless,
      };
      connection.forward(call, {}, client).result.catch(() => undefined);
      const [[sent]] = peer.forward.mock.calls as unknown as [[{ paramText(part: string): string }]];
      expect(JSON.parse(sent.paramText('sessionCapabilities') ?? 'null') ?? undefined).toEqual(told);
    },
  );

  it('masks secrets in refusals of our own requests; those of calls belong to the client', async () => {
    const refusal = new RpcError({ code: -32000, message: 'not with hunter22', data: { a: 1 } });
    const { connection } = failing(refusal);
    const masked = { code: -32000, message: 'not with •••', data: { a: 1 } };
    expect(await errorOf(connection.request('ping').result)).toMatchObject(masked);
    expect(await errorOf(connection.requestRaw('tools/list').result)).toMatchObject(masked);
    expect(await errorOf(connection.forward(call, {}).result)).toBe(refusal);
  });

  it('sends no call that is refused, but knows its secrets', async () => {
    const reason = new ConnectionClosedError('The server is stopping', false);
    const { connection, peer, secrets } = failing(new Error(), { refusal: () => reason });
    const pending = connection.forward(call, {});
    expect(await errorOf(pending.result)).toBe(reason);
    expect(pending.abandon(new Error())).toBe(false);
    expect(peer.forward).not.toHaveBeenCalled();
    expect(secrets.redact('sent tok-5up3r')).toBe('sent •••');
  });

  it('rejects an unsent call one turn later if its transport ends late', async () => {
    const { connection } = failing(new ConnectionClosedError('closed', false), { endsLate: true });
    const order: string[] = [];
    setImmediate(() => order.push('ended'));
    const rejected = connection.forward(call, {}).result.catch(() => order.push('rejected'));
    await rejected;
    expect(order).toEqual(['ended', 'rejected']);
  });
});
