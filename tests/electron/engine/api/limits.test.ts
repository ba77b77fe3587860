import { describe, expect, it } from 'vitest';
import { InvocationRefused } from '../../../../electron/engine/api/invocation-refused.ts';
import { agentToken, answerOf, fakePorts, serveApi } from '../../../helper/api.ts';
import { eventually } from '../../../helper/eventually.ts';

const invocation = { correlation_id: 'c', server_id: 'a', tool_name: 'x' };
const tool = { kind: 'found', serverKey: 'a', tool: 'x' } as const;

describe('too many calls', () => {
  it('[API-1] of one identity are answered 429 RateLimitError, and accepted again once others have ended', async () => {
    const waiting: (() => void)[] = [];
    const ports = {
      ...fakePorts().ports,
      place: () => tool,
      invoke: () =>
        new Promise<never>((_resolve, reject) => {
          waiting.push(() => reject(new Error('over')));
        }),
    };
    await using api = await serveApi(ports);
    const send = () => api.send('POST', '/api/v1/mcp/invoke', invocation, agentToken);
    const calls = Array.from({ length: 256 }, send);
    await eventually(() => expect(waiting).toHaveLength(256));
    const response = await api.ask('/api/v1/tools/call', {
      method: 'POST',
      token: agentToken,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'a.x' }),
    });
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.json()).toMatchObject({ error_type: 'RateLimitError', code: 'rate_limited' });
    for (const end of waiting.splice(0)) end();
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(256).fill(500));
    const next = send();
    await eventually(() => expect(waiting).toHaveLength(1));
    waiting[0]?.();
    await next;
  });

  it.each([
    ['call.queue_full', 429, 'RateLimitError'],
    ['call.approvals_full', 429, 'RateLimitError'],
    ['call.not_allowed', 401, 'AuthorizationError'],
    ['call.token_needed', 401, 'AuthorizationError'],
    ['call.approval_denied', 401, 'AuthorizationError'],
    ['call.approval_timeout', 504, 'TimeoutError'],
    ['call.timeout', 504, 'TimeoutError'],
    ['call.circuit_open', 503, 'CircuitOpenError'],
    ['call.server_unavailable', 503, 'ServiceUnavailableError'],
    ['call.tool_disabled', 409, 'ToolDisabledError'],
    ['call.tool_held', 409, 'ToolDisabledError'],
    ['call.unknown_tool', 404, 'ToolNotFoundError'],
    ['call.outcome_unknown', 500, 'ToolInvocationError'],
    ['anything', 500, 'ToolInvocationError'],
  ])('[API-1] %s is answered with %i %s', async (code, status, error_type) => {
    const ports = {
      ...fakePorts().ports,
      place: () => tool,
      invoke: () =>
        Promise.reject(
          new InvocationRefused({ code, message: 'No.', attempts: 2, milliseconds: 3, retryAfter: 1_500 }),
        ),
    };
    await using api = await serveApi(ports);
    expect(await api.send('POST', '/api/v1/mcp/invoke', invocation, agentToken)).toMatchObject({
      status,
      body: { error_type, success: false, error: 'No.', attempts: 2, latency_ms: 3, correlation_id: 'c' },
    });
  });

  it('[API-1] an unexpected error is 500 without internal details', async () => {
    const ports = {
      ...fakePorts().ports,
      place: () => tool,
      invoke: () => Promise.reject(new Error('path /x')),
    };
    await using api = await serveApi(ports);
    const { status, body } = await api.send('POST', '/api/v1/mcp/invoke', invocation, agentToken);
    expect(status).toBe(500);
    expect(body).toMatchObject({ code: 'internal', error_type: 'ServerError' });
    expect(JSON.stringify(body)).not.toContain('/x');
  });
});

describe('a result', () => {
  it.each([
    ['{}', '{"isError":false,"metadata":'],
    ['{"isError":true}', '{"isError":true,"metadata":'],
    ['{"metadata":{"own":1}}', '{"metadata":{"own":1},"isError":false}'],
    ['{ "a" : 1.0 }', '{"a" : 1.0,"isError":false,"metadata":'],
  ])('[AG-US4-AC5] %s keeps its members', async (result, beginning) => {
    const answer = { answer: answerOf(result), attempts: 1, milliseconds: 2, executionMs: 1, serverKey: 'a' };
    await using api = await serveApi({ ...fakePorts().ports, place: () => tool, invoke: async () => answer });
    const response = await api.ask('/api/v1/tools/call', {
      method: 'POST',
      token: agentToken,
      headers: { 'content-type': 'application/json' },
      body: '{"name":"a.x"}',
    });
    expect((await response.text()).startsWith(beginning)).toBe(true);
    const invoked = await api.send('POST', '/api/v1/mcp/invoke', invocation, agentToken);
    expect(invoked).toMatchObject({ status: 200, body: { success: !result.includes('true') } });
  });
});
