import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../helper/eventually.ts';
import { fixture, nodeEntry } from '../../../helper/programs.ts';
import { type RestHub, startRestHub } from '../../../helper/rest.ts';
import { envelope } from '../transport/modern/modern-peers.ts';

const mcp = '/api/v1/mcp';
const entry = (name: string, more: object = {}) => ({
  command: process.execPath,
  args: [fixture(name)],
  ...more,
});
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
const schema = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] };

let hub: RestHub;
beforeAll(async () => {
  hub = await startRestHub({
    echo: entry('echo'),
    broken: entry('odd-schemas'),
    moody: entry('moody', { env: { TOOLS: 'delete_all,write_it' } }),
    fenced: entry('moody', { timeout: 300, patchbay: { concurrency: 1 } }),
  });
});
afterAll(() => hub[Symbol.asyncDispose]());

const invoke = (server_id: string, tool_name: string, more: object = {}, token = hub.token) =>
  hub.rest('POST', `${mcp}/invoke`, { correlation_id: 'req-12345', server_id, tool_name, ...more }, token);

describe('POST /api/v1/mcp/register', () => {
  it('[API-1] [REQ-MCP-REG-001] [REQ-MCP-REG-002] registers a server with its tools and disables an invalid one', async () => {
    const { status, body } = await hub.rest('POST', `${mcp}/register`, {
      server_id: 'context7',
      version: '1.0.0',
      capabilities: ['search', 'documentation'],
      tools: [
        { name: 'search', schema, version: '1.0.0' },
        { name: 'bad', schema: { type: 'nonsense' } },
        { name: 'worse', schema: { properties: [] } },
        { schema: {} },
      ],
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ server_id: 'context7', registered_count: 1, rejected_count: 3 });
    expect(body.registered_tools).toMatchObject([
      {
        server_id: 'context7',
        tool_name: 'search',
        schema,
        version: '1.0.0',
        enabled: true,
        available: false,
      },
    ]);
    expect(body.rejected_tools).toMatchObject([
      { tool_name: 'bad', reason: 'Invalid JSON schema', errors: expect.any(Array) },
      { tool_name: 'worse', reason: 'Invalid JSON schema' },
      { tool_name: 'unknown', reason: 'Invalid JSON schema', errors: ['the tool has no name'] },
    ]);
    const one = await hub.rest('GET', `${mcp}/tools/context7/search`);
    expect(one).toMatchObject({ status: 200, body: { tool_name: 'search', schema } });
    expect(await invoke('context7', 'search')).toMatchObject({ status: 404 });
  });

  it('[REQ-MCP-REG-003] disables a tool whose version is not compatible, without dropping it', async () => {
    const register = (version: string) =>
      hub.rest('POST', `${mcp}/register`, {
        server_id: 'echo',
        version: '1.0.0',
        tools: [{ name: 'pid', schema: { type: 'object' }, version }],
        compatible_versions: { pid: ['1.0.0', '1.1.0'] },
      });
    const { body } = await register('2.0.0');
    expect(body).toMatchObject({ registered_count: 1, rejected_count: 1 });
    expect(body.rejected_tools).toEqual([
      { tool_name: 'pid', reason: 'Version incompatibility', version: '2.0.0' },
    ]);
    await eventually(async () => expect((await invoke('echo', 'pid')).status).toBe(409));
    expect((await invoke('echo', 'pid')).body).toMatchObject({ error_type: 'ToolDisabledError' });
    const all = await hub.rest('GET', `${mcp}/tools?server_id=echo&enabled_only=false`);
    expect(all.body).toMatchObject([
      { tool_name: 'echo', enabled: true },
      { tool_name: 'pid', enabled: false },
    ]);
    const enabled = await hub.rest('GET', `${mcp}/tools?server_id=echo`);
    expect(enabled.body.map((tool: { tool_name: string }) => tool.tool_name)).toEqual(['echo']);
    await register('1.1.0');
    await eventually(async () => expect((await invoke('echo', 'pid')).status).toBe(200));
  });
});

