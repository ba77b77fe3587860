import { describe, expect, it } from 'vitest';
import { metaKeys } from '../../../../../electron/engine/transport/modern/protocol.ts';
import { type Json, last, modern } from './modern-peers.ts';

const tasks = { 'io.modelcontextprotocol/tasks': {} };
const task = {
  taskId: 't1',
  status: 'working',
  createdAt: '2026-01-01T00:00:00Z',
  lastUpdatedAt: '2026-01-01T00:00:01Z',
  ttlMs: null,
  pollIntervalMs: 500,
  own: [1],
};
const { ttlMs: _ttlMs, pollIntervalMs: _pollIntervalMs, ...common } = task;
const shown = { ...common, ttl: null, pollInterval: 500 };
const related = { 'io.modelcontextprotocol/related-task': { taskId: 't1' } };
const missing = {
  error: { code: -32021, message: 'm', data: { requiredCapabilities: { extensions: tasks } } },
};

/** The hub before a server of the extension that has a client with a session, unless `extensions` says otherwise. */
async function withServer(extensions: Json = tasks) {
  const hub = await modern({ extensions });
  await hub.started;
  await hub.handshake();
  const sent = () => hub.inner.sent.filter(({ method }) => method !== 'subscriptions/listen');
  /** Answers the latest request, which must be this one. */
  const answer = async (method: string, outcome: Json) => {
    const request = last(sent());
    expect(request.method).toBe(method);
    hub.inner.receive({ id: request.id, ...outcome });
    await hub.clock.advance(0);
    return request;
  };
  const call = (params: Json = {}) =>
    hub.send({ id: 2, method: 'tools/call', params: { name: 'work', ...params } });
  /** A call that has become a task. */
  const made = async () => {
    await call({ task: { ttl: 1 } });
    await answer('tools/call', { result: { resultType: 'task', ...task } });
  };
  return { ...hub, sent, answer, call, made };
}

