import { describe, expect, it } from 'vitest';
import { withoutRelatedTask } from '../../../../../electron/engine/transport/modern/task-shapes.ts';
import { envelope, type Json, modernClient } from './modern-peers.ts';

const extension = { 'io.modelcontextprotocol/tasks': {} };
const able = envelope({ elicitation: { form: {} }, extensions: extension });
const sessionTasks = { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };
const related = { 'io.modelcontextprotocol/related-task': { taskId: 't1' } };
const task = {
  taskId: 't1',
  status: 'working',
  statusMessage: 'soon',
  createdAt: '2026-01-01T00:00:00Z',
  lastUpdatedAt: '2026-01-01T00:00:01Z',
  ttl: 60_000,
  pollInterval: 500,
  own: { a: 1 },
};
const { ttl: _ttl, pollInterval: _pollInterval, ...common } = task;
const shown = { ...common, ttlMs: 60_000, pollIntervalMs: 500 };
const question = {
  method: 'elicitation/create',
  params: { message: 'Name?', requestedSchema: { type: 'object' }, _meta: related },
};

/** A client whose call has become a task of a server with sessions; `state` is what that says next. */
async function withTask(more: Record<string, (request: Json) => Json | undefined> = {}) {
  const state: Json = { ...task };
  const client = modernClient(
    {
      'tools/call': () => ({ result: { task, _meta: { x: 1 } } }),
      'tasks/get': () => ({ result: { ...state } }),
      ...more,
    },
    sessionTasks,
  );
  const ask = async (method: string, params: Json = {}, meta: object = able) => {
    const { received } = client.request('r', method, { taskId: 't1', ...params }, meta);
    await client.clock.advance(0);
    return received;
  };
  const created = client.request('c', 'tools/call', { name: 'work' }, able).received;
  await client.clock.advance(0);
  return { ...client, state, ask, created };
}