describe('GET /api/v1/mcp/tools', () => {
  it('[API-1] [REQ-MCP-REG-001] lists the tools of one server or of all', async () => {
    const { status, body } = await hub.rest('GET', `${mcp}/tools`, undefined, hub.token);
    expect(status).toBe(200);
    expect(body).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          server_id: 'echo',
          tool_name: 'echo',
          schema: expect.any(Object),
          enabled: true,
        }),
        expect.objectContaining({ server_id: 'moody', tool_name: 'wait' }),
      ]),
    );
    const { body: one } = await hub.rest('GET', `${mcp}/tools/echo/echo`, undefined, hub.token);
    const byId = await hub.rest('GET', `${mcp}/tools/${one.server_uuid}/echo`, undefined, hub.token);
    expect(byId.body).toEqual(one);
    expect(await hub.rest('GET', `${mcp}/tools/echo/none`)).toMatchObject({
      status: 404,
      body: { error_type: 'ToolNotFoundError' },
    });
    expect(await hub.rest('GET', `${mcp}/tools?server_id=nobody`)).toMatchObject({ status: 404 });
    expect(await hub.rest('GET', `${mcp}/tools?enabled_only=perhaps`)).toMatchObject({
      status: 400,
      body: { error_type: 'BadRequestError' },
    });
  });
});

describe('a tool whose definition is not a JSON Schema', () => {
  it('[REQ-MCP-REG-002] is disabled, and its server is not', async () => {
    const all = await hub.rest('GET', `${mcp}/tools?server_id=broken&enabled_only=false`);
    expect(all.body).toMatchObject([
      { tool_name: 'good', enabled: true },
      {
        tool_name: 'bad',
        enabled: false,
        faults: [expect.stringContaining('/properties/n/type'), expect.any(String), expect.any(String)],
      },
    ]);
    const enabled = await hub.rest('GET', `${mcp}/tools?server_id=broken`);
    expect(enabled.body).toMatchObject([{ tool_name: 'good' }]);
    expect((await invoke('broken', 'good')).status).toBe(200);
  });
});

describe('POST /api/v1/mcp/invoke', () => {
  it('[API-1] [REQ-MCP-CALL-001] answers with the correlation id, the result and call details', async () => {
    const { status, body } = await invoke('echo', 'echo', {
      params: { query: 'Python' },
      ticket_id: 'ticket-abc',
      task_id: 'task-xyz',
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      correlation_id: 'req-12345',
      success: true,
      result: { content: [{ type: 'text', text: '{"query":"Python"}' }] },
      attempts: 1,
      latency_ms: expect.any(Number),
      completed_at: instant,
    });
  });

  it('[REQ-MCP-CALL-003] repeats the first result for a key, and refuses the key with other arguments', async () => {
    const keyed = (milliseconds: number) =>
      invoke('moody', 'wait', { params: { milliseconds }, idempotency_key: 'idemp-67890' });
    const first = await keyed(1);
    expect((await keyed(1)).body.result).toEqual(first.body.result);
    expect(await keyed(2)).toMatchObject({ status: 409, body: { error_type: 'ConflictError' } });
  });

  it('[API-1] answers 400 BadRequestError', async () => {
    for (const body of [
      {},
      { correlation_id: 1 },
      { correlation_id: 'c', server_id: 'echo', tool_name: '' },
    ]) {
      const answer = await hub.rest('POST', `${mcp}/invoke`, body, hub.token);
      expect(answer).toMatchObject({ status: 400, body: { error_type: 'BadRequestError' } });
    }
  });

  it('[API-1] [REQ-MCP-AUTH-003] answers 401 AuthorizationError without a grant', async () => {
    const made = await hub.rest('POST', '/api/v1/identities', { name: 'nobody-yet' });
    const refused = await invoke('echo', 'echo', {}, made.body.token);
    expect(refused).toMatchObject({
      status: 401,
      body: { error_type: 'AuthorizationError', success: false, correlation_id: 'req-12345', attempts: 0 },
    });
    const named = await invoke('echo', 'echo', { agent_id: 'never-heard' }, hub.rest.adminToken);
    expect(named).toMatchObject({ status: 401, body: { error_type: 'AuthorizationError' } });
    const list = await hub.rest('GET', `${mcp}/tools`, undefined, made.body.token);
    expect(list.body).toEqual([]);
  });

  it('[API-1] answers 404 ToolNotFoundError', async () => {
    for (const [server, tool] of [
      ['echo', 'none'],
      ['none', 'echo'],
    ] as const) {
      const answer = await invoke(server, tool);
      expect(answer).toMatchObject({
        status: 404,
        body: { error_type: 'ToolNotFoundError', success: false },
      });
    }
  });

  it('[API-1] answers 500 ToolInvocationError, with what the server said', async () => {
    expect(await invoke('moody', 'fail')).toMatchObject({
      status: 500,
      body: {
        error_type: 'ToolInvocationError',
        error: 'Internal error',
        cause: { code: -32603 },
        success: false,
        attempts: 1,
        latency_ms: expect.any(Number),
      },
    });
  });

  it('[API-1] [REQ-MCP-CALL-005] answers 504 TimeoutError, and 503 CircuitOpenError after too many', async () => {
    const slow = () => invoke('fenced', 'wait', { params: { milliseconds: 5_000 } });
    await hub.engine.run('server.restart', { key: 'fenced' });
    await eventually(async () => expect((await invoke('fenced', 'pid')).status).toBe(200));
    expect(await slow()).toMatchObject({ status: 504, body: { error_type: 'TimeoutError' } });
    await eventually(async () => expect((await slow()).status).toBe(503));
    const open = await slow();
    expect(open).toMatchObject({ status: 503, body: { error_type: 'CircuitOpenError' } });
    expect(Number(open.headers.get('retry-after'))).toBeGreaterThan(0);
    const circuits = await hub.rest('GET', `${mcp}/circuit-breakers?server_id=fenced&tool_name=wait`);
    expect(circuits.body).toEqual([
      {
        circuit_key: 'fenced:wait',
        server_id: 'fenced',
        tool_name: 'wait',
        state: 'OPEN',
        failure_count: 5,
        last_failure_time: instant,
        opened_at: instant,
        retry_at: instant,
      },
    ]);
    expect((await hub.rest('GET', `${mcp}/circuit-breakers?server_id=echo`)).body).toEqual([]);
  });
});