describe('[PB-DUAL-3] [PB-PASS-1] tasks of a stateless server, for a client with a session', () => {
  it('are announced as such a client knows them', async () => {
    for (const [extensions, capability] of [
      [tasks, { list: {}, cancel: {}, requests: { tools: { call: {} } } }],
      [{}, undefined],
    ]) {
      const { received } = await withServer(extensions);
      expect(received[0].result.capabilities.tasks).toEqual(capability);
    }
  });

  it('are made by a call that asks for one, which declares the extension', async () => {
    const hub = await withServer();
    await hub.made();
    const { params } = last(hub.sent());
    expect(params.task).toBeUndefined();
    expect(params._meta[metaKeys.capabilities]).toEqual({ elicitation: { form: {} }, extensions: tasks });
    expect(last(hub.received)).toMatchObject({ id: 2, result: { task: shown } });
    expect(last(hub.received).result.task).toEqual(shown);
    await hub.send({ id: 3, method: 'tasks/list' });
    expect(last(hub.received)).toMatchObject({ id: 3, result: { tasks: [shown] } });
  });

  it('are not declared by a call that asks for none', async () => {
    const hub = await withServer();
    await hub.call();
    const { params } = await hub.answer('tools/call', { result: { resultType: 'task', ...task } });
    expect(params._meta[metaKeys.capabilities].extensions).toBeUndefined();
    expect(last(hub.received)).toMatchObject({ id: 2, error: { code: -32603 } });
  });

  it.each<[string, Json, string]>([
    ['a result', { content: [], x: 1.5 }, 'completed'],
    ['a failed tool', { content: [], isError: true }, 'failed'],
  ])('have ended already if the server answers at once: %s', async (_case, result, status) => {
    const hub = await withServer();
    await hub.call({ task: {} });
    await hub.answer('tools/call', { result: { resultType: 'complete', ...result } });
    const { taskId, ...others } = last(hub.received).result.task;
    expect(others).toMatchObject({ status, ttl: 600_000 });
    const before = hub.sent().length;
    await hub.send({ id: 3, method: 'tasks/get', params: { taskId } });
    expect(last(hub.received)).toMatchObject({ id: 3, result: { taskId, status } });
    await hub.send({ id: 4, method: 'tasks/result', params: { taskId } });
    expect(last(hub.received)).toMatchObject({ id: 4, result });
    expect(last(hub.received).result._meta).toEqual({
      'io.modelcontextprotocol/related-task': { taskId },
    });
    await hub.send({ id: 5, method: 'tasks/cancel', params: { taskId } });
    expect(last(hub.received)).toMatchObject({ id: 5, error: { code: -32602 } });
    expect(hub.sent()).toHaveLength(before);
    await hub.clock.advance(600_000);
    await hub.send({ id: 6, method: 'tasks/get', params: { taskId } });
    await hub.answer('tasks/get', { error: { code: -32602, message: 'unknown' } });
    expect(last(hub.received)).toMatchObject({ id: 6, error: { code: -32602 } });
  });

  it('are shown without what the extension puts inside', async () => {
    const hub = await withServer();
    await hub.made();
    await hub.send({ id: 3, method: 'tasks/get', params: { taskId: 't1' } });
    const inside = { inputRequests: { a: { method: 'roots/list' } } };
    await hub.answer('tasks/get', {
      result: { resultType: 'complete', ...task, status: 'input_required', ...inside },
    });
    expect(last(hub.received).result).toEqual({ ...shown, status: 'input_required' });
  });

  it.each<[string, Json, Json]>([
    [
      'a result',
      { status: 'completed', result: { content: [1] } },
      { result: { content: [1], _meta: related } },
    ],
    [
      'an error',
      { status: 'failed', error: { code: -32000, message: 'm', data: 1 } },
      { error: { code: -32000, message: 'm', data: 1 } },
    ],
    [
      'a cancellation',
      { status: 'cancelled', statusMessage: 'enough' },
      { error: { code: -32603, message: 'The task t1 was cancelled: enough' } },
    ],
  ])('are waited for: %s', async (_case, end, outcome) => {
    const hub = await withServer();
    await hub.made();
    await hub.send({ id: 3, method: 'tasks/result', params: { taskId: 't1' } });
    await hub.answer('tasks/get', { result: { resultType: 'complete', ...task } });
    await hub.clock.advance(500);
    await hub.answer('tasks/get', { result: { resultType: 'complete', ...task, ...end } });
    expect(last(hub.received)).toEqual({ jsonrpc: '2.0', id: 3, relatedTo: undefined, ...outcome });
  });

  it('are no longer asked for once nobody waits', async () => {
    const hub = await withServer();
    await hub.made();
    await hub.send({ id: 3, method: 'tasks/result', params: { taskId: 't1' } });
    await hub.answer('tasks/get', { result: { resultType: 'complete', ...task } });
    await hub.send({ method: 'notifications/cancelled', params: { requestId: 3 } });
    const before = hub.sent().length;
    await hub.clock.advance(60_000);
    expect(hub.sent()).toHaveLength(before);
  });

  it('ask as requests that name the task, each question once, and get the answers', async () => {
    const hub = await withServer();
    await hub.made();
    await hub.send({ id: 3, method: 'tasks/result', params: { taskId: 't1' } });
    const params = { message: 'Name?', requestedSchema: { type: 'object' } };
    const inputRequests = { name: { method: 'elicitation/create', params } };
    const asking = { result: { resultType: 'complete', ...task, status: 'input_required', inputRequests } };
    await hub.answer('tasks/get', asking);
    await hub.clock.advance(500);
    await hub.answer('tasks/get', asking);
    const questions = hub.received.filter(({ method }) => method === 'elicitation/create');
    expect(questions).toMatchObject([{ params: { ...params, _meta: related }, relatedTo: 3 }]);
    await hub.send({ id: questions[0].id, result: { action: 'accept', content: { name: 'Ada' } } });
    expect(last(hub.sent())).toMatchObject({
      method: 'tasks/update',
      params: { taskId: 't1', inputResponses: { name: { action: 'accept', content: { name: 'Ada' } } } },
    });
  });

  it.each<[string, string, Json]>([
    [
      'elicitation',
      'elicitation/create',
      { method: 'tasks/update', params: { inputResponses: { a: { action: 'cancel' } } } },
    ],
    ['sampling', 'sampling/createMessage', { method: 'tasks/cancel', params: { taskId: 't1' } }],
  ])('are told of a refusal: %s', async (_case, method, told) => {
    const hub = await withServer();
    await hub.made();
    await hub.send({ id: 3, method: 'tasks/result', params: { taskId: 't1' } });
    const inputRequests = { a: { method, params: {} } };
    await hub.answer('tasks/get', { result: { ...task, status: 'input_required', inputRequests } });
    await hub.send({ id: last(hub.received).id, error: { code: -32601, message: 'no' } });
    expect(last(hub.sent())).toMatchObject(told);
    await hub.answer(told.method, { result: { resultType: 'complete' } });
    if (method === 'elicitation/create') return;
    await hub.clock.advance(500);
    await hub.answer('tasks/get', { result: { resultType: 'complete', ...task, status: 'cancelled' } });
    expect(last(hub.received)).toMatchObject({ id: 3, error: { code: -32601, message: 'no' } });
  });

  it('are cancelled, and shown as they are then', async () => {
    const hub = await withServer();
    await hub.made();
    await hub.send({ id: 3, method: 'tasks/cancel', params: { taskId: 't1' } });
    await hub.answer('tasks/cancel', { result: { resultType: 'complete' } });
    await hub.answer('tasks/get', { result: { resultType: 'complete', ...task, status: 'cancelled' } });
    expect(last(hub.received)).toMatchObject({ id: 3, result: { ...shown, status: 'cancelled' } });
  });

  it('are followed within the call of a tool that is always a task, for a client that asks for none', async () => {
    const hub = await withServer();
    await hub.call();
    await hub.answer('tools/call', missing);
    const again = await hub.answer('tools/call', { result: { resultType: 'task', ...task } });
    expect(again.params._meta[metaKeys.capabilities].extensions).toEqual(tasks);
    await hub.answer('tasks/get', { result: { resultType: 'complete', ...task } });
    await hub.clock.advance(500);
    const result = { content: ['done'] };
    await hub.answer('tasks/get', {
      result: { resultType: 'complete', ...task, status: 'completed', result },
    });
    expect(last(hub.received)).toMatchObject({ id: 2, result });
    expect(hub.sent().filter(({ method }) => method === 'tools/call')).toHaveLength(2);
  });

  it('are cancelled with such a call', async () => {
    const hub = await withServer();
    await hub.call();
    await hub.answer('tools/call', missing);
    await hub.answer('tools/call', { result: { resultType: 'task', ...task } });
    await hub.send({ method: 'notifications/cancelled', params: { requestId: 2 } });
    await hub.answer('tasks/get', { result: { resultType: 'complete', ...task } });
    await hub.answer('tasks/cancel', { result: { resultType: 'complete' } });
    expect(hub.received.filter(({ id }) => id === 2)).toEqual([]);
  });

  it('are not asked for again if the server refuses even so', async () => {
    const hub = await withServer();
    await hub.call();
    await hub.answer('tools/call', missing);
    await hub.answer('tools/call', missing);
    expect(last(hub.received)).toMatchObject({ id: 2, error: { code: -32021 } });
  });

  it('of a server without the extension: the option is dropped, and the call runs', async () => {
    const hub = await withServer({});
    await hub.call({ task: {} });
    const { params } = await hub.answer('tools/call', { result: { resultType: 'complete', content: [] } });
    expect(params.task).toBeUndefined();
    expect(last(hub.received)).toMatchObject({ id: 2, result: { content: [] } });
  });
});

