import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { describe, expect, it } from 'vitest';
import { agentToken, bot, fakePorts, type ServedApi, serveApi, serverViewOf } from '../../../helper/api.ts';
import { eventually } from '../../../helper/eventually.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';

/** Reads the stream until disposed. */
async function listen(api: ServedApi, headers: Readonly<Record<string, string>> = {}, token?: string) {
  const ending = new AbortController();
  const response = await api.ask('/api/v1/events', {
    headers,
    signal: ending.signal,
    ...(token === undefined ? {} : { token }),
  });
  const events: EventSourceMessage[] = [];
  const comments: string[] = [];
  const parser = createParser({
    onEvent: (event) => events.push(event),
    onComment: (comment) => comments.push(comment),
  });
  const state = { isOver: false };
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) parser.feed(decoder.decode(bytes, { stream: true }));
  };
  const done = read()
    .catch(() => undefined)
    .finally(() => {
      state.isOver = true;
    });
  return {
    response,
    events,
    comments,
    state,
    types: () => events.map(({ event }) => event),
    async [Symbol.asyncDispose]() {
      ending.abort();
      await done;
    },
  };
}

describe('events', () => {
  it('[EVT-1] [REQ-MCP-AUTH-003] end for identities that lost access, and for nobody else', async () => {
    const { ports, ended } = fakePorts();
    await using api = await serveApi(ports);
    await using admin = await listen(api);
    await using theirs = await listen(api, {}, agentToken);
    ended.fire('somebody else');
    await eventually(() => expect(theirs.comments).toHaveLength(1));
    expect(theirs.state.isOver).toBe(false);
    ended.fire(bot.id);
    await eventually(() => expect(theirs.state.isOver).toBe(true));
    expect(admin.state.isOver).toBe(false);
  });

  it('[EVT-1] tell of servers, tools, circuits and calls', async () => {
    const { ports, servers, tools, serversChanged, toolsChanged, completed, circuitsChanged } = fakePorts();
    let open: ReturnType<typeof ports.hub.breakers> = [];
    const hub = { ...ports.hub, breakers: () => open };
    await using api = await serveApi({ ...ports, hub });
    await using reader = await listen(api);
    expect(reader.response.headers.get('content-type')).toBe('text/event-stream');
    servers.set('a', serverViewOf('a', { status: 'error' }));
    serversChanged.fire(undefined);
    serversChanged.fire(undefined);
    tools.push({ serverKey: 'a', name: 'new', enabled: true });
    toolsChanged.fire(undefined);
    open = [{ serverKey: 'a', tool: 'x', state: 'open', failures: 5, successes: 0, openedAt: 1, until: 2 }];
    circuitsChanged.fire('a');
    circuitsChanged.fire('a');
    completed.fire({
      correlationId: 'req-1',
      serverKey: 'a',
      tool: 'x',
      success: true,
      milliseconds: 5,
      attempts: 1,
    });
    await eventually(() => expect(reader.events).toHaveLength(4));
    expect(reader.events.map(({ event, data }) => [event, JSON.parse(data)])).toEqual([
      ['mcp.server_state_changed', { server_id: 'a', status: 'ERROR', previous: 'CONNECTED' }],
      ['mcp.tool_registered', { server_id: 'a', tool_name: 'new' }],
      ['mcp.circuit_opened', { server_id: 'a', tool_name: 'x' }],
      [
        'mcp.invocation_completed',
        {
          correlation_id: 'req-1',
          server_id: 'a',
          tool_name: 'x',
          success: true,
          latency_ms: 5,
          attempts: 1,
        },
      ],
    ]);
  });

  it('[EVT-1] resume after the last received event if it is still known', async () => {
    const { ports, servers, serversChanged } = fakePorts();
    await using api = await serveApi(ports);
    const change = (status: 'error' | 'connected') => {
      servers.set('a', serverViewOf('a', { status }));
      serversChanged.fire(undefined);
    };
    await api.ask('/openapi.json');
    change('error');
    change('connected');
    await using first = await listen(api, { 'last-event-id': 'nonsense' });
    change('error');
    await eventually(() => expect(first.types()).toEqual(['stream.reset', 'mcp.server_state_changed']));
    const { id = '' } = first.events[1] ?? {};
    change('connected');
    await using second = await listen(api, { 'last-event-id': id });
    await eventually(() => expect(second.events).toHaveLength(1));
    expect(JSON.parse(second.events[0]?.data ?? '')).toMatchObject({ status: 'CONNECTED' });
    await using foreign = await listen(api, { 'last-event-id': 'ffffffff-1' });
    await eventually(() => expect(foreign.types()).toEqual(['stream.reset']));
    for (let more = 0; more < 1_100; more += 1) change(more % 2 === 0 ? 'error' : 'connected');
    await using late = await listen(api, { 'last-event-id': id });
    await eventually(() => expect(late.types()).toEqual(['stream.reset']));
  });

  it('[EVT-1] include heartbeats while nothing happens', async () => {
    const clock = new FakeClock();
    await using api = await serveApi({ ...fakePorts().ports, clock });
    await using reader = await listen(api);
    await eventually(() => expect(reader.comments).toHaveLength(1));
    for (const beats of [2, 3]) {
      clock.advance(15_000);
      await eventually(() => expect(reader.comments).toHaveLength(beats));
    }
  });

  it('[EVT-1] show an identity only tools it may call and its own calls', async () => {
    const { ports, tools, toolsChanged, completed, servers, serversChanged } = fakePorts();
    await using api = await serveApi(ports);
    await using reader = await listen(api, {}, agentToken);
    const done = {
      correlationId: 'c',
      serverKey: 'a',
      tool: 'x',
      success: true,
      milliseconds: 1,
      attempts: 1,
    };
    tools.push({ serverKey: 'a', name: 'forbidden', enabled: true });
    tools.push({ serverKey: 'b', name: 'forbidden', enabled: true });
    servers.set('b', serverViewOf('b'));
    toolsChanged.fire(undefined);
    serversChanged.fire(undefined);
    completed.fire({ ...done, identityId: 'other' });
    completed.fire(done);
    completed.fire({ ...done, identityId: bot.id, correlationId: 'own' });
    await eventually(() => expect(reader.events).toHaveLength(1));
    expect(JSON.parse(reader.events[0]?.data ?? '')).toMatchObject({ correlation_id: 'own' });
  });

  it('[EVT-1] disconnect a slow reader, and refuse too many readers', async () => {
    const { ports, completed } = fakePorts();
    await using api = await serveApi(ports);
    const slow = await api.ask('/api/v1/events');
    const call = { correlationId: 'x'.repeat(60_000), serverKey: 'a', tool: 'x', success: true };
    for (let more = 0; more < 400; more += 1) completed.fire({ ...call, milliseconds: 1, attempts: 1 });
    let size = 0;
    for await (const bytes of slow.body ?? []) size += bytes.length;
    expect(size).toBeLessThan(20_000_000);
    const readers = await Promise.all(Array.from({ length: 100 }, () => listen(api)));
    const refused = await api.ask('/api/v1/events');
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ code: 'too_many_streams' });
    for (const reader of readers) await reader[Symbol.asyncDispose]();
    await eventually(async () => {
      await using again = await listen(api);
      expect(again.response.status).toBe(200);
    });
  });

  it('[EVT-1] end with the hub', async () => {
    await using api = await serveApi(fakePorts().ports);
    await using reader = await listen(api);
    api.api.dispose();
    await eventually(() => expect(reader.state.isOver).toBe(true));
  });
});