describe('/api/v1/mcp/policies', () => {
  it('[API-1] [REQ-MCP-AUTH-001] [REQ-MCP-AUTH-002] registers an agent with a grant, lists it, revokes it', async () => {
    const granted = await hub.rest('POST', `${mcp}/policies/grant`, {
      agent_id: 'agent-007',
      server_id: 'echo',
      tool_name: 'echo',
      actions: ['invoke'],
    });
    expect(granted).toMatchObject({
      status: 200,
      body: {
        agent_name: 'agent-007',
        scope: 'tool',
        server_id: 'echo',
        tool_name: 'echo',
        actions: ['invoke'],
        effect: 'allow',
        token_required: false,
        token_ttl: 'PT900S',
        token_id: null,
        granted_at: instant,
      },
    });
    const as = (tool: string) =>
      invoke('echo', tool, { agent_id: 'agent-007' }, hub.rest.adminToken).then(({ status }) => status);
    expect([await as('echo'), await as('pid')]).toEqual([200, 401]);
    const list = await hub.rest('GET', `${mcp}/policies/agent-007`);
    expect(list.body).toMatchObject([{ id: granted.body.id, tool_name: 'echo' }]);
    const gone = await hub.rest('DELETE', `${mcp}/policies/agent-007/${granted.body.id}`);
    expect(gone.status).toBe(204);
    expect(await as('echo')).toBe(401);
    await hub.rest('POST', `${mcp}/policies/grant`, { agent_id: 'agent-007', tool_name: 'echo:*' });
    expect(await as('pid')).toBe(200);
    const revoked = await hub.rest('POST', `${mcp}/policies/revoke`, {
      agent_id: 'agent-007',
      tool_name: 'echo:*',
    });
    expect(revoked).toMatchObject({ status: 200, body: { revoked: 1 } });
    expect(await as('pid')).toBe(401);
  });

  it('[REQ-MCP-AUTH-003] grants a high-risk tool with a token that expires', async () => {
    const grant = { agent_id: 'agent-008', server_id: 'moody', tool_name: 'delete_all', token_ttl: 5 };
    const { body } = await hub.rest('POST', `${mcp}/policies/grant`, grant);
    expect(body).toMatchObject({ token_required: true, token_ttl: 'PT5S', token_id: expect.any(String) });
    const as = () => invoke('moody', 'delete_all', { agent_id: 'agent-008' }, hub.rest.adminToken);
    expect((await as()).status).toBe(200);
    await eventually(async () => {
      const late = await as();
      expect(late).toMatchObject({ status: 401, body: { code: 'call.token_needed' } });
    });
  });

  it('[API-1] is refused where something is missing or unknown', async () => {
    for (const body of [
      {},
      { agent_id: 'a', tool_name: 'x' },
      { agent_id: 'a', tool_name: 's:x', token_ttl: 'P1Y' },
      { agent_id: 'a', tool_name: 's:x', token_ttl: 'PT99H9999M99999S' },
      { agent_id: 'a', tool_name: 's:x', token_ttl: 'PT0S' },
      { agent_id: 'a', tool_name: 's:x', expires_at: '2020-01-01T00:00:00Z' },
      { agent_id: 'a', tool_name: 'echo:*a*b' },
      { agent_id: 'two\nlines', tool_name: 'echo:pid' },
      { agent_id: 'from right to left\u202e', tool_name: 'echo:pid' },
      { agent_id: ' ', tool_name: 'echo:pid' },
    ]) {
      const answer = await hub.rest('POST', `${mcp}/policies/grant`, body);
      expect(answer).toMatchObject({ status: 400, body: { error_type: 'BadRequestError' } });
    }
    for (const [tool_name, code] of [
      ['nosuch:x', 'server_not_found'],
      ['nosuch:*', 'server_not_found'],
      ['echo:ecko', 'tool_not_found'],
    ]) {
      const answer = await hub.rest('POST', `${mcp}/policies/grant`, { agent_id: 'a', tool_name });
      expect(answer).toMatchObject({ status: 404, body: { code } });
    }
    expect((await hub.rest('GET', `${mcp}/policies/nobody`)).status).toBe(404);
    const { agentId } = hub;
    expect((await hub.rest('DELETE', `${mcp}/policies/${agentId}/none`)).status).toBe(404);
    const revoke = { agent_id: agentId, tool_name: 'echo:none' };
    expect((await hub.rest('POST', `${mcp}/policies/revoke`, revoke)).status).toBe(404);
  });
});

