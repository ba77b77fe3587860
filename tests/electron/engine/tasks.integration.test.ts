import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../helper/eventually.ts';
import { fixture, nodeEntry, programs, realServer } from '../../helper/programs.ts';
import { isConnected, startHub } from '../../helper/running-hub.ts';
import { envelope, type Json } from './transport/modern/modern-peers.ts';

type Hub = Awaited<ReturnType<typeof startHub>>;

const extensions = { 'io.modelcontextprotocol/tasks': {} };
const able = { elicitation: { form: {} }, extensions };

/** A stateless client over HTTP, written by hand: no SDK has the extension. */
function statelessClient(hub: Hub) {
  const { url, token } = hub.engine.connection();
  return async (method: string, params: Json, capabilities: Json = able) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        'mcp-name': params.name ?? params.taskId ?? '',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method,
        params: { ...params, _meta: envelope(capabilities) },
      }),
    });
    const text = await response.text();
    const body = text.startsWith('{') ? text : (text.split('\ndata: ').at(-1) ?? '');
    return { status: response.status, ...JSON.parse(body) } as Json;
  };
}

/** Listens to tasks; `heard` are the messages of the stream. */
async function listenTo(hub: Hub, taskIds: readonly string[]) {
  const { url, token } = hub.engine.connection();
  const over = new AbortController();
  const params = { notifications: { taskIds }, _meta: envelope(able) };
  const response = await fetch(url, {
    method: 'POST',
    signal: over.signal,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'l', method: 'subscriptions/listen', params }),
  });
  const heard: Json[] = [];
  const read = async () => {
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString('utf8');
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const data = event.split('\n').find((line) => line.startsWith('data: {'));
        if (data !== undefined) heard.push(JSON.parse(data.slice(6)));
      }
    }
  };
  void read().catch(() => undefined);
  return { heard, [Symbol.dispose]: () => over.abort() };
}

/** A client with a session, of the official SDK, that answers a form with this name. */
async function sessionClient(hub: Hub, name: string): Promise<Client> {
  const { url, token } = hub.engine.connection();
  const client = new Client({ name: 'sdk', version: '1' }, { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'accept', content: { name } }));
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}

/** Asks for a task until it has this status; resolves with how it is described then. */
async function until(
  ask: (method: string, params: Json) => Promise<Json>,
  taskId: string,
  status: string,
): Promise<Json> {
  let last: Json;
  await eventually(async () => {
    last = (await ask('tasks/get', { taskId })).result;
    expect(last).toMatchObject({ resultType: 'complete', taskId, status });
  });
  return last;
}