describe('[PB-DUAL-2] [PB-PASS-1] tasks of a server with sessions, for a stateless client', () => {
  it('are announced as an extension, if the session runs calls as tasks', async () => {
    for (const [capabilities, extensions] of [
      [sessionTasks, extension],
      [{ tasks: { list: {} } }, undefined],
    ]) {
      const client = modernClient({}, capabilities);
      const { received } = client.request(1, 'server/discover');
      await client.clock.advance(0);
      expect(received[0].result.capabilities.extensions).toEqual(extensions);
      expect(received[0].result.capabilities.tasks).toBeUndefined();
    }
  });

  it('are described in the terms of the extension', async () => {
    const { created, ask } = await withTask();
    expect(created).toEqual([{ jsonrpc: '2.0', id: 'c', result: { resultType: 'task', ...shown } }]);
    expect(await ask('tasks/get')).toEqual([
      { jsonrpc: '2.0', id: 'r', result: { resultType: 'complete', ...shown } },
    ]);
  });

  it.each<[string, string, Json, Json]>([
    [
      'a result',
      'completed',
      { result: { content: [], x: 1, _meta: related } },
      { status: 'completed', result: { content: [], x: 1 } },
    ],
    [
      'a failed tool',
      'failed',
      { result: { content: [], isError: true, _meta: { ...related, own: 1 } } },
      { status: 'completed', result: { content: [], isError: true, _meta: { own: 1 } } },
    ],
    [
      'an error',
      'failed',
      { error: { code: -32000, message: 'm' } },
      { status: 'failed', error: { code: -32000, message: 'm' } },
    ],
  ])('end with %s inside', async (_case, status, answer, end) => {
    const { state, ask } = await withTask({ 'tasks/result': () => answer });
    state.status = status;
    expect(await ask('tasks/get')).toEqual([
      { jsonrpc: '2.0', id: 'r', result: { resultType: 'complete', ...shown, ...end } },
    ]);
  });

  it('that were cancelled are not asked for a result', async () => {
    const { state, ask, inner } = await withTask({ 'tasks/cancel': () => ({ result: task }) });
    expect(await ask('tasks/cancel')).toEqual([
      { jsonrpc: '2.0', id: 'r', result: { resultType: 'complete' } },
    ]);
    state.status = 'cancelled';
    expect(await ask('tasks/get')).toMatchObject([{ result: { status: 'cancelled' } }]);
    expect(inner.filter(({ method }) => method === 'tasks/result')).toEqual([]);
  });

  it('that have ended may be cancelled all the same; unknown to their server they are an error', async () => {
    const late = await withTask({ 'tasks/cancel': () => ({ error: { code: -32602, message: 'ended' } }) });
    expect(await late.ask('tasks/cancel')).toMatchObject([{ result: { resultType: 'complete' } }]);
    const gone = await withTask({ 'tasks/get': () => ({ error: { code: -32602, message: 'unknown' } }) });
    expect(await gone.ask('tasks/get')).toMatchObject([{ error: { code: -32602 } }]);
  });

  it('ask through tasks/get, are answered through tasks/update, each question once', async () => {
    const { state, ask, inner, say, clock, request } = await withTask();
    state.status = 'input_required';
    const { received } = request('g', 'tasks/get', { taskId: 't1' }, able);
    await clock.advance(0);
    expect(inner.at(-1)).toMatchObject({ method: 'tasks/result', params: { taskId: 't1' } });
    await say({ id: 's1', ...question });
    await clock.advance(0);
    const asked = {
      q1: { method: question.method, params: { message: 'Name?', requestedSchema: { type: 'object' } } },
    };
    expect(received).toMatchObject([{ result: { status: 'input_required', inputRequests: asked } }]);
    expect(await ask('tasks/get')).toMatchObject([{ result: { inputRequests: asked } }]);
    expect(inner.filter(({ method }) => method === 'tasks/result')).toHaveLength(1);
    const inputResponses = { q1: { action: 'accept' }, other: {} };
    for (const _ of [1, 2])
      expect(await ask('tasks/update', { inputResponses })).toMatchObject([
        { result: { resultType: 'complete' } },
      ]);
    expect(inner.filter(({ id }) => id === 's1')).toMatchObject([{ result: { action: 'accept' } }]);
    await say({ id: 's2', ...question });
    state.status = 'working';
    expect(Object.keys((await ask('tasks/get'))[0].result.inputRequests)).toEqual(['q2']);
    await say({ method: 'notifications/cancelled', params: { requestId: 's2' } });
    expect((await ask('tasks/get'))[0].result).toMatchObject({ status: 'working' });
  });

  it('ask through tasks/get, too, what their server asks before it says that there is a task', async () => {
    const state = { ...task, status: 'input_required' };
    const client = modernClient({ 'tasks/get': () => ({ result: state }) }, sessionTasks);
    const { received } = client.request('c', 'tools/call', { name: 'work' }, able);
    await client.clock.advance(0);
    const { id } = client.lastCall();
    await client.say({ id: 's1', ...question }, id);
    await client.say({ id: 's2', ...question, params: { message: 'Of the call?' } }, id);
    await client.say({ id, result: { task } });
    expect(received).toMatchObject([{ result: { resultType: 'task', taskId: 't1' } }]);
    expect(client.inner.at(-1)).toMatchObject({ id: 's2', result: { action: 'cancel' } });
    const asked = client.request('g', 'tasks/get', { taskId: 't1' }, able).received;
    await client.clock.advance(0);
    expect(asked[0].result.inputRequests).toEqual({
      q1: { method: question.method, params: { message: 'Name?', requestedSchema: { type: 'object' } } },
    });
  });

  it('that want input but ask nothing are said to work', async () => {
    const { state, clock, request } = await withTask();
    state.status = 'input_required';
    const { received } = request('g', 'tasks/get', { taskId: 't1' }, able);
    await clock.advance(0);
    await clock.advance(1_000);
    expect(received[0].result).toMatchObject({ status: 'working' });
    expect(received[0].result.inputRequests).toBeUndefined();
  });

  it('may not ask what the client cannot answer', async () => {
    const { inner, say } = await withTask();
    await say({ id: 's1', method: 'sampling/createMessage', params: { messages: [], _meta: related } });
    expect(inner.at(-1)).toMatchObject({ id: 's1', error: { code: -32601 } });
  });

  it('that nobody asks for are forgotten: their questions end, the session may', async () => {
    const { translator, clock, say, inner, ask } = await withTask();
    expect(translator.isIdle).toBe(false);
    await say({ id: 's1', ...question });
    await clock.advance(60_000);
    expect(inner.at(-1)).toMatchObject({ id: 's1', result: { action: 'cancel' } });
    expect(translator.isIdle).toBe(true);
    expect(await ask('tasks/get')).toMatchObject([{ error: { code: -32602 } }]);
  });

  it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])(
    '[PB-DUAL-4] refuse %s without the extension, and for a task of nobody',
    async (method) => {
      const { ask } = await withTask();
      expect(await ask(method, {}, envelope())).toMatchObject([
        { error: { code: -32021, data: { requiredCapabilities: { extensions: extension } } } },
      ]);
      for (const taskId of ['t2', 7, null])
        expect(await ask(method, { taskId })).toMatchObject([{ error: { code: -32602 } }]);
    },
  );

  it.each(['tasks/list', 'tasks/result'])('[PB-DUAL-4] have no %s', async (method) => {
    const { ask } = await withTask();
    expect(await ask(method)).toMatchObject([{ error: { code: -32601 } }]);
  });

  it('are listened to: each change of status is told whole, with the questions or the result', async () => {
    const result = { content: [{ type: 'text', text: 'done' }] };
    const { request, clock, say, state } = await withTask({ 'tasks/result': () => ({ result }) });
    const { received } = request(
      'l',
      'subscriptions/listen',
      { notifications: { taskIds: ['t1', 'other'] } },
      able,
    );
    await clock.advance(0);
    expect(received).toMatchObject([{ params: { notifications: { taskIds: ['t1'] } } }]);
    const method = 'notifications/tasks/status';
    await say({ method, params: { ...state, statusMessage: 'half way' } });
    await clock.advance(0);
    state.status = 'completed';
    for (let time = 0; time < 5; time += 1) void say({ method, params: { ...state } });
    void say({ method, params: { ...state, taskId: 'other' } });
    await clock.advance(0);
    const _meta = { 'io.modelcontextprotocol/subscriptionId': 'l' };
    const { own, ...members } = shown;
    expect(received[1]).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/tasks',
      params: { ...members, own, status: 'working', _meta },
    });
    expect(received.at(-1).params).toEqual({ ...members, own, status: 'completed', result, _meta });
    expect(received.length).toBeLessThanOrEqual(4);
  });

  it('may not be named in a listen without the extension', async () => {
    const { request, clock } = await withTask();
    const notifications = { taskIds: ['t1'] };
    const refused = request('m', 'subscriptions/listen', { notifications }, envelope());
    await clock.advance(0);
    expect(refused.received).toMatchObject([{ error: { code: -32021 } }]);
  });

  it('are not seen in the result of a tool that only looks like one', async () => {
    const result = { content: [], task: { taskId: 'x', status: 'open' } };
    const { created } = await withTask({ 'tools/call': () => ({ result }) });
    expect(created).toMatchObject([{ result: { resultType: 'complete', ...result } }]);
  });

  it.each([
    ['{"_meta":{"io.modelcontextprotocol\\/related-task":{}},"n":1.0}', '{"n":1.0}'],
    ['{"n":1.0,"_meta":{"io.modelcontextprotocol/related-task":{},"a":1}}', '{"n":1.0,"_meta":{"a":1}}'],
    ['{"_meta":{},"n":1.0}', '{"_meta":{},"n":1.0}'],
    ['{"n":1.0}', '{"n":1.0}'],
  ])('are not named in what the client gets: %s', (result, shownResult) => {
    expect(withoutRelatedTask(Buffer.from(result)).toString('utf8')).toBe(shownResult);
  });
});

describe('[PB-DUAL-2] [PB-PASS-1] tasks of a stateless server, for a stateless client', () => {
  it('pass with everything in them, and so do requests about them', async () => {
    const made = { resultType: 'task', ...shown };
    const { created, ask, inner } = await withTask({
      'tools/call': () => ({ result: made }),
      'tasks/get': () => ({
        result: { ...made, resultType: 'complete', status: 'input_required', inputRequests: {} },
      }),
      'tasks/update': () => ({ result: { resultType: 'complete' } }),
    });
    expect(created).toEqual([{ jsonrpc: '2.0', id: 'c', result: made }]);
    expect(await ask('tasks/get')).toMatchObject([
      { result: { status: 'input_required', inputRequests: {} } },
    ]);
    await ask('tasks/update', { inputResponses: { a: {} } });
    expect(inner.at(-1)).toMatchObject({
      method: 'tasks/update',
      params: {
        taskId: 't1',
        inputResponses: { a: {} },
        _meta: { 'patchbay/clientCapabilities': { extensions: extension } },
      },
    });
  });
});