/** A stateless client that wants to be told of a task, and the listen that is opened for it. */
async function watched() {
  const hub = await modern({ extensions: { 'io.modelcontextprotocol/tasks': {} } });
  await hub.started;
  await hub.handshake();
  const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
  const _meta = { 'patchbay/clientCapabilities': capabilities, 'patchbay/watch': true };
  await hub.send({ id: 9, method: 'tasks/get', params: { taskId: 't1', _meta } });
  const listen = () => hub.inner.sent.findLast(({ method }) => method === 'subscriptions/listen');
  const agree = (notifications: Json, id = listen().id) => {
    const meta = { 'io.modelcontextprotocol/subscriptionId': id };
    hub.inner.receive({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications, _meta: meta },
    });
  };
  const asked = () => hub.inner.sent.find(({ method }) => method === 'tasks/get');
  return { ...hub, listen, agree, asked };
}

describe('[PB-DUAL-3] the status of a task of a stateless server, for a client that listens', () => {
  it('is told if the server agrees, and asked for again after an interruption', async () => {
    const { listen, agree, asked, inner, received, clock } = await watched();
    expect(listen().params.notifications).toMatchObject({ taskIds: ['t1'] });
    expect(asked()).toBeUndefined();
    agree({ taskIds: ['t1'] });
    await clock.advance(0);
    expect(JSON.stringify(asked())).not.toContain('patchbay/');
    inner.receive({
      method: 'notifications/tasks',
      params: { taskId: 't1', status: 'working', ttlMs: null },
    });
    const told = {
      method: 'notifications/tasks/status',
      params: { taskId: 't1', status: 'working', ttl: null },
    };
    expect(received.at(-1)).toMatchObject(told);
    inner.receive({ id: listen().id, result: { resultType: 'complete' } });
    await clock.advance(1_000);
    agree({ taskIds: ['t1'] });
    expect(received.at(-1)).toMatchObject({ method: told.method, params: { taskId: 't1' } });
  });

  it.each([
    ['agrees to other things only', (hub: Json) => hub.agree({ toolsListChanged: true })],
    [
      'refuses to',
      (hub: Json) => hub.inner.receive({ id: hub.listen().id, error: { code: -32601, message: 'no' } }),
    ],
    ['says nothing', (hub: Json) => hub.clock.advance(2_000)],
    ['is gone', (hub: Json) => hub.transport.close()],
  ])('is not promised if the server %s', async (_, act) => {
    const hub = await watched();
    await act(hub);
    await hub.clock.advance(0);
    expect(hub.asked()).toBeUndefined();
    expect(hub.received.find(({ id }) => id === 9)).toMatchObject({ error: { code: -32602 } });
  });
});