describe('[PB-DUAL-2] [PB-DUAL-3] [PB-PASS-1] tasks across the eras', () => {
  it('of a server with sessions reach a stateless client, with their question and their result', async () => {
    await using hub = await startHub({ every: nodeEntry(realServer('everything')) });
    await isConnected(hub, 'every');
    const ask = statelessClient(hub);
    const call = { name: 'every__simulate-research-query', arguments: { topic: 'python', ambiguous: true } };
    expect(await ask('tools/call', call, { elicitation: {} })).toMatchObject({
      status: 400,
      error: { code: -32021, data: { requiredCapabilities: { extensions } } },
    });
    const { result: made } = await ask('tools/call', call);
    expect(made).toMatchObject({ resultType: 'task', status: 'working', ttlMs: 300_000 });
    const { taskId } = made;
    const asking = await until(ask, taskId, 'input_required');
    expect(asking.inputRequests.q1).toMatchObject({ method: 'elicitation/create' });
    const inputResponses = { q1: { action: 'accept', content: { interpretation: 'snake' } } };
    expect(await ask('tasks/update', { taskId, inputResponses })).toMatchObject({ status: 200 });
    const { result } = await until(ask, taskId, 'completed');
    expect(result.content[0].text).toContain('python (snake)');
    expect(JSON.stringify(result)).not.toContain('related-task');
  });

  it('of a server with sessions are told to a stateless client that listens to them, and to no other', async () => {
    await using hub = await startHub({ every: nodeEntry(realServer('everything')) });
    await isConnected(hub, 'every');
    const ask = statelessClient(hub);
    const call = { name: 'every__simulate-research-query', arguments: { topic: 'python', ambiguous: true } };
    const { taskId } = (await ask('tools/call', call)).result;
    using listen = await listenTo(hub, [taskId, 'of-somebody-else']);
    await eventually(() =>
      expect(listen.heard[0]).toMatchObject({ params: { notifications: { taskIds: [taskId] } } }),
    );
    const toldOf = (status: string) => listen.heard.find(({ params }) => params.status === status);
    await eventually(() => expect(toldOf('input_required')?.params.inputRequests.q1).toBeDefined(), 20_000);
    const inputResponses = { q1: { action: 'accept', content: { interpretation: 'snake' } } };
    await ask('tasks/update', { taskId, inputResponses });
    await eventually(() => expect(toldOf('completed')).toBeDefined(), 20_000);
    expect(toldOf('completed')).toMatchObject({
      method: 'notifications/tasks',
      params: { taskId, _meta: { 'io.modelcontextprotocol/subscriptionId': 'l' } },
    });
    expect(toldOf('completed')?.params.result.content[0].text).toContain('python (snake)');
  });

  it('of a stateless server are told to a stateless client that listens to them', async () => {
    await using hub = await startHub({ far: nodeEntry(fixture('modern-tasks')) });
    await isConnected(hub, 'far');
    const ask = statelessClient(hub);
    const { taskId } = (await ask('tools/call', { name: 'far__job' })).result;
    using listen = await listenTo(hub, [taskId, 'of-somebody-else']);
    await eventually(() => expect(listen.heard).toHaveLength(1));
    expect(listen.heard[0].params.notifications).toEqual({ taskIds: [taskId] });
    const inputResponses = { name: { action: 'accept', content: { name: 'Bo' } } };
    await ask('tasks/update', { taskId, inputResponses });
    await eventually(() => expect(listen.heard).toHaveLength(2));
    const { status, result, _meta } = listen.heard[1].params;
    expect({ status, result, _meta }).toEqual({
      status: 'completed',
      result: { content: [{ type: 'text', text: 'done for Bo' }] },
      _meta: { 'io.modelcontextprotocol/subscriptionId': 'l' },
    });
  });

  it('of a stateless server reach a client of the SDK with a session: streamed, and as a plain call', async () => {
    await using hub = await startHub({ far: nodeEntry(fixture('modern-tasks')) });
    await isConnected(hub, 'far');
    const client = await sessionClient(hub, 'Ada');
    const seen: string[] = [];
    const stream = client.experimental.tasks.callToolStream({ name: 'far__job' }, CallToolResultSchema, {
      task: { ttl: 60_000 },
    });
    for await (const message of stream)
      seen.push(message.type === 'result' ? JSON.stringify(message.result.content) : message.type);
    expect(seen[0]).toBe('taskCreated');
    expect(seen.at(-1)).toContain('done for Ada');
    const { tasks } = await client.experimental.tasks.listTasks();
    expect(tasks).toMatchObject([{ taskId: 'task-1', status: 'completed' }]);
    const plain = await client.callTool({ name: 'far__job' });
    expect(plain.content).toMatchObject([{ text: 'done for Ada' }]);
    await client.close();
  });

  it('of a stateless server pass to a stateless client, and to nobody else', async () => {
    await using hub = await startHub({ far: nodeEntry(fixture('modern-tasks')) });
    await isConnected(hub, 'far');
    const ask = statelessClient(hub);
    const { result: made } = await ask('tools/call', { name: 'far__job' });
    expect(made).toMatchObject({ resultType: 'task', taskId: 'task-1', ttlMs: 60_000 });
    const asking = await until(ask, 'task-1', 'input_required');
    expect(asking.inputRequests.name.params.message).toBe('Your name?');
    const other = await sessionClient(hub, 'Eve');
    await expect(other.experimental.tasks.getTask('task-1')).rejects.toThrow(/not found/i);
    const inputResponses = { name: { action: 'accept', content: { name: 'Bo' } } };
    await ask('tasks/update', { taskId: 'task-1', inputResponses });
    expect((await until(ask, 'task-1', 'completed')).result.content[0].text).toBe('done for Bo');
    await other.close();
  });

  it.each(['bridge', 'command'])('pass through the %s as well, whatever the server', async (front) => {
    const servers = { far: nodeEntry(fixture('modern-tasks')), every: nodeEntry(realServer('everything')) };
    await using hub = await startHub(servers);
    await Promise.all([isConnected(hub, 'far'), isConnected(hub, 'every')]);
    const args =
      front === 'bridge'
        ? [programs.bridge, '--data-dir', hub.dir]
        : [programs.aggregator, '--config', hub.file];
    const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' });
    const waiting = new Map<unknown, (answer: Json) => void>();
    transport.onmessage = (message: Json) => waiting.get(message.id)?.(message);
    await transport.start();
    let lastId = 0;
    const ask = (method: string, params: Json) => {
      lastId += 1;
      const message = {
        jsonrpc: '2.0' as const,
        id: lastId,
        method,
        params: { ...params, _meta: envelope(able) },
      };
      const answered = new Promise<Json>((resolve) => void waiting.set(lastId, resolve));
      return transport.send(message).then(() => answered);
    };
    await eventually(async () =>
      expect((await ask('tools/list', {})).result.tools.length).toBeGreaterThan(5),
    );
    const { tools } = (await ask('tools/list', {})).result;
    const named = (end: string) => tools.find(({ name }: Json) => name.endsWith(end)).name;
    const { taskId } = (await ask('tools/call', { name: named('job') })).result;
    await until(ask, taskId, 'input_required');
    const inputResponses = { name: { action: 'accept', content: { name: 'Cy' } } };
    expect((await ask('tasks/update', { taskId, inputResponses })).result).toMatchObject({
      resultType: 'complete',
    });
    expect((await until(ask, taskId, 'completed')).result.content[0].text).toBe('done for Cy');
    const research = { name: named('simulate-research-query'), arguments: { topic: 'tea' } };
    const { result: made } = await ask('tools/call', research);
    expect(made).toMatchObject({ resultType: 'task' });
    expect((await ask('tasks/cancel', { taskId: made.taskId })).result).toMatchObject({
      resultType: 'complete',
    });
    await until(ask, made.taskId, 'cancelled');
    await transport.close();
  });
});
