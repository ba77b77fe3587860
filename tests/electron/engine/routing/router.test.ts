import { describe, expect, it } from 'vitest';
import { chooseProfile } from '../../../../electron/engine/catalogue/client-facts.ts';
import { createView } from '../../../../electron/engine/catalogue/view/view.ts';
import { RpcError } from '../../../../electron/engine/jsonrpc/message.ts';
import { ActiveCalls } from '../../../../electron/engine/routing/active-calls.ts';
import { Router } from '../../../../electron/engine/routing/router.ts';
import type { SupervisedServer } from '../../../../electron/engine/servers/contract.ts';
import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import { catalogueOf, serverOf } from '../../../helper/catalogue.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';
import { createFakeServer, createFakeSupervisor, type FakeServer } from '../../../helper/fake-supervisor.ts';
import { connectTo, type MemoryServerOptions } from '../../../helper/memory-server.ts';
import { requestOf, resultOf } from '../../../helper/raw-messages.ts';
import { turns } from '../../../helper/turns.ts';

type Params = Readonly<Record<string, unknown>>;

const view = createView(
  catalogueOf(serverOf('a', { tools: ['t'] }), serverOf('b', { tools: ['t'] })),
  chooseProfile({ programDefault: 'colon' }),
);

/** Creates a router over servers a and b; their notifications reach it as they would in the hub. */
function setUp(options: { waitMs?: number; callTimeout?: number } = {}) {
  const clock = new FakeClock();
  const supervisor = createFakeSupervisor(['a', 'b']);
  const router = new Router({
    calls: new ActiveCalls(),
    supervisor,
    clock,
    ...(options.waitMs === undefined ? {} : { waitMs: options.waitMs }),
    optionsOf: () => ({ callTimeout: options.callTimeout }),
  });
  const connect = async (key: 'a' | 'b', handlers: MemoryServerOptions['handlers']) => {
    const server = await connectTo({
      handlers,
      onNotification: (method, params) => supervisor.notify(key, { jsonrpc: '2.0', method, params }),
    });
    supervisor.server(key).connected(server.connection);
    return server;
  };
  const call = (
    name: string,
    more: Params = {},
    { signal = new AbortController().signal, onProgress = (_params: Params): void => {} } = {},
  ) =>
    router
      .call({
        sessionId: 'session',
        message: requestOf('tools/call', { name, ...more }),
        view,
        signal,
        onProgress: ({ params = {} }) => onProgress(params),
      })
      .then(resultOf);
  return { clock, supervisor, router, connect, call };
}

const never = () => new Promise(() => {});
/** Lets messages of the memory transport arrive. */
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => Promise.reject(new Error('It was answered.')),
    (error: unknown) => {
      if (error instanceof RpcError) return error.toObject();
      throw error;
    },
  );

describe('a forwarded call', () => {
  it('[FR-006, FR-007, FR-008, SC-003] reaches its server under the raw name and brings the raw result', async () => {
    const hub = setUp();
    const result = {
      content: [{ type: 'hologram' }],
      isError: true,
      structuredContent: [1],
      future: { a: null },
    };
    const server = await hub.connect('b', { 'tools/call': () => result });
    const args = { name: 'b:t', deep: [{ x: null }], text: '\u2028🚀' };
    expect(await hub.call('b:t', { arguments: args, _meta: { 'v/k': 1 } })).toEqual(result);
    expect(server.received).toMatchObject([
      { method: 'tools/call', params: { name: 't', arguments: args, _meta: { 'v/k': 1 } } },
    ]);
    await server.close();
  });

  it('[US3.2] brings the error object of the server unchanged', async () => {
    const hub = setUp();
    const error = { code: -32603, message: 'File not found: /x', data: { errno: -2, code: 'ENOENT' } };
    await using _server = await hub.connect('a', {
      'tools/call': () => Promise.reject(new RpcError(error)),
    });
    expect(await failure(hub.call('a:t'))).toEqual(error);
  });

  it('[US3.4] is refused by name before any server gets it', async () => {
    const hub = setUp();
    await using server = await hub.connect('a', { 'tools/call': () => ({}) });
    expect(await failure(hub.call('a:nothing'))).toMatchObject({ code: -32601 });
    expect(server.received).toEqual([]);
  });

  it('[PB-CFG-1] that waits for its own process goes to the shared one once isolation is turned off', async () => {
    const supervisor = createFakeSupervisor(['a']);
    const own = createFakeServer('a', () => {}, { id: 'a:1', sessionId: 'session' });
    let giveUp = (_error: unknown): void => {};
    const given = new Promise<never>((_resolve, reject) => {
      giveUp = reject;
    });
    own.answerWith(() => given);
    let serving: SupervisedServer = own;
    const router = new Router({
      calls: new ActiveCalls(),
      supervisor: { serverFor: () => serving, onNotification: supervisor.onNotification },
      clock: new FakeClock(),
    });
    const { signal } = new AbortController();
    const message = requestOf('tools/call', { name: 'a:t' });
    const answer = router.call({ sessionId: 'session', message, view, signal, onProgress: () => {} });
    await turns();
    serving = supervisor.server('a');
    giveUp(new ProblemError(problem('call.server_unavailable', 'It is turned off.', 'Switch it on.')));
    await using server = await connectTo({ handlers: { 'tools/call': () => ({ by: 'all' }) } });
    await turns();
    supervisor.server('a').connected(server.connection);
    expect(resultOf(await answer)).toEqual({ by: 'all' });
  });

  it('[US3.3] is not cut short while the server works on it, unless a limit is configured', async () => {
    const hub = setUp();
    let finish = (_result: unknown): void => {};
    await using _server = await hub.connect('a', {
      'tools/call': () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    });
    const answer = hub.call('a:t');
    await turns();
    await hub.clock.advance(24 * 3600 * 1000);
    finish({ content: [] });
    expect(await answer).toEqual({ content: [] });
  });

  it('ends at a configured limit: the server is asked to stop, and the caller learns what happened', async () => {
    const hub = setUp({ callTimeout: 2000 });
    await using server = await hub.connect('a', { 'tools/call': never });
    const answer = failure(hub.call('a:t'));
    await turns();
    await hub.clock.advance(2000);
    expect(await answer).toMatchObject({ code: -32001, data: { code: 'call.timeout', serverKey: 'a' } });
    await turns();
    expect(server.received).toMatchObject([
      { id: 1 },
      { method: 'notifications/cancelled', params: { requestId: 1 } },
    ]);
    expect(hub.clock.pending).toBe(0);
  });

  it('leaves no timer behind when it is answered in time', async () => {
    const hub = setUp({ callTimeout: 2000 });
    await using _server = await hub.connect('a', { 'tools/call': () => ({}) });
    await hub.call('a:t');
    expect(hub.clock.pending).toBe(0);
  });
});

