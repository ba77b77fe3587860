import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { type RequestOptions, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { createParser } from 'eventsource-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../helper/eventually.ts';
import { fixture, programs } from '../../../helper/programs.ts';
import { type RestHub, startRestHub } from '../../../helper/rest.ts';

const entry = (name: string) => ({ command: process.execPath, args: [fixture(name)] });
/** Returns how many files and connections a process may have open. */
function openFiles(): number {
  if (process.platform === 'win32') return 0;
  const said = execFileSync('/bin/sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim();
  return said === 'unlimited' ? Number.POSITIVE_INFINITY : Number(said);
}

let hub: RestHub;
beforeAll(async () => {
  hub = await startRestHub({ echo: entry('echo'), moody: entry('moody') }, { audit: true });
});
afterAll(() => hub[Symbol.asyncDispose]());

/** Sends a request as written, including the Host header, which `fetch` would not let us choose. */
function raw(path: string, options: RequestOptions = {}): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(hub.rest.base);
    const headers = { authorization: `Bearer ${hub.rest.adminToken}`, ...options.headers };
    const sent = request({ hostname, port, path, ...options, headers }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('the REST interface of a hub', () => {
  it('[REQ-MCP-OBS-002] names the caller of a refused call in the audit log', async () => {
    const made = await hub.rest('POST', '/api/v1/identities', { name: 'without grants' });
    const call = { name: 'echo.pid', arguments: {} };
    const { status } = await hub.rest('POST', '/api/v1/tools/call', call, made.body.token);
    expect(status).toBe(401);
    await eventually(async () => {
      const { rows } = await hub.engine.run('audit.query', { kinds: ['invocation'], limit: 10 });
      expect(rows.map(({ actor, outcome }) => `${actor}: ${outcome}`)).toContain('without grants: denied');
    });
  });

  it.each([
    ['a host that is not this machine', { host: 'evil.example' }],
    ['another port', { host: '127.0.0.1:1' }],
    ['no host that can be read', { host: 'a/b@c' }],
    ['a web page of another origin', { origin: 'https://evil.example' }],
    ['a page without an origin', { origin: 'null' }],
  ])('[PB-SAFE-2] refuses requests with %s, whatever token they have', async (_what, headers) => {
    for (const path of ['/api/v1/tools', '/openapi.json', '/docs', '/metrics']) {
      const { status, body } = await raw(path, { headers });
      expect(status).toBe(403);
      expect(JSON.parse(body)).toMatchObject({ code: 'foreign_origin', error_type: 'AuthorizationError' });
    }
  });

  it.each([
    ['/mcp/../api/v1/tools', 401],
    ['/api/v1/../../metrics', 401],
    ['/api/%2e%2e/metrics', 401],
    ['//api/v1/tools', 401],
    ['/API/v1/tools', 404],
    ['/api/v1/tools/', 401],
    ['/api/v1/tools%00', 401],
    ['/api/v1/tools;x', 401],
    ['/api', 401],
    ['http://[', 400],
    ['http://evil.example/api/v1/tools', 401],
  ])('[PB-SAFE-2] opens nothing without a token at %s', async (path, status) => {
    const answer = await raw(path, { headers: { authorization: '' } });
    expect(answer.status).toBe(status);
    expect(() => JSON.parse(answer.body)).not.toThrow();
  });

  it('[API-1] serves its description and health without a token', async () => {
    expect(await hub.rest('GET', '/healthz', undefined, '')).toMatchObject({
      status: 200,
      body: { status: 'ok' },
    });
    expect((await hub.rest('GET', '/openapi.json', undefined, '')).body.openapi).toBe('3.1.0');
    expect((await hub.rest('GET', '/docs', undefined, '')).text).toContain('<h1>Patchbay API');
  });

  it('[API-1] [REQ-MCP-OBS-001] reports metrics of calls', async () => {
    const call = { correlation_id: 'req-77', server_id: 'echo', tool_name: 'echo' };
    await hub.rest('POST', '/api/v1/mcp/invoke', call, hub.token);
    const { status, text, headers } = await hub.rest('GET', '/metrics');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/plain/);
    expect(text).toMatch(/mcp_invocations_total\{[^}]*server_id="echo"[^}]*\} [1-9]/);
    await eventually(async () => {
      const { body } = await hub.rest(
        'GET',
        '/api/v1/mcp/metrics?server_id=echo&tool_name=echo&time_range=1h',
      );
      expect(body).toMatchObject({
        time_range: '1h',
        total_invocations: expect.any(Number),
        success_rate: expect.any(Number),
        servers: [{ server_id: 'echo', tools: [{ tool_name: 'echo' }] }],
      });
      expect(body.total_invocations).toBeGreaterThan(0);
    });
    const { rows } = await hub.engine.run('audit.query', { text: 'req-77', limit: 10 });
    expect(rows).toMatchObject([{ tool: 'echo', actor: expect.stringContaining('agent-001') }]);
    const wrong = await hub.rest('GET', '/api/v1/mcp/metrics?time_range=soon');
    expect(wrong).toMatchObject({ status: 400, body: { error_type: 'BadRequestError' } });
  });

  it('[NFR-SEC4] is named in the audit log as the actor', async () => {
    await hub.rest('POST', '/api/v1/aggregator/servers', {
      name: 'noted',
      transport_type: 'STDIO',
      connection_config: { command: 'node' },
      auto_connect: false,
    });
    const noted = '/api/v1/aggregator/servers/noted';
    const reference = `--token=$\{secret:T}`;
    const args = ['--version', '--api-key=PLAIN-777', reference];
    await hub.rest('PATCH', noted, { connection_config: { command: 'node', args } });
    const { body: shown } = await hub.rest('GET', noted);
    expect(shown.connection_config.args).toEqual(['--version', '--api-key=[hidden]', reference]);
    await hub.rest('POST', `${noted}/connect`);
    // The failure is only visible once the server has connected.
    await eventually(async () => {
      const { rows } = await hub.engine.run('audit.query', { serverKey: 'noted', limit: 10 });
      expect(rows.map(({ actor }) => actor)).toContain('hub');
    });
    await hub.rest('POST', `${noted}/disconnect`);
    await hub.rest('DELETE', noted);
    await eventually(async () => {
      const { rows } = await hub.engine.run('audit.query', { serverKey: 'noted', limit: 10 });
      const asked = rows.filter(({ actor }) => actor !== 'hub').map(({ action }) => action);
      expect(asked).toEqual(['delete', 'disable', 'enable', 'edit', 'add']);
      expect(new Set(rows.map(({ actor }) => actor))).toEqual(new Set(['the REST API', 'hub']));
    });
  });

  it('[AG-US2-AC1] finds the few tools that an identity may call among all matches', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `send_note_${index}`);
    await hub.rest('POST', '/api/v1/aggregator/servers', {
      name: 'notes',
      transport_type: 'STDIO',
      connection_config: {
        command: process.execPath,
        args: [fixture('odd-names')],
        env: { NAMES: JSON.stringify(names) },
      },
    });
    const { run } = hub.engine;
    const { id } = await run('access.create', { kind: 'agent', name: 'clerk' });
    const { token } = await run('access.rotate', { id });
    const granted = names.slice(-3);
    for (const tool of granted)
      await run('access.grant', {
        identityId: id,
        effect: 'allow',
        scope: { kind: 'tool', serverKey: 'notes', tool },
      });
    await eventually(async () => {
      const { body } = await hub.rest('POST', '/api/v1/search', { query: 'send note', limit: 10 }, token);
      const found = body.tools.map((tool: { original_name: string }) => tool.original_name);
      expect(found.sort()).toEqual(granted);
      expect(body.metadata).toEqual({ servers_searched: 1, total_tools_searched: 3 });
    });
    await hub.rest('DELETE', '/api/v1/aggregator/servers/notes');
    await run('access.remove', { id });
  });

  it('[EVT-1] sends live events', async () => {
    const ending = new AbortController();
    const response = await fetch(`${hub.rest.base}/api/v1/events`, {
      headers: { authorization: `Bearer ${hub.rest.adminToken}` },
      signal: ending.signal,
    });
    const events: [string | undefined, unknown][] = [];
    const parser = createParser({ onEvent: ({ event, data }) => events.push([event, JSON.parse(data)]) });
    const read = async () => {
      for await (const bytes of response.body ?? []) parser.feed(new TextDecoder().decode(bytes));
    };
    const done = read().catch(() => undefined);
    const servers = '/api/v1/aggregator/servers';
    await hub.rest('POST', servers, {
      name: 'fresh',
      transport_type: 'STDIO',
      connection_config: { command: process.execPath, args: [fixture('echo')] },
    });
    await hub.rest(
      'POST',
      '/api/v1/mcp/invoke',
      { correlation_id: 'req-9', server_id: 'echo', tool_name: 'echo' },
      hub.token,
    );
    await eventually(() => {
      expect(events).toContainEqual([
        'mcp.invocation_completed',
        expect.objectContaining({ correlation_id: 'req-9', success: true, attempts: 1 }),
      ]);
      expect(events).toContainEqual(['mcp.tool_registered', { server_id: 'fresh', tool_name: 'echo' }]);
      expect(events).toContainEqual([
        'mcp.server_state_changed',
        expect.objectContaining({ server_id: 'fresh', status: 'CONNECTED' }),
      ]);
    });
    await hub.rest('DELETE', `${servers}/fresh`);
    await eventually(() =>
      expect(events).toContainEqual([
        'mcp.server_state_changed',
        expect.objectContaining({ server_id: 'fresh', status: 'REMOVED' }),
      ]),
    );
    ending.abort();
    await done;
  });

  it.skipIf(openFiles() < 8_000)('keeps serving with more connections than it accepts', async () => {
    const { port } = new URL(hub.rest.base);
    let refused = 0;
    const sockets: Socket[] = [];
    const open = () =>
      new Promise<void>((resolve) => {
        const socket = connect(Number(port), '127.0.0.1', resolve);
        socket.on('error', () => resolve());
        socket.on('data', (bytes) => {
          if (bytes.toString().includes('too_many_connections')) refused += 1;
        });
        sockets.push(socket);
      });
    for (let round = 0; round < 25; round += 1) await Promise.all(Array.from({ length: 100 }, open));
    await eventually(() => expect(refused).toBeGreaterThan(400));
    for (const socket of sockets) socket.destroy();
    await eventually(async () => expect((await hub.rest('GET', '/api/v1/tools')).status).toBe(200));
  });

  it('is a separate file, which an unused hub does not load', async () => {
    const folder = dirname(programs.patchbay);
    const program = await readFile(programs.patchbay, 'utf8');
    expect(program).not.toContain('aggregator/servers');
    const parts = (await readdir(folder)).filter((name) => name.startsWith('patchbay.'));
    const texts = await Promise.all(parts.map((name) => readFile(join(folder, name), 'utf8')));
    expect(texts.filter((text) => text.includes('aggregator/servers'))).not.toEqual([]);
  });
});