describe('[PB-DUAL-3] [PB-PASS-1] tasks of a stateless server, for a stateless client', () => {
  const meta = (extensions: Json) => ({ _meta: { 'patchbay/clientCapabilities': { extensions } } });

  it('pass as they are, with the requests about them', async () => {
    const hub = await withServer();
    await hub.call(meta(tasks));
    await hub.answer('tools/call', { result: { resultType: 'task', ...task } });
    expect(last(hub.received).result).toEqual({ resultType: 'task', ...task });
    await hub.send({ id: 3, method: 'tasks/get', params: { taskId: 't1', ...meta(tasks) } });
    const state = { resultType: 'complete', ...task, status: 'input_required', inputRequests: { a: {} } };
    await hub.answer('tasks/get', { result: state });
    expect(last(hub.received)).toMatchObject({ id: 3, result: state });
  });

  it('are an error for one that has not declared them, and so is the demand for them', async () => {
    const hub = await withServer();
    await hub.call(meta({}));
    await hub.answer('tools/call', { result: { resultType: 'task', ...task } });
    expect(last(hub.received)).toMatchObject({ id: 2, error: { code: -32603 } });
    await hub.call(meta({}));
    await hub.answer('tools/call', missing);
    expect(last(hub.received)).toMatchObject({ id: 2, ...missing });
  });
});
