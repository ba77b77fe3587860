import { describe, expect, it } from 'vitest';
import { eventually } from '../../helper/eventually.ts';
import { httpServer, readJson, sendJson } from '../../helper/http-server.ts';
import { type Deployment, redeployedRemote } from '../../helper/redeployed-remote.ts';
import { type Hub, isConnected, startHub, textOf } from '../../helper/running-hub.ts';
import type { Json } from './transport/modern/modern-peers.ts';

const changes = [
  ['sessions', 'stateless'],
  ['no session ids', 'stateless'],
  ['stateless', 'sessions'],
  ['stateless', 'no session ids'],
] as const satisfies readonly (readonly [Deployment, Deployment])[];

const eraOf = (deployment: Deployment) => (deployment === 'stateless' ? 'modern' : 'legacy');
const check = (hub: Hub) => hub.engine.run('server.checkHealth', { key: 'far' }, 'window');
const count = { name: 'far__count', arguments: {} };

describe('[PB-DUAL-3] [PB-DUAL-4] a remote server that is deployed anew while the hub is connected to it', () => {
  it.each(changes)('%s before, %s after: the next call is answered, and runs once', async (before, after) => {
    await using remote = await redeployedRemote(before);
    await using hub = await startHub({ far: { type: 'http', url: remote.url } });
    await isConnected(hub, 'far');
    await using client = await hub.bridge();
    await client.callTool(count);
    expect(hub.server('far').era?.era).toBe(eraOf(before));
    remote.deploy(after);
    expect(textOf(await client.callTool(count))).toBe(after === 'stateless' ? 'stateless' : 'with sessions');
    expect(remote.ran).toEqual([before, after]);
    expect(hub.server('far').era?.era).toBe(eraOf(after));
  });

  it.each(changes)('%s before, %s after: a health check finds out', async (before, after) => {
    await using remote = await redeployedRemote(before);
    await using hub = await startHub({ far: { type: 'http', url: remote.url } });
    await isConnected(hub, 'far');
    remote.deploy(after);
    await check(hub);
    await eventually(() => expect(hub.server('far').era?.era).toBe(eraOf(after)));
    await isConnected(hub, 'far');
  });

  it('one that keeps changing is told in its row, and is not asked without end', async () => {
    await using remote = await redeployedRemote('sessions');
    await using hub = await startHub({ far: { type: 'http', url: remote.url } });
    await isConnected(hub, 'far');
    await using client = await hub.bridge();
    const warned = () =>
      hub
        .server('far')
        .warnings?.map(({ sentence }) => sentence)
        .join();
    for (const deployment of ['stateless', 'sessions', 'stateless'] as const) {
      expect(warned() ?? '').not.toContain('keeps changing');
      remote.deploy(deployment);
      await client.callTool(count);
    }
    expect(warned()).toContain('keeps changing between having sessions and being stateless');
    expect(remote.ran).toEqual(['stateless', 'sessions', 'stateless']);
    expect(remote.asked.filter((method) => method === 'server/discover').length).toBeLessThan(12);
  });

  it.each([
    ['legacy', 'sessions', 'stateless', 'says that this server has sessions, but it is stateless'],
    ['modern', 'stateless', 'sessions', 'says that this server is stateless, but'],
  ] as const)(
    'one that the config holds to %s says what to change',
    async (protocol, before, after, text) => {
      await using remote = await redeployedRemote(before);
      await using hub = await startHub({ far: { type: 'http', url: remote.url, patchbay: { protocol } } });
      await isConnected(hub, 'far');
      remote.deploy(after);
      await check(hub);
      await eventually(() => {
        expect(hub.server('far').problem).toMatchObject({
          sentence: expect.stringContaining(text),
          fix: expect.stringContaining('Remove "protocol" from its config'),
        });
      });
      if (protocol === 'legacy') expect(remote.asked).not.toContain('server/discover');
    },
  );

  it('a call that a server with sessions may have run is not sent again', async () => {
    let isUpdated = false;
    const calls: string[] = [];
    await using remote = await httpServer(async (request, response) => {
      const { id, method }: Json = (await readJson(request)) ?? {};
      if (method === 'tools/call') calls.push(isUpdated ? 'updated' : 'stateless');
      const [status, answer] = refusingServer(isUpdated, method);
      sendJson(response, id === undefined ? 202 : status, answer && { jsonrpc: '2.0', id, ...answer });
    });
    await using hub = await startHub({ far: { type: 'http', url: remote.url } });
    await isConnected(hub, 'far');
    await using client = await hub.bridge();
    await client.callTool(count);
    isUpdated = true;
    await expect(client.callTool(count)).rejects.toThrow('the disk is full');
    await eventually(() => expect(hub.server('far').era?.era).toBe('legacy'));
    expect(calls).toEqual(['stateless', 'updated']);
  });

  it('a stateless server that refuses a call for its own reasons is asked, and stays', async () => {
    const asked: string[] = [];
    await using remote = await httpServer(async (request, response) => {
      const { id, method }: Json = (await readJson(request)) ?? {};
      asked.push(method);
      const refusal = { error: { code: -32000, message: 'the tool is closed' } };
      const [status, answer] = method === 'tools/call' ? [400, refusal] : refusingServer(false, method);
      sendJson(response, id === undefined ? 202 : status, answer && { jsonrpc: '2.0', id, ...answer });
    });
    await using hub = await startHub({ far: { type: 'http', url: remote.url } });
    await isConnected(hub, 'far');
    await using client = await hub.bridge();
    const questions = () => asked.filter((method) => method === 'server/discover').length;
    const before = questions();
    for (let time = 0; time < 10; time += 1)
      await expect(client.callTool(count)).rejects.toThrow('the tool is closed');
    expect(questions() - before).toBeLessThanOrEqual(3);
    expect(asked.filter((method) => method === 'tools/call')).toHaveLength(10);
    expect(hub.server('far').era?.era).toBe('modern');
  });
});

/** A server that is stateless at first; with sessions, its tool fails with an HTTP error. */
function refusingServer(isUpdated: boolean, method: string): readonly [number, object?] {
  const tools = [{ name: 'count', inputSchema: { type: 'object' } }];
  const validity = { ttlMs: 0, cacheScope: 'private', resultType: 'complete' };
  const refusal = { error: { code: -32601, message: 'Method not found' } };
  if (method === 'tools/list') return [200, { result: { tools, ...validity } }];
  if (!isUpdated) {
    const capabilities = { tools: {} };
    if (method === 'server/discover')
      return [200, { result: { supportedVersions: ['2026-07-28'], capabilities, ...validity } }];
    if (method === 'tools/call') return [200, { result: { content: [], ...validity } }];
    return [404, refusal];
  }
  const serverInfo = { name: 'far', version: '2' };
  const greeting = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
  if (method === 'initialize') return [200, { result: greeting }];
  if (method === 'tools/call') return [400, { error: { code: -32603, message: 'the disk is full' } }];
  return method === 'ping' ? [200, { result: {} }] : [400, refusal];
}