describe('cancellation', () => {
  it('[PB-PASS-1, PB-ISO-1] reaches the right server at once, with the id the server knows', async () => {
    const hub = setUp();
    await using other = await hub.connect('b', { 'tools/call': never });
    await using server = await hub.connect('a', { 'tools/call': never });
    const [cancelling, staying] = [new AbortController(), new AbortController()];
    void hub.call('b:t', {}, staying).catch(() => {});
    void hub.call('a:t', {}, staying).catch(() => {});
    const answer = failure(hub.call('a:t', {}, cancelling));
    await turns();
    cancelling.abort('Changed my mind');
    expect(await answer).toMatchObject({ code: -32800 });
    await turns();
    expect(server.received.at(-1)).toEqual({
      method: 'notifications/cancelled',
      params: { requestId: server.received[1]?.id, reason: 'Changed my mind' },
    });
    expect(other.received).toHaveLength(1);
  });

  it('sends nothing for a call that is cancelled before it left', async () => {
    const hub = setUp();
    const gone = new AbortController();
    const waiting = failure(hub.call('a:t', {}, gone));
    gone.abort();
    expect(await waiting).toMatchObject({ code: -32800 });
    await using server = await hub.connect('a', { 'tools/call': () => ({}) });
    expect(await failure(hub.call('a:t', {}, gone))).toMatchObject({ code: -32800 });
    await turns();
    expect(server.received).toEqual([]);
  });
});

describe('`_meta` that is null or a list', () => {
  it.each([[null], [[]]])('[PB-PASS-1] [NFR-R4] reaches the server as an empty object: %j', async (meta) => {
    const hub = setUp();
    await using server = await hub.connect('a', { 'tools/call': () => ({}) });
    await hub.call('a:t', { arguments: { _meta: null }, _meta: meta });
    expect(server.received[0]?.params).toEqual({ name: 't', arguments: { _meta: null }, _meta: {} });
  });
});

