import { describe, expect, it } from 'vitest';
import { RpcError } from '../../../../../electron/engine/jsonrpc/message.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import { until } from '../../../../helper/gateway.ts';
import { createMemoryHub, type MemoryServer, type Talker } from '../../../../helper/memory-hub.ts';

type Params = Readonly<Record<string, unknown>>;

const related = 'io.modelcontextprotocol/related-task';
const capabilities = { tools: {}, logging: {}, tasks: { list: {}, requests: { tools: { call: {} } } } };

/** A server that numbers its tasks from 1, as no server should. */
function taskServer(): MemoryServer & { end(taskId: string): void; forget(): void } {
  const tasks: Params[] = [];
  const task = (params: Params) => {
    const found = tasks.find(({ taskId }) => taskId === params.taskId);
    if (found === undefined) throw new RpcError({ code: -32602, message: 'no such task' });
    return { ...found };
  };
  return {
    end(taskId) {
      const index = tasks.findIndex((task) => task.taskId === taskId);
      tasks[index] = { ...tasks[index], status: 'failed' };
    },
    forget: () => void tasks.splice(0),
    capabilities,
    offer: {
      capabilities,
      tools: [{ name: 'work', inputSchema: {}, execution: { taskSupport: 'optional' } }],
    },
    answers: {
      'tools/call': (params) => {
        if (params.task === undefined || params.task === null) return { content: [] };
        const { ttl } = params.task as Params;
        const made = {
          taskId: String(tasks.length + 1),
          status: 'working',
          createdAt: 'now',
          ttl: ttl === 1_000 ? ttl : null,
        };
        tasks.push(made);
        return { task: made, extra: 1 };
      },
      'tasks/get': task,
      'tasks/cancel': task,
      'tasks/result': (params) => ({ content: [], _meta: { [related]: { taskId: task(params).taskId } } }),
      'tasks/list': ({ cursor }) =>
        cursor === undefined ? { tasks: tasks.slice(0, 1), nextCursor: 'more' } : { tasks: tasks.slice(1) },
    },
  };
}

async function hub(options: Parameters<typeof createMemoryHub>[1] = {}) {
  const servers = { s: taskServer(), t: taskServer() };
  const made = createMemoryHub({ ...servers, plain: { answers: {} } }, options);
  for (const key of ['s', 't', 'plain']) await made.connect(key);
  /** Completes the task. */
  const end = (key: keyof typeof servers, taskId: string) => servers[key].end(taskId);
  /** Ends the process and starts the next one, with or without its tasks. */
  const startAnew = async (key: keyof typeof servers, remembers = false) => {
    await made.crash(key);
    if (!remembers) servers[key].forget();
    await made.connect(key);
  };
  return { ...made, end, startAnew, [Symbol.asyncDispose]: made[Symbol.asyncDispose] };
}

type Hub = Awaited<ReturnType<typeof hub>>;

/** Returns the id of the first call. */
const tokenOf = ({ requests }: Talker): unknown => ({ ...Object(requests[0]?.params?._meta) }).progressToken;

const over = { taskId: '1', status: 'completed' };

const call = (server: string) => ({ name: `${server}:work`, task: { ttl: 60_000 }, arguments: { a: 1 } });

