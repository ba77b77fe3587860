import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../helper/eventually.ts';
import { freePort } from '../../../helper/free-port.ts';
import { fixture, realServer } from '../../../helper/programs.ts';
import { type RestHub, startRestHub } from '../../../helper/rest.ts';

const servers = '/api/v1/aggregator/servers';
const call = '/api/v1/tools/call';
const program = (name: string, env: Readonly<Record<string, string>> = {}) => ({
  transport_type: 'STDIO',
  connection_config: { command: process.execPath, args: [fixture(name)], env },
});
const entry = (name: string, more: object = {}) => ({
  command: process.execPath,
  args: [fixture(name)],
  ...more,
});
const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

const statusOf = async ({ rest }: RestHub, id: string) => (await rest('GET', `${servers}/${id}`)).body.status;
const becomes = (hub: RestHub, id: string, status: string) =>
  eventually(async () => expect(await statusOf(hub, id)).toBe(status));

describe('registering a server (AG-US1)', () => {
  let hub: RestHub;
  beforeAll(async () => {
    hub = await startRestHub({});
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  it('[AG-US1-AC1] [AG-US1-AC2] [AG-US1-AC5] takes a stdio server and connects to it at once', async () => {
    const { status, body } = await hub.rest('POST', servers, {
      name: 'github-mcp',
      description: 'Repositories',
      ...program('echo'),
      auto_connect: true,
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      id: uuid,
      name: 'github-mcp',
      description: 'Repositories',
      status: expect.stringMatching(/^(?:CONNECTING|CONNECTED|DISCONNECTED)$/),
      transport_type: 'STDIO',
      registered_at: instant,
    });
    await becomes(hub, body.id, 'CONNECTED');
    const one = await hub.rest('GET', `${servers}/${body.id}`);
    expect(one.body).toMatchObject({ id: body.id, connected_at: instant });
    expect(one.body.connection_config.command).toBe(process.execPath);
  });

  it.each([
    ['[AG-US1-AC3]', 'SSE', 'sse', '/sse'],
    ['[AG-US1-AC4]', 'HTTP', 'streamableHttp', '/mcp'],
  ])('%s connects over %s', async (_id, transport_type, mode, path) => {
    const port = await freePort();
    const server: ChildProcess = spawn(process.execPath, [realServer('everything'), mode], {
      env: { ...process.env, PORT: String(port) },
      stdio: 'ignore',
    });
    try {
      const url = `http://127.0.0.1:${port}${path}`;
      await eventually(async () =>
        expect((await fetch(url, { method: 'OPTIONS' })).status).toBeLessThan(600),
      );
      const name = `remote-${mode}`;
      const made = await hub.rest('POST', servers, { name, transport_type, connection_config: { url } });
      expect(made).toMatchObject({ status: 201, body: { transport_type } });
      await becomes(hub, made.body.id, 'CONNECTED');
      await hub.rest('DELETE', `${servers}/${name}`);
    } finally {
      server.kill();
    }
  });

  it('[AG-US1-AC5] does not connect if auto_connect is off', async () => {
    const made = await hub.rest('POST', servers, { name: 'later', ...program('echo'), auto_connect: false });
    expect(made).toMatchObject({ status: 201, body: { status: 'DISCONNECTED', enabled: false } });
  });

  it('[AG-US1-AC6] is refused with the invalid fields', async () => {
    for (const [body, path] of [
      [{}, 'name'],
      [{ name: 'x' }, 'transport_type'],
      [{ name: 'x', transport_type: 'STDIO', connection_config: {} }, 'connection_config.command'],
      [{ name: 'x', transport_type: 'SSE', connection_config: { command: 'y' } }, 'connection_config.url'],
      [{ name: 'a:b', ...program('echo') }, 'name'],
      [{ name: 'x', ...program('echo'), health_check_url: 'ftp://x' }, 'health_check_url'],
    ] as const) {
      const { status, body: answer } = await hub.rest('POST', servers, body);
      expect(status).toBe(422);
      expect(answer).toMatchObject({ error_type: 'BadRequestError', code: 'invalid_request' });
      expect(answer.fields.map((field: { path: string }) => field.path)).toContain(path);
    }
  });

  it('[AG-US1-AC7] is refused if the name is taken', async () => {
    const again = await hub.rest('POST', servers, { name: 'github-mcp', ...program('echo') });
    expect(again).toMatchObject({
      status: 409,
      body: { code: 'server_exists', error_type: 'ConflictError' },
    });
  });

  it('[AG-US1-AC8] [NFR-P1] does not wait for a server that is slow to start', async () => {
    const made = await hub.rest('POST', servers, { name: 'slow', ...program('never-answers') });
    expect(made.status).toBe(201);
    expect(await statusOf(hub, 'slow')).toMatch(/CONNECTING|DISCONNECTED/);
    await hub.rest('DELETE', `${servers}/slow`);
  });

  it('shows the config without secrets, and does not accept a hidden value', async () => {
    const reference = ['$', '{HOME}'].join('');
    const env = { API_TOKEN: 'sk-live-1234567890abcdef', FROM: reference };
    await hub.rest('POST', servers, { name: 'secretive', ...program('echo', env), auto_connect: false });
    const shown = await hub.rest('GET', `${servers}/secretive`);
    expect(shown.text).not.toContain(env.API_TOKEN);
    expect(shown.body.connection_config.env).toEqual({ API_TOKEN: '[hidden]', FROM: reference });
    const { connection_config } = shown.body;
    const back = await hub.rest('PATCH', `${servers}/secretive`, { connection_config });
    expect(back).toMatchObject({ status: 422, body: { code: 'hidden_value' } });
    expect(back.body.fields).toEqual([expect.objectContaining({ path: 'connection_config.env.API_TOKEN' })]);
  });
});

describe('calling a tool (AG-US4)', () => {
  let hub: RestHub;
  beforeAll(async () => {
    hub = await startRestHub({
      echo: entry('echo'),
      moody: entry('moody'),
      plain: entry('verbatim'),
      off: entry('echo', { disabled: true }),
    });
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  it('[AG-US4-AC1] [AG-US4-AC6] [NFR-P4] goes to the server that its name says', async () => {
    const { status, body } = await hub.rest(
      'POST',
      call,
      { name: 'echo.echo', arguments: { text: 'hi' } },
      hub.token,
    );
    expect(status).toBe(200);
    expect(body).toEqual({
      content: [{ type: 'text', text: '{"text":"hi"}' }],
      isError: false,
      metadata: {
        routed_to: 'echo',
        routing_time_ms: expect.any(Number),
        execution_time_ms: expect.any(Number),
      },
    });
  });

  it("[AG-US4-AC2] [AG-US7-AC4] goes by the tool's own name and the server's id or name", async () => {
    const { body: known } = await hub.rest('GET', `${servers}/moody`);
    for (const server_id of [known.id, 'moody']) {
      const { body } = await hub.rest('POST', call, { name: 'pid', server_id }, hub.token);
      expect(Number(body.content[0].text)).toBeGreaterThan(0);
    }
    const other = await hub.rest('POST', call, { name: 'echo', server_id: 'moody' }, hub.token);
    expect(other.status).toBe(404);
  });

  it('[AG-US4-AC3] is answered with 503 and the server if it is not connected', async () => {
    await hub.rest('POST', `${servers}/echo/disconnect`);
    const gone = await hub.rest('POST', call, { name: 'echo.echo' }, hub.token);
    expect(gone).toMatchObject({
      status: 503,
      body: {
        code: 'server_unavailable',
        error_type: 'ServiceUnavailableError',
        server: { id: uuid, name: 'echo', status: 'DISCONNECTED', status_reason: expect.any(String) },
      },
    });
    await hub.rest('POST', `${servers}/echo/connect`);
    await becomes(hub, 'echo', 'CONNECTED');
    for (const named of [{ name: 'echo', server_id: 'off' }, { name: 'off.echo' }]) {
      const never = await hub.rest('POST', call, named, hub.token);
      expect(never).toMatchObject({
        status: 503,
        body: { server: { name: 'off', status: 'DISCONNECTED' } },
      });
    }
  });

  it('[AG-US4-AC4] [FR-007] passes arguments on unchanged', async () => {
    const written = '{"big":12345678901234567890,"one":1.0,"far":1e400,"k":1,"k":2,"s":"\\u0041 \\/"}';
    const body = `{ "name": "plain.give", "arguments":  ${written} }`;
    const answer = await hub.rest('POST', call, body, hub.token);
    expect(answer.body.content[0].text).toBe(written);
  });

  it('[AG-US4-AC5] [FR-008] passes results and errors on unchanged', async () => {
    const { text } = await hub.rest('POST', call, { name: 'plain.odd' }, hub.token);
    const odd =
      '"content":[],"structuredContent":{"big":12345678901234567890,"small":1.0,"exp":1e400,"k":1,"k":2},"_meta":{"x/y":0.10}';
    expect(text.startsWith(`{${odd},"isError":false,"metadata":{`)).toBe(true);
    const refused = await hub.rest('POST', call, { name: 'plain.refuse' }, hub.token);
    expect(refused).toMatchObject({ status: 500, body: { error: 'No.', error_type: 'ToolInvocationError' } });
    expect(refused.text).toContain(
      '"cause":{"code":-32050,"message":"No.","data":{"big":12345678901234567890}}',
    );
  });

  it('[AG-US4-AC7] is answered with 404 for an unknown tool', async () => {
    for (const name of ['echo.nothing', 'nobody.echo', 'x']) {
      const answer = await hub.rest('POST', call, { name }, hub.token);
      expect(answer).toMatchObject({ status: 404, body: { error_type: 'ToolNotFoundError' } });
    }
  });

  it('[AG-US4-AC8] runs in parallel with others on the same server', async () => {
    const texts = Array.from({ length: 50 }, (_, index) => `n${index}`);
    const answers = await Promise.all(
      texts.map((text) => hub.rest('POST', call, { name: 'echo.echo', arguments: { text } }, hub.token)),
    );
    expect(answers.map(({ body }) => JSON.parse(body.content[0].text).text)).toEqual(texts);
  });

  it('is cancelled at its server when its caller leaves', async () => {
    const ending = new AbortController();
    const left = fetch(hub.rest.base + call, {
      method: 'POST',
      signal: ending.signal,
      headers: { authorization: `Bearer ${hub.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'moody.wait', arguments: { milliseconds: 20_000 } }),
    });
    await eventually(() => expect(hub.engine.activeCalls()).toHaveLength(1));
    expect(hub.engine.activeCalls()[0]).toMatchObject({ serverKey: 'moody', clientName: 'agent-001' });
    ending.abort();
    await expect(left).rejects.toThrow();
    await eventually(() => expect(hub.engine.activeCalls()).toEqual([]));
  });
});

describe('names (AG-US7)', () => {
  let hub: RestHub;
  beforeAll(async () => {
    hub = await startRestHub({ 'github-mcp': entry('echo'), 'gitlab-mcp': entry('echo') });
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  it('[AG-US7-AC1] [AG-US7-AC2] [AG-US7-AC5] [AG-US7-AC7] are namespaced and listed by server, built-in tools without prefix', async () => {
    const { body } = await hub.rest('GET', '/api/v1/tools', undefined, hub.token);
    expect(body.total).toBe(4);
    for (const [index, name] of ['github-mcp', 'gitlab-mcp'].entries()) {
      expect(body.servers[index]).toMatchObject({
        id: uuid,
        name,
        status: 'CONNECTED',
        tools: expect.arrayContaining([
          expect.objectContaining({ id: uuid, name: `${name}.echo`, original_name: 'echo', enabled: true }),
        ]),
      });
    }
    expect(body.internal).toMatchObject([{ name: 'patchbay_status', original_name: 'patchbay_status' }]);
    const one = await hub.rest('GET', `${servers}/github-mcp/tools`);
    expect(one.body.servers).toHaveLength(1);
  });

  it('[AG-US7-AC3] [AG-US2-AC1] [AG-US2-AC2] [AG-US2-AC4] [AG-US2-AC5] [AG-US2-AC7] are found over all servers', async () => {
    const search = (more: object) =>
      hub.rest('POST', '/api/v1/search', { query: 'echo', ...more }, hub.token);
    const { status, body } = await search({ include_external: true, limit: 10 });
    expect(status).toBe(200);
    expect(body).toMatchObject({ query: 'echo', metadata: { servers_searched: 2, total_tools_searched: 4 } });
    expect(
      body.tools
        .slice(0, 2)
        .map(({ name }: { name: string }) => name)
        .sort(),
    ).toEqual(['github-mcp.echo', 'gitlab-mcp.echo']);
    expect(body.tools[0]).toMatchObject({
      original_name: 'echo',
      description: 'Gives its arguments back',
      source_server: { id: uuid, name: expect.any(String), status: 'CONNECTED' },
      skill_ids: expect.any(Array),
    });
    const scores = body.tools.map(({ score }: { score: number }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    const filtered = await search({ server_filter: ['gitlab-mcp'] });
    const owners = filtered.body.tools.map(
      (tool: { source_server: { name: string } }) => tool.source_server.name,
    );
    expect(new Set(owners)).toEqual(new Set(['gitlab-mcp']));
    expect(filtered.body.metadata).toEqual({ servers_searched: 1, total_tools_searched: 2 });
    expect((await search({ include_external: false })).body.tools).toEqual([]);
  });

  it('[AG-US7-AC6] follow a server that is renamed, whose id stays', async () => {
    const { body: before } = await hub.rest('GET', `${servers}/gitlab-mcp`);
    const renamed = await hub.rest('PATCH', `${servers}/${before.id}`, { name: 'forge', description: 'New' });
    expect(renamed).toMatchObject({
      status: 200,
      body: { id: before.id, name: 'forge', description: 'New' },
    });
    await becomes(hub, before.id, 'CONNECTED');
    await eventually(async () => {
      const { body } = await hub.rest('GET', `${servers}/${before.id}/tools`);
      expect(body.servers[0].tools.map(({ name }: { name: string }) => name)).toContain('forge.echo');
    });
    const called = await hub.rest('POST', call, { name: 'forge.echo' }, hub.token);
    expect(called.status).toBe(200);
    expect((await hub.rest('POST', call, { name: 'gitlab-mcp.echo' }, hub.token)).status).toBe(404);
    expect((await hub.rest('PATCH', `${servers}/forge`, { name: 'github-mcp' })).status).toBe(409);
  });
});

describe('the life of a server (AG-US5, AG-US6)', () => {
  let hub: RestHub;
  beforeAll(async () => {
    hub = await startRestHub({ moody: entry('moody'), echo: entry('echo') });
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  const found = async () => {
    const { body } = await hub.rest('POST', '/api/v1/search', { query: 'echo' });
    return body.tools.map(({ name }: { name: string }) => name) as readonly string[];
  };

  it('[AG-US6-AC1] [AG-US6-AC2] [AG-US6-AC4] [AG-US6-AC5] [AG-US2-AC3] disconnects and connects; tools leave search and return', async () => {
    await eventually(async () => expect(await found()).toContain('echo.echo'));
    const left = await hub.rest('POST', `${servers}/echo/disconnect`);
    expect(left).toMatchObject({ status: 200, body: { status: 'DISCONNECTED', pending_requests: 0 } });
    expect(await statusOf(hub, 'echo')).toBe('DISCONNECTED');
    expect(await found()).not.toContain('echo.echo');
    const back = await hub.rest('POST', `${servers}/echo/connect`);
    expect(back).toMatchObject({
      status: 202,
      body: { status: 'CONNECTING', message: 'Connection initiated' },
    });
    await becomes(hub, 'echo', 'CONNECTED');
    await eventually(async () => expect(await found()).toContain('echo.echo'));
    expect((await hub.rest('POST', `${servers}/echo/connect`)).body.status).toBe('CONNECTED');
  });

  it('[AG-US6-AC3] lets active calls end', async () => {
    const waiting = hub.rest(
      'POST',
      call,
      { name: 'moody.wait', arguments: { milliseconds: 500 } },
      hub.token,
    );
    await eventually(() => expect(hub.engine.activeCalls()).toHaveLength(1));
    const left = await hub.rest('POST', `${servers}/moody/disconnect`);
    expect(left.body).toEqual({ status: 'DISCONNECTED', pending_requests: 0 });
    expect((await waiting).status).toBe(200);
    await hub.rest('POST', `${servers}/moody/connect`);
    await becomes(hub, 'moody', 'CONNECTED');
  });

  it('[AG-US5-AC1] [AG-US5-AC4] [AG-US5-AC6] [AG-US5-AC7] is seen with its health in the list', async () => {
    await hub.engine.run('server.checkHealth', { key: 'moody' });
    await eventually(async () => {
      const { body } = await hub.rest('GET', servers);
      expect(body.total).toBe(2);
      expect(body.servers[0]).toMatchObject({
        name: 'moody',
        status: 'CONNECTED',
        health: { last_check_at: instant, consecutive_failures: 0, error_rate: expect.any(Number) },
      });
    });
    const one = await hub.rest('GET', `${servers}/moody/health`);
    expect(one).toMatchObject({ status: 200, body: { name: 'moody', history: expect.any(Array) } });
    expect(one.body.health.checked_by).toMatch(/message|ping/);
  });

  it('[AG-US5-AC2] is checked at its health check URL if it has one', async () => {
    let asked = 0;
    const health = createServer((_request, response) => {
      asked += 1;
      response.end('ok');
    });
    await new Promise<void>((resolve) => health.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(health.address() as AddressInfo).port}/health`;
    try {
      const changed = await hub.rest('PATCH', `${servers}/echo`, { health_check_url: url });
      expect(changed).toMatchObject({ status: 200, body: { health_check_url: url } });
      await becomes(hub, 'echo', 'CONNECTED');
      await hub.engine.run('server.checkHealth', { key: 'echo' });
      await eventually(() => expect(asked).toBeGreaterThan(0));
      const gone = await hub.rest('PATCH', `${servers}/echo`, { health_check_url: null });
      expect(gone.body.health_check_url).toBeUndefined();
    } finally {
      health.close();
    }
  });

  it('[AG-US6-AC6] is removed with all its tools, and comes back with its id by an undo', async () => {
    const { body: known } = await hub.rest('GET', `${servers}/echo`);
    expect((await hub.rest('DELETE', `${servers}/${known.id}`)).status).toBe(204);
    expect((await hub.rest('GET', `${servers}/${known.id}`)).status).toBe(404);
    expect(await found()).not.toContain('echo.echo');
    expect((await hub.rest('POST', call, { name: 'echo.echo' }, hub.token)).status).toBe(404);
    expect((await hub.rest('DELETE', `${servers}/echo`)).status).toBe(404);
    const again = await hub.rest('POST', servers, { name: 'echo', ...program('echo') });
    expect(again.body.id).not.toBe(known.id);
    await hub.engine.run('server.undoRemove', await hub.engine.run('server.remove', { key: 'echo' }));
    await eventually(async () =>
      expect((await hub.rest('GET', `${servers}/echo`)).body.id).toBe(again.body.id),
    );
  });

  it('is answered with 404 if it is unknown', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/connect'],
      ['POST', '/disconnect'],
      ['GET', '/health'],
      ['GET', '/tools'],
    ] as const) {
      const body = method === 'PATCH' ? {} : undefined;
      const answer = await hub.rest(method, `${servers}/nobody${path}`, body);
      expect(answer).toMatchObject({ status: 404, body: { code: 'server_not_found' } });
    }
  });
});