describe('progress', () => {
  it('[PB-ISO-1, PB-PASS-1] reaches the call it belongs to with its own token, though two clients chose the same', async () => {
    const hub = setUp();
    const tokens: unknown[] = [];
    const finish: (() => void)[] = [];
    await using server = await hub.connect('a', {
      'tools/call': ({ _meta }) => {
        tokens.push((_meta as Params).progressToken);
        return new Promise((resolve) => finish.push(() => resolve({})));
      },
    });
    const heard: Record<'one' | 'two', Params[]> = { one: [], two: [] };
    const meta = (progressToken: unknown) => ({ _meta: { progressToken, kept: true } });
    const calls = [
      hub.call('a:t', meta(1), { onProgress: (params) => heard.one.push(params) }),
      hub.call('a:t', meta('1'), { onProgress: (params) => heard.two.push(params) }),
    ];
    await turns();
    expect(new Set(tokens).size).toBe(2);
    await server.notify('notifications/progress', {
      progressToken: tokens[0],
      progress: 1,
      total: 2,
      message: 'm',
      x: 1,
    });
    await server.notify('notifications/progress', { progressToken: tokens[1], progress: 5 });
    await turns();
    expect(heard.one).toEqual([{ progressToken: 1, progress: 1, total: 2, message: 'm', x: 1 }]);
    expect(heard.two).toEqual([{ progressToken: '1', progress: 5 }]);
    expect(server.received[0]?.params).toMatchObject({ _meta: { kept: true } });

    for (const end of finish) end();
    await Promise.all(calls);
    await server.notify('notifications/progress', { progressToken: tokens[0], progress: 2 });
    await turns();
    expect(heard.one).toHaveLength(1);
  });

  it('[PB-ISO-1] of one server never reaches a call on another, whatever token it invents', async () => {
    const hub = setUp();
    await using stranger = await hub.connect('b', {});
    await using _server = await hub.connect('a', { 'tools/call': never });
    const heard: Params[] = [];
    void hub
      .call('a:t', { _meta: { progressToken: 'mine' } }, { onProgress: (it) => heard.push(it) })
      .catch(() => {});
    await turns();
    for (const progressToken of [1, 'mine', '1', null, true]) {
      await stranger.notify('notifications/progress', { progressToken, progress: 1 });
    }
    await turns();
    expect(heard).toEqual([]);
  });
});

describe('a server that is not there', () => {
  it('[FR-009] is named with its status, the reason and the fix', async () => {
    const hub = setUp();
    const cause = problem('server.command_not_found', 'There is no "npx".', 'Install Node.', {
      command: 'npx',
    });
    hub.supervisor.server('a').failed(new ProblemError(cause));
    const error = await failure(hub.call('a:t'));
    expect(error).toMatchObject({
      code: -32010,
      data: {
        code: 'call.server_unavailable',
        serverKey: 'a',
        status: 'error',
        cause: 'server.command_not_found',
        fix: 'Install Node.',
        evidence: [
          { label: 'server', value: 'a' },
          { label: 'command', value: 'npx' },
        ],
      },
    });
    expect(error.message).toContain('There is no "npx".');
  });

  it('is unavailable when it is listed but no longer configured', async () => {
    const hub = setUp();
    hub.supervisor.servers.delete('a');
    expect(await failure(hub.call('a:t'))).toMatchObject({
      code: -32010,
      data: { code: 'call.server_unavailable', serverKey: 'a', status: 'disabled' },
    });
  });

  it('is waited for while it starts, as long as allowed', async () => {
    const hub = setUp({ waitMs: 1234 });
    const answer = hub.call('a:t');
    await turns();
    expect(hub.supervisor.server('a').waits).toEqual([1234]);
    await using _server = await hub.connect('a', { 'tools/call': () => ({ ok: true }) });
    expect(await answer).toEqual({ ok: true });
  });
});

describe('a server that dies', () => {
  it('[SC-007, NFR-R4] during a call: the outcome is reported as unknown, and nothing is repeated', async () => {
    const hub = setUp();
    const first = await hub.connect('a', { 'tools/call': never });
    const answer = failure(hub.call('a:t'));
    await turns();
    const second = await hub.connect('a', { 'tools/call': () => ({}) });
    await first.close();
    expect(await answer).toMatchObject({
      code: -32011,
      data: { code: 'call.outcome_unknown', serverKey: 'a', status: 'connected' },
    });
    await turns();
    expect(second.received).toEqual([]);
    await second.close();
  });

  it('before the call was sent: the call goes to the next connection, once', async () => {
    const hub = setUp();
    const dead = await hub.connect('a', {});
    await dead.close();
    const next = await connectTo({ handlers: { 'tools/call': () => ({ ok: true }) } });
    let asked = 0;
    const server: FakeServer = hub.supervisor.server('a');
    server.answerWith(() => {
      asked += 1;
      return Promise.resolve(asked === 1 ? dead.connection : next.connection);
    });
    expect(await hub.call('a:t')).toEqual({ ok: true });
    expect(next.received).toHaveLength(1);
    await next.close();

    server.answerWith(() => Promise.resolve(dead.connection));
    expect(await failure(hub.call('a:t'))).toMatchObject({ code: -32010 });
  });
});

describe('the router', () => {
  it('stops listening once disposed', async () => {
    const hub = setUp();
    expect(hub.supervisor.isHeard).toBe(true);
    hub.router.dispose();
    expect(hub.supervisor.isHeard).toBe(false);
  });

  it('turns a failure nobody foresaw into an RpcError with the code `internal`', async () => {
    const hub = setUp();
    hub.supervisor.server('a').answerWith(() => {
      throw new TypeError('a bug');
    });
    expect(await failure(hub.call('a:t'))).toMatchObject({ data: { code: 'internal' } });
  });
});