describe('tasks', () => {
  it('[PB-PASS-1] are advertised as far as a server offers them', async () => {
    await using it = await hub();
    const client = await it.direct('s');
    expect(await it.greet(client)).toMatchObject({ capabilities: { tasks: capabilities.tasks } });
    await using none = createMemoryHub({ plain: { answers: {} } });
    const other = await none.client();
    await expect(other.ask('tasks/list')).resolves.toEqual({ tasks: [] });
  });

  it('[PB-PASS-1] [FR-008] are returned unchanged and lead back to their server', async () => {
    await using it = await hub();
    const alice = await it.client();
    const made = { taskId: '1', status: 'working', createdAt: 'now', ttl: null };
    expect(await alice.ask('tools/call', call('s'))).toEqual({ task: made, extra: 1 });
    expect(it.server('s').requests[0]?.params).toEqual({ ...call('s'), name: 'work' });
    expect([it.isInUse('s'), it.isInUse('t')]).toEqual([true, false]);
    expect(await alice.ask('tasks/get', { taskId: '1' })).toEqual(made);
    expect(await alice.ask('tasks/cancel', { taskId: '1' })).toEqual(made);
    expect(await alice.ask('tasks/result', { taskId: '1' })).toEqual({
      content: [],
      _meta: { [related]: { taskId: '1' } },
    });
    expect(it.server('t').requests).toEqual([]);
  });

  it('[PB-PASS-1] with the same id on two servers are kept apart, wherever the id appears', async () => {
    await using it = await hub();
    const alice = await it.client();
    await alice.ask('tools/call', call('s'));
    expect(await alice.ask('tools/call', call('t'))).toMatchObject({ task: { taskId: 't/1' }, extra: 1 });
    expect(await alice.ask('tasks/get', { taskId: 't/1' })).toMatchObject({ taskId: 't/1' });
    expect(it.server('t').requests.at(-1)?.params).toEqual({ taskId: '1' });
    expect(await alice.ask('tasks/result', { taskId: 't/1' })).toMatchObject({
      _meta: { [related]: { taskId: 't/1' } },
    });
    await it.server('t').peer.notify('notifications/tasks/status', { taskId: '1', status: 'completed' });
    await until('the status', () => alice.notices.length === 1);
    expect(alice.notices[0]?.params).toEqual({ taskId: 't/1', status: 'completed' });
  });

  it('[PB-ISO-1] are seen only by the session that created them', async () => {
    await using it = await hub();
    const [alice, bob] = [await it.client(), await it.client()];
    await alice.ask('tools/call', call('s'));
    await bob.ask('tools/call', call('s'));
    await expect(bob.ask('tasks/get', { taskId: '1' })).rejects.toMatchObject({ code: -32602 });
    await expect(bob.ask('tasks/cancel', {})).rejects.toMatchObject({ code: -32602 });
    expect(await bob.ask('tasks/list')).toMatchObject({ tasks: [{ taskId: '2' }] });
    await alice.ask('tools/call', call('t'));
    expect(await alice.ask('tasks/list')).toMatchObject({ tasks: [{ taskId: '1' }, { taskId: 't/1' }] });
    await it.server('s').peer.notify('notifications/tasks/status', { taskId: '2' });
    await until('the status', () => bob.notices.length === 1);
    expect(alice.notices).toEqual([]);
  });

  it("[PB-ISO-1] [PB-PASS-1] route server requests to the task's session, whoever else has calls in progress", async () => {
    await using it = await hub();
    const answer = { 'sampling/createMessage': () => ({ model: 'm' }) };
    const [alice, bob] = [await it.client(answer), await it.client(answer)];
    await alice.ask('tools/call', call('s'));
    await bob.ask('tools/call', call('s'));
    const ask = (taskId: string) =>
      it.server('s').ask('sampling/createMessage', { messages: [], _meta: { [related]: { taskId } } });
    expect(await ask('2')).toEqual({ model: 'm' });
    expect([alice.requests.length, bob.requests.length]).toEqual([0, 1]);
    await expect(ask('3')).rejects.toMatchObject({ data: { code: 'client.unclear' } });
  });

  it.each([
    ['its status', (it: Hub) => it.server('s').peer.notify('notifications/tasks/status', over)],
    ['a look at it', (_it: Hub, client: Talker) => client.ask('tasks/get', { taskId: '1' })],
    ['its result', (_it: Hub, client: Talker) => client.ask('tasks/result', { taskId: '1' })],
    ['a list', (_it: Hub, client: Talker) => client.ask('tasks/list')],
  ])(
    '[PB-PASS-1] tell their progress under the token of their call until they are over, as %s says',
    async (_, end) => {
      await using it = await hub();
      const alice = await it.client();
      await alice.ask('tools/call', { ...call('s'), _meta: { progressToken: 'mine' } });
      const progressToken = tokenOf(it.server('s'));
      const progress = (progress: number) =>
        it.server('s').peer.notify('notifications/progress', { progressToken, progress, total: 2 });
      await progress(1);
      await until('the progress', () => alice.noticed('notifications/progress').length === 1);
      expect(alice.notices[0]?.params).toEqual({ progressToken: 'mine', progress: 1, total: 2 });
      expect(it.isInUse('s')).toBe(true);
      it.end('s', '1');
      await end(it, alice);
      await alice.ask('ping');
      await progress(2);
      await it.server('s').ask('ping');
      await alice.ask('ping');
      expect(alice.noticed('notifications/progress')).toHaveLength(1);
      expect(it.isInUse('s')).toBe(false);
    },
  );

  it('[PB-PASS-1] that a call did not become send no progress after its response', async () => {
    await using it = await hub();
    const alice = await it.client();
    const { name, arguments: args } = call('s');
    const _meta = { progressToken: 'mine' };
    await alice.ask('tools/call', { name, arguments: args, task: null, _meta });
    const progressToken = tokenOf(it.server('s'));
    await it.server('s').peer.notify('notifications/progress', { progressToken, progress: 1 });
    await it.server('s').ask('ping');
    await alice.ask('ping');
    expect(alice.notices).toEqual([]);
  });

  it('[PB-DEMAND-1] keep their server awake for as long as it keeps them, and no longer than its process', async () => {
    const clock = new FakeClock();
    await using it = await hub({ clock });
    const alice = await it.client();
    await alice.ask('tools/call', { ...call('s'), task: { ttl: 1_000 } });
    await alice.ask('tools/call', call('t'));
    expect([it.isInUse('s'), it.isInUse('t')]).toEqual([true, true]);
    await clock.advance(1_001);
    expect([it.isInUse('s'), it.isInUse('t')]).toEqual([false, true]);
    await it.crash('t');
    expect(it.isInUse('t')).toBe(false);
  });

  describe('whose process has ended', () => {
    it.each(['tasks/get', 'tasks/result', 'tasks/cancel'])(
      '[NFR-R4] are reported as lost by %s',
      async (method) => {
        await using it = await hub();
        const alice = await it.client();
        await alice.ask('tools/call', call('s'));
        await it.startAnew('s');
        await expect(alice.ask(method, { taskId: '1' })).rejects.toMatchObject({
          code: -32011,
          message: expect.stringMatching(/stopped during the task 1/),
          data: { code: 'call.outcome_unknown', serverKey: 's', taskId: '1' },
        });
      },
    );

    it('[NFR-R4] report only the result as lost if they had finished', async () => {
      await using it = await hub();
      const alice = await it.client();
      await alice.ask('tools/call', call('s'));
      it.end('s', '1');
      await alice.ask('tasks/get', { taskId: '1' });
      await it.startAnew('s');
      await expect(alice.ask('tasks/result', { taskId: '1' })).rejects.toMatchObject({
        message: expect.stringMatching(/^The result of the task 1 is lost/),
      });
    });

    it('[PB-PASS-1] are found again if their server remembers them', async () => {
      await using it = await hub();
      const alice = await it.client();
      await alice.ask('tools/call', call('s'));
      await it.startAnew('s', true);
      expect(await alice.ask('tasks/get', { taskId: '1' })).toMatchObject({ status: 'working' });
    });

    it("[PB-ISO-1] are not confused with another session's task that has the same id in the next process", async () => {
      await using it = await hub();
      const [alice, bob] = [await it.client(), await it.client()];
      await alice.ask('tools/call', call('s'));
      await it.startAnew('s');
      await bob.ask('tools/call', call('s'));
      await expect(alice.ask('tasks/get', { taskId: '1' })).rejects.toMatchObject({ code: -32011 });
      expect(await alice.ask('tasks/list')).toEqual({
        tasks: [
          {
            taskId: '1',
            status: 'failed',
            statusMessage: expect.stringContaining('stopped during the task 1'),
            createdAt: 'now',
            lastUpdatedAt: expect.any(String),
            ttl: null,
          },
        ],
      });
      expect(await bob.ask('tasks/get', { taskId: '1' })).toMatchObject({ status: 'working' });
      await it.server('s').peer.notify('notifications/tasks/status', { taskId: '1', status: 'completed' });
      await until('the status', () => bob.notices.length === 1);
      expect(alice.notices).toEqual([]);
    });
  });

  it('[PB-PASS-1] [PB-ISO-1] on a client are not available to shared servers: the task option is dropped', async () => {
    await using it = await hub();
    const alice = await it.client({
      'sampling/createMessage': ({ task }) => ({ task: String(task) }),
      'tasks/list': () => ({ tasks: [{ taskId: 'of another server' }] }),
    });
    await alice.ask('tools/call', call('s'));
    const asked = { messages: [], task: { ttl: 1 }, _meta: { [related]: { taskId: '1' } } };
    expect(await it.server('s').ask('sampling/createMessage', asked)).toEqual({ task: 'undefined' });
    expect(alice.requests.at(-1)?.params).toEqual({ messages: [], _meta: { [related]: { taskId: '1' } } });
    const list = { _meta: { [related]: { taskId: '1' } } };
    await expect(it.server('s').ask('tasks/list', list)).rejects.toMatchObject({ code: -32601 });
  });

  describe('[PB-DUAL-2] of a stateless client', () => {
    const extensions = { 'io.modelcontextprotocol/tasks': {} };
    const from = (capabilities: Params) => ({ _meta: { 'patchbay/clientCapabilities': capabilities } });

    it.each<[string, Params, Params | undefined]>([
      ['optional', from({ extensions }), {}],
      ['required', from({ extensions }), {}],
      ['forbidden', from({ extensions }), undefined],
      ['optional', from({}), undefined],
      ['optional', {}, undefined],
      ['required', {}, undefined],
    ])('are made where the tool says %s, if the client declares them', async (taskSupport, meta, task) => {
      const server = taskServer();
      const tool = { name: 'work', inputSchema: {}, execution: { taskSupport } };
      await using it = createMemoryHub({ s: { ...server, offer: { capabilities, tools: [tool] } } });
      await it.connect('s');
      const alice = await it.client();
      await alice.ask('tools/call', { name: 's__work', ...meta });
      expect(it.server('s').requests[0]?.params?.task).toEqual(task);
    });

    it('are refused by name where a tool needs them and the client has not declared them', async () => {
      const tool = { name: 'work', inputSchema: {}, execution: { taskSupport: 'required' } };
      await using it = createMemoryHub({ s: { ...taskServer(), offer: { capabilities, tools: [tool] } } });
      await it.connect('s');
      const alice = await it.client();
      await expect(alice.ask('tools/call', { name: 's__work', ...from({}) })).rejects.toMatchObject({
        code: -32021,
        data: { requiredCapabilities: { extensions } },
      });
      expect(it.server('s').requests).toEqual([]);
    });

    it('are not asked of a server that has none, whatever its tools say', async () => {
      const tool = { name: 'work', inputSchema: {}, execution: { taskSupport: 'optional' } };
      const plain: MemoryServer = {
        offer: { tools: [tool] },
        answers: { 'tools/call': () => ({ content: [] }) },
      };
      await using it = createMemoryHub({ s: taskServer(), plain });
      for (const key of ['s', 'plain']) await it.connect(key);
      const alice = await it.client();
      await alice.ask('tools/call', { name: 'plain__work', ...from({ extensions }) });
      expect(it.server('plain').requests[0]?.params?.task).toBeUndefined();
    });

    it('on a stateless server belong to the session, under its own id', async () => {
      const made = { resultType: 'task', taskId: '1', status: 'working', createdAt: 'now', ttlMs: null };
      const stateless = (): MemoryServer => ({
        capabilities,
        offer: { capabilities, tools: [{ name: 'work', inputSchema: {} }] },
        answers: {
          'tools/call': () => made,
          'tasks/get': ({ taskId }) => ({ ...made, resultType: 'complete', taskId }),
          'tasks/update': () => ({ resultType: 'complete' }),
        },
      });
      await using it = createMemoryHub({ s: stateless(), t: stateless() });
      for (const key of ['s', 't']) await it.connect(key);
      const [alice, bob] = [await it.client(), await it.client()];
      const ask = (server: string) =>
        alice.ask('tools/call', { name: `${server}__work`, ...from({ extensions }) });
      expect(await ask('s')).toEqual(made);
      expect(await ask('t')).toEqual({ ...made, taskId: 't/1' });
      expect(await alice.ask('tasks/get', { taskId: 't/1' })).toMatchObject({ taskId: 't/1' });
      await alice.ask('tasks/update', { taskId: 't/1', inputResponses: { a: {} } });
      expect(it.server('t').requests.at(-1)?.params).toEqual({ taskId: '1', inputResponses: { a: {} } });
      await expect(bob.ask('tasks/update', { taskId: '1' })).rejects.toMatchObject({ code: -32602 });
    });
  });
});