describe('a call that needs approval', () => {
  it('[API-1] waits, then runs or is answered with 401', async () => {
    const grant = { agent_id: 'careful', server_id: 'echo', tool_name: 'pid', effect: 'ask' };
    expect((await hub.rest('POST', `${mcp}/policies/grant`, grant)).body.effect).toBe('ask');
    for (const [answer, status] of [
      ['once', 200],
      ['deny', 401],
    ] as const) {
      const called = invoke('echo', 'pid', { agent_id: 'careful' }, hub.rest.adminToken);
      await eventually(() => expect(hub.engine.approvals()).toHaveLength(1));
      const [asked] = hub.engine.approvals();
      expect(asked).toMatchObject({ clientName: 'careful', serverKey: 'echo', tool: 'pid' });
      await hub.engine.run('access.answer', { approvalId: asked?.id ?? '', answer });
      expect((await called).status).toBe(status);
    }
  });
});

describe('a waiting call without a window', () => {
  it('[API-1] [PB-HEAD-1] is listed and answered by the administrator, and by nobody else', async () => {
    const grant = { agent_id: 'waiter', server_id: 'echo', tool_name: 'pid', effect: 'ask' };
    await hub.rest('POST', `${mcp}/policies/grant`, grant);
    const called = invoke('echo', 'pid', { agent_id: 'waiter' }, hub.rest.adminToken);
    const list = () => hub.rest('GET', '/api/v1/approvals');
    await eventually(async () => expect((await list()).body).toHaveLength(1));
    const [asked] = (await list()).body;
    expect(asked).toMatchObject({ agent_name: 'waiter', server_id: 'echo', tool_name: 'pid', behind: 0 });
    const path = `/api/v1/approvals/${asked.id}`;
    const made = await hub.rest('POST', '/api/v1/identities', { name: 'waiter 2' });
    const others = hub.rest('POST', path, { answer: 'once' }, made.body.token);
    expect((await others).status).toBe(403);
    expect((await hub.rest('POST', path, { answer: 'perhaps' })).status).toBe(422);
    expect((await hub.rest('POST', path, { answer: 'once' })).status).toBe(204);
    expect((await called).status).toBe(200);
    expect((await hub.rest('POST', path, { answer: 'once' })).status).toBe(404);
  });
});

