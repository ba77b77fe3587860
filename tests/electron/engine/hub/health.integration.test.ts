import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ServerView } from '../../../../shared/model/server/server.ts';
import { eventually } from '../../../helper/eventually.ts';
import { httpServer, readJson, sendJson } from '../../../helper/http-server.ts';
import { fixture, nodeEntry } from '../../../helper/programs.ts';
import { isConnected, startHub, textOf } from '../../../helper/running-hub.ts';

const moody = (patchbay: object) => ({ ...nodeEntry(fixture('moody')), patchbay });
interface Posted {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string };
}

const oftenChecked = { healthInterval: 100, healthTimeout: 500 };

describe('the health of a running server', () => {
  it('[AG-US5-AC1] [AG-US5-AC3] [AG-US5-AC6] is in its view from the handshake on', async () => {
    await using hub = await startHub({
      often: moody(oftenChecked),
      rarely: moody({ healthInterval: 600_000 }),
    });
    await isConnected(hub, 'rarely');
    expect(hub.server('rarely').health).toMatchObject({ by: 'message', misses: 0, errorRate: 0 });
    const checked = { by: 'ping', misses: 0, responseMs: expect.any(Number) };
    await eventually(() => expect(hub.server('often').health).toMatchObject(checked));
    const { lastOkAt = 0 } = hub.server('often').health ?? {};
    await eventually(() => expect(hub.server('often').health?.lastOkAt).toBeGreaterThan(lastOkAt));
  });

  it('[AG-US5-AC5] [AG-US5-AC8] turns an unresponsive server into an error, and restarts it', async () => {
    await using hub = await startHub({ a: moody(oftenChecked) });
    await isConnected(hub, 'a');
    const seen: ServerView[] = [];
    hub.engine.events['servers.changed'](({ servers }) => seen.push(...servers));
    await using client = await hub.bridge();
    const pid = Number(textOf(await client.callTool({ name: 'a__pid' })));
    await client.callTool({ name: 'a__mute' });
    await eventually(() => {
      const problem = expect.objectContaining({ code: 'server.unhealthy' });
      expect(seen).toContainEqual(expect.objectContaining({ status: 'error', problem }));
    });
    await isConnected(hub, 'a');
    expect(Number(textOf(await client.callTool({ name: 'a__pid' })))).not.toBe(pid);
  });

  it('[US3.3] never ends a server that is at work on a call, though it answers nothing meanwhile', async () => {
    await using hub = await startHub({ a: moody({ healthInterval: 400, healthTimeout: 400 }) });
    await isConnected(hub, 'a');
    await using client = await hub.bridge();
    const pid = textOf(await client.callTool({ name: 'a__pid' }));
    expect(textOf(await client.callTool({ name: 'a__block', arguments: { milliseconds: 3000 } }))).toBe(
      'done',
    );
    expect(textOf(await client.callTool({ name: 'a__pid' }))).toBe(pid);
    expect(hub.server('a').restarts).toBe(0);
  });

  it('[AG-US5-AC2] [AG-US5-AC4] comes from its health check URL, if the config sets one', async () => {
    let status = 200;
    const asked: string[] = [];
    const http = createServer((request, response) => {
      asked.push(String(request.url));
      response.writeHead(status).end();
    });
    await new Promise<void>((resolve) => {
      http.listen(0, '127.0.0.1', resolve);
    });
    try {
      const healthCheckUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}/health?key=hush`;
      const checked = { healthInterval: 100, healthTimeout: 30_000, restart: 'never', healthCheckUrl };
      await using hub = await startHub({ a: moody(checked) });
      await isConnected(hub, 'a');
      await eventually(() => expect(hub.server('a').health).toMatchObject({ by: 'url', misses: 0 }));
      expect(asked[0]).toBe('/health?key=hush');
      status = 503;
      await eventually(() => expect(hub.server('a').status).toBe('error'));
      const { problem } = hub.server('a');
      expect(problem?.evidence).toContainEqual({ label: 'reason', value: 'it answered with HTTP 503' });
      expect(JSON.stringify(problem)).not.toContain('hush');
    } finally {
      http.close();
    }
  });

  it('[AG-US5-AC5] reconnects to a remote server that no longer answers', async () => {
    const asked: string[] = [];
    let isMute = false;
    await using remote = await httpServer(async (request, response) => {
      const posted = await readJson(request);
      if (request.method !== 'POST' || typeof posted !== 'object' || posted === null) {
        response.writeHead(405).end();
        return;
      }
      const { id, method, params } = posted as Posted;
      asked.push(method);
      if (id === undefined) response.writeHead(202).end();
      else if (method === 'initialize') {
        const serverInfo = { name: 'remote', version: '1' };
        const protocolVersion = params?.protocolVersion;
        sendJson(response, 200, {
          jsonrpc: '2.0',
          id,
          result: { protocolVersion, capabilities: {}, serverInfo },
        });
      } else if (!isMute) sendJson(response, 200, { jsonrpc: '2.0', id, result: {} });
    });
    await using hub = await startHub({ far: { url: remote.url, patchbay: oftenChecked } });
    await isConnected(hub, 'far');
    await eventually(() => expect(hub.server('far').health).toMatchObject({ by: 'ping', misses: 0 }));
    const greetings = () => asked.filter((method) => method === 'initialize').length;
    expect(greetings()).toBe(1);
    isMute = true;
    await eventually(() => expect(greetings()).toBeGreaterThan(1));
    isMute = false;
    await isConnected(hub, 'far');
  });

  it('[AG-US5-AC4] [AG-US5-AC7] is degraded while half of its calls fail', async () => {
    await using hub = await startHub({ a: nodeEntry(fixture('moody')) });
    await isConnected(hub, 'a');
    await using client = await hub.bridge();
    const fail = () => client.callTool({ name: 'a__fail' }).catch((error: { code: number }) => error.code);
    for (let call = 0; call < 5; call++) expect(await fail()).toBe(-32603);
    await eventually(() =>
      expect(hub.server('a')).toMatchObject({
        status: 'degraded',
        problem: { code: 'server.unhealthy', sentence: '5 of the last 5 calls to a failed.' },
        health: { errorRate: 1 },
      }),
    );
    // The server is still called.
    expect(textOf(await client.callTool({ name: 'a__pid' }))).toMatch(/^\d+$/);
  });

  it('is checked on request, and at once after the machine wakes up', async () => {
    await using hub = await startHub({
      a: nodeEntry(fixture('moody')),
      off: { command: 'x', disabled: true },
    });
    await isConnected(hub, 'a');
    const checkedAt = () => hub.server('a').health?.lastCheckAt ?? 0;
    const atFirst = checkedAt();
    await hub.engine.run('server.checkHealth', { key: 'a' });
    expect(hub.server('a').health).toMatchObject({ by: 'ping' });
    expect(checkedAt()).toBeGreaterThanOrEqual(atFirst);
    const before = checkedAt();
    await new Promise((resolve) => setTimeout(resolve, 5));
    hub.engine.wokeUp();
    await eventually(() => expect(checkedAt()).toBeGreaterThan(before));
    await expect(hub.engine.run('server.checkHealth', { key: 'off' })).rejects.toMatchObject({
      problem: { code: 'call.server_unavailable' },
    });
    await expect(hub.engine.run('server.checkHealth', { key: 'nobody' })).rejects.toMatchObject({
      problem: { code: 'config.unknown_server' },
    });
    expect((await hub.engine.run('server.health', { key: 'a' })).samples).toEqual([]);
    expect(() => hub.engine.watchHealth('nobody', () => {})).toThrow();
  });
});

describe('active calls', () => {
  it('are listed with their clients while they run', async () => {
    await using hub = await startHub({ a: nodeEntry(fixture('moody')) });
    await isConnected(hub, 'a');
    await using client = await hub.bridge('patient');
    expect(hub.engine.activeCalls()).toEqual([]);
    const until = join(hub.dir, 'listed');
    const call = client.callTool({ name: 'a__wait', arguments: { until } });
    await eventually(() =>
      expect(hub.engine.activeCalls()).toMatchObject([
        { clientName: 'patient', serverKey: 'a', method: 'tools/call', name: 'wait' },
      ]),
    );
    expect(hub.engine.activeCalls()[0]?.clientId).toBe(hub.engine.clients()[0]?.id);
    expect(hub.server('a').activeCalls).toBe(1);
    await writeFile(until, '');
    await call;
    expect(hub.engine.activeCalls()).toEqual([]);
    expect(hub.server('a').activeCalls).toBe(0);
  });

  it('[AG-US6-AC3] end before a drain does, and no new ones begin', async () => {
    await using hub = await startHub({ a: nodeEntry(fixture('moody')) });
    await isConnected(hub, 'a');
    await using client = await hub.bridge();
    let answered = false;
    const until = join(hub.dir, 'draining');
    const call = client.callTool({ name: 'a__wait', arguments: { until } }).then((result) => {
      answered = true;
      return result;
    });
    await eventually(() => expect(hub.engine.activeCalls()).toHaveLength(1));
    const drained = hub.engine.drain(60_000);
    await expect(client.callTool({ name: 'a__pid' })).rejects.toMatchObject({
      data: { code: 'call.draining' },
    });
    await writeFile(until, '');
    await drained;
    await eventually(() => expect(answered).toBe(true));
    expect(textOf(await call)).toMatch(/^\d+$/);
  });
});

describe('clients that share a stateful server', () => {
  it('[PB-ISO-1] are warned of while there are two', async () => {
    const entry = { ...nodeEntry(fixture('moody')), env: { NAME: 'Playwright' } };
    await using hub = await startHub({ pw: entry });
    await isConnected(hub, 'pw');
    await using one = await hub.bridge('one');
    await one.callTool({ name: 'pw__pid' });
    expect(hub.server('pw').warnings).toEqual([]);
    const other = await hub.bridge('other');
    await other.callTool({ name: 'pw__pid' });
    await eventually(() =>
      expect(hub.server('pw').warnings).toMatchObject([{ code: 'server.stateful_shared' }]),
    );
    await other.close();
    await eventually(() => expect(hub.server('pw').warnings).toEqual([]));
  });
});

describe('a tool that keeps failing', () => {
  it('[REQ-MCP-CALL-005] shows its open circuit until its server is restarted on request', async () => {
    await using hub = await startHub({ a: { ...nodeEntry(fixture('moody')), timeout: 50 } });
    await isConnected(hub, 'a');
    await using client = await hub.bridge();
    await eventually(async () => {
      const call = { name: 'a__wait', arguments: { milliseconds: 60_000 } };
      await client.callTool(call).catch(() => undefined);
      expect(hub.server('a').openCircuits).toMatchObject([{ tool: 'wait', until: expect.any(Number) }]);
    });
    await hub.engine.run('server.restart', { key: 'a' });
    expect(hub.server('a').openCircuits).toEqual([]);
  });
});

describe('clients with a process each', () => {
  it('[PB-ISO-1] [AG-US5-AC5] are counted, and only the unresponsive one is restarted', async () => {
    const options = { ...oftenChecked, isolation: 'per-client' };
    await using hub = await startHub({ a: moody(options) });
    await eventually(() => expect(hub.server('a').counts.tools).toBe(5));
    await using one = await hub.bridge('one');
    await using other = await hub.bridge('other');
    const pidOf = async (client: typeof one) => textOf(await client.callTool({ name: 'a__pid' }));
    const [first, second] = [await pidOf(one), await pidOf(other)];
    expect(first).not.toBe(second);
    expect(hub.server('a')).toMatchObject({ status: 'connected', instances: 2, isolation: 'per-client' });
    const problems: (string | undefined)[] = [];
    hub.engine.events['servers.changed'](({ servers }) =>
      problems.push(...servers.map(({ problem }) => problem?.code)),
    );
    await one.callTool({ name: 'a__mute' });
    await eventually(() => expect(problems).toContain('server.unhealthy'));
    await eventually(() => expect(problems.at(-1)).toBeUndefined());
    expect(await pidOf(one)).not.toBe(first);
    expect(await pidOf(other)).toBe(second);
    await one.close();
    await eventually(() => expect(hub.server('a').instances).toBe(1));
  });
});