describe('a waiting call when the hub stops', () => {
  it('[API-1] [PB-PROC-1] is answered 503, and a client by its code', async () => {
    await using own = await startRestHub({ echo: nodeEntry(fixture('echo')) });
    await using client = await own.bridge('cursor');
    await client.callTool({ name: 'echo__echo', arguments: {} });
    for (const { id: identityId } of own.engine.access().identities) {
      const scope = { kind: 'tool', serverKey: 'echo', tool: 'pid' } as const;
      await own.engine.run('access.grant', { identityId, effect: 'ask', scope });
    }
    const call = { name: 'echo.pid', agent_id: own.agentId };
    const asked = own.rest('POST', '/api/v1/tools/call', call);
    const waiting = client.callTool({ name: 'echo__pid' }).catch((error: unknown) => error);
    await eventually(() => expect(own.engine.approvals()).toHaveLength(2));
    await own.engine.stop();
    expect(await asked).toMatchObject({ status: 503, body: { error_type: 'ServiceUnavailableError' } });
    expect(await waiting).toMatchObject({ data: { code: 'call.draining' } });
  });
});

describe('the token of an identity', () => {
  it('[API-1] opens nothing once it is rotated, revoked or expired', async () => {
    const soon = new Date(Date.now() + 60_000).toISOString();
    const made = await hub.rest('POST', '/api/v1/identities', {
      name: 'temp',
      owner: 'Ann',
      expires_at: soon,
    });
    expect(made).toMatchObject({
      status: 201,
      body: { identity: { name: 'temp', owner: 'Ann', kind: 'agent', has_token: true, expires_at: soon } },
    });
    const { id } = made.body.identity;
    const sees = async (token: string) => (await hub.rest('GET', '/api/v1/tools', undefined, token)).status;
    expect(await sees(made.body.token)).toBe(200);
    const rotated = await hub.rest('POST', `/api/v1/identities/${id}/rotate`);
    expect([await sees(made.body.token), await sees(rotated.body.token)]).toEqual([401, 200]);
    expect((await hub.rest('POST', `/api/v1/identities/${id}/revoke`)).body.revoked_at).toEqual(instant);
    expect(await sees(rotated.body.token)).toBe(401);
    await hub.rest('POST', `/api/v1/identities/${id}/restore`);
    expect(await sees(rotated.body.token)).toBe(200);
    expect((await hub.rest('POST', '/api/v1/identities', { name: 'temp' })).status).toBe(409);
    expect((await hub.rest('DELETE', `/api/v1/identities/${id}`)).status).toBe(204);
    expect((await hub.rest('POST', `/api/v1/identities/${id}/rotate`)).status).toBe(404);
    const list = await hub.rest('GET', '/api/v1/identities');
    expect(list.text).not.toContain(rotated.body.token);
    expect(list.body.identities.map(({ name }: { name: string }) => name)).not.toContain('temp');
  });

  it('[API-1] [PB-DUAL-1] shows which clients use it, and how each of them speaks', async () => {
    const post = async (method: string, params: object, headers: Readonly<Record<string, string>> = {}) => {
      const response = await fetch(hub.engine.connection().url, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${hub.token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
      expect(response.status).toBe(200);
      await response.text();
    };
    const clientInfo = { name: 'with a session', version: '1.0.0' };
    await post('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    await post(
      'server/discover',
      { _meta: envelope() },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' },
    );
    const { body } = await hub.rest('GET', '/api/v1/identities');
    const { connections } = body.identities.find(({ id }: { id: string }) => id === hub.agentId);
    const times = { connected_at: instant, last_active_at: instant };
    expect(connections).toEqual(
      expect.arrayContaining([
        {
          client_name: 'with a session',
          client_version: '1.0.0',
          via: 'http',
          protocol: { version: '2025-06-18', stateless: false, reason: 'it sent initialize' },
          ...times,
        },
        {
          client_name: 'test',
          client_version: '1',
          via: 'http',
          protocol: { version: '2026-07-28', stateless: true, reason: 'each request stands on its own' },
          ...times,
        },
      ]),
    );
  });

  it('of the HTTP endpoint is not valid for REST', async () => {
    const { token } = hub.engine.connection();
    expect((await hub.rest('GET', '/api/v1/tools', undefined, token)).status).toBe(401);
  });
});
