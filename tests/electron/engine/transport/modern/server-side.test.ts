import { describe, expect, it } from 'vitest';
import { ConnectionClosedError, InterruptedError } from '../../../../../electron/engine/jsonrpc/message.ts';
import { toRaw } from '../../../../../electron/engine/jsonrpc/read-message.ts';
import { readProbe } from '../../../../../electron/engine/transport/modern/discover.ts';
import { legacyEra } from '../../../../../electron/engine/transport/modern/era.ts';
import { hopKeys, metaKeys } from '../../../../../electron/engine/transport/modern/protocol.ts';
import { tasksExtension } from '../../../../../electron/engine/transport/modern/task-shapes.ts';
import { discover, hubBefore, type Json, last, modern } from './modern-peers.ts';

describe('[PB-DUAL-1] the era of a server', () => {
  it.each<[string, Json, string]>([
    ['a result that names the revision', { result: discover }, 'modern'],
    ['a result without it', { result: { ...discover, supportedVersions: ['2025-11-25'] } }, 'legacy'],
    ['a result that is none', { result: {} }, 'legacy'],
    ['an unknown method', { error: { code: -32601, message: 'm' } }, 'legacy'],
    ['a missing initialize', { error: { code: -32000, message: 'm' } }, 'legacy'],
    [
      'another revision',
      { error: { code: -32022, message: 'm', data: { supported: ['2027-01-01'] } } },
      'other',
    ],
    [
      'the revision that was asked with',
      { error: { code: -32022, message: 'm', data: { supported: ['2026-07-28'] } } },
      'other',
    ],
    [
      'old revisions only',
      { error: { code: -32022, message: 'm', data: { supported: ['2025-11-25'] } } },
      'legacy',
    ],
  ])('shows in its answer to the probe: %s', (_case, answer, era) => {
    expect(readProbe(toRaw({ jsonrpc: '2.0', id: 0, ...answer })).era).toBe(era);
  });

  it('is session-based if it says nothing for four seconds; a late answer is dropped', async () => {
    const hub = await hubBefore(() => undefined);
    await hub.clock.advance(0);
    await hub.clock.advance(4_000);
    await hub.started;
    expect(hub.transport.era).toMatchObject({
      era: 'legacy',
      reason: expect.stringContaining('did not answer'),
    });
    await hub.send({ id: 1, method: 'initialize' });
    hub.inner.receive({ id: 0, error: { code: -32601, message: 'm' } });
    hub.inner.receive({ id: 1, result: {} });
    expect(hub.received).toMatchObject([{ id: 1, result: {} }]);
  });

  it.each<[string, Json]>([
    ['names only stateless revisions', { code: -32022, message: 'm', data: { supported: ['2026-07-28'] } }],
    ['does not know the method', { code: -32601, message: 'no initialize here' }],
  ])(
    'is modern if a slow program refuses initialize before it answers a probe: it %s',
    async (_case, error) => {
      const probes: Json[] = [];
      const hub = await hubBefore((id) => {
        probes.push(id);
        return undefined;
      });
      await hub.clock.advance(0);
      await hub.clock.advance(4_000);
      await hub.started;
      await hub.send({ id: 1, method: 'initialize', params: { clientInfo: { name: 'hub' } } });
      hub.inner.receive({ id: 1, error });
      expect(probes).toEqual([0, 0]);
      hub.inner.receive({ id: 0, result: discover });
      hub.inner.receive({ id: 0, result: discover });
      await hub.clock.advance(0);
      expect(hub.transport.era?.era).toBe('modern');
      expect(hub.received).toMatchObject([{ id: 1, result: { protocolVersion: '2025-11-25' } }]);
    },
  );

  it('is told the refusal of initialize if the second probe is refused, too', async () => {
    const hub = await hubBefore(() => undefined);
    await hub.clock.advance(0);
    await hub.clock.advance(4_000);
    await hub.started;
    await hub.send({ id: 1, method: 'initialize' });
    hub.inner.receive({ id: 1, error: { code: -32601, message: 'no initialize here' } });
    expect(hub.received).toEqual([]);
    hub.inner.receive({ id: 0, error: { code: -32601, message: 'no discover here' } });
    expect(hub.transport.era?.era).toBe('legacy');
    expect(hub.received).toMatchObject([{ id: 1, error: { message: 'no initialize here' } }]);
  });

  it('is modern after all if a slow program answers the probe late', async () => {
    const hub = await hubBefore(() => undefined);
    await hub.clock.advance(0);
    await hub.clock.advance(4_000);
    await hub.started;
    await hub.send({ id: 1, method: 'initialize', params: { clientInfo: { name: 'hub' } } });
    hub.inner.receive({ id: 0, result: discover });
    hub.inner.receive({ id: 1, error: { code: -32601, message: 'no initialize here' } });
    await hub.clock.advance(0);
    expect(hub.transport.era?.era).toBe('modern');
    expect(hub.received).toMatchObject([{ id: 1, result: { protocolVersion: '2025-11-25' } }]);
  });

  it('is not asked for if it is known to have sessions', async () => {
    const hub = await hubBefore(() => undefined, legacyEra('its entry says so'));
    await hub.started;
    await hub.send({ id: 1, method: 'initialize' });
    expect(hub.inner.sent.map(({ method }) => method)).toEqual(['initialize']);
  });
});

describe('[PB-DUAL-3] a stateless server behind the hub', () => {
  it('is greeted from its discovery; calls carry the envelope, and the answer loses it', async () => {
    const hub = await modern();
    await hub.started;
    await hub.handshake();
    expect(hub.received).toMatchObject([
      {
        id: 1,
        result: {
          capabilities: discover.capabilities,
          serverInfo: { name: 's', version: '2' },
          instructions: 'hello',
        },
      },
    ]);
    await hub.send({
      id: 2,
      method: 'tools/call',
      params: { name: 'a', _meta: { own: 1, progressToken: 5 } },
    });
    const sent = last(hub.inner.sent);
    expect(sent.params).toEqual({
      name: 'a',
      _meta: {
        own: 1,
        progressToken: 5,
        [metaKeys.version]: '2026-07-28',
        [metaKeys.capabilities]: { elicitation: { form: {} } },
        [metaKeys.clientInfo]: { name: 'hub', version: '1' },
      },
    });
    hub.inner.receive({
      id: sent.id,
      result: { content: [], resultType: 'complete', _meta: { [metaKeys.serverInfo]: {} } },
    });
    expect(last(hub.received)).toMatchObject({ id: 2, result: { content: [], resultType: 'complete' } });
    expect(last(hub.received).result._meta).toBeUndefined();
  });

  it('gets each call under the envelope of this call, whatever the one before had', async () => {
    const hub = await modern();
    await hub.started;
    await hub.handshake();
    const own = { elicitation: { form: {} } };
    const sent = async (id: number, meta: object) => {
      await hub.send({ id, method: 'tools/call', params: { name: 'a', _meta: meta } });
      const { own: kept, ...stamped } = last(hub.inner.sent).params._meta;
      return [kept, stamped[metaKeys.capabilities], stamped[metaKeys.logLevel]];
    };
    expect(await sent(2, { own: 1 })).toEqual([1, own, undefined]);
    expect(await sent(3, { own: 1 })).toEqual([1, own, undefined]);
    expect(await sent(4, { own: 2 })).toEqual([2, own, undefined]);
    expect(await sent(5, { own: 2, [hopKeys.capabilities]: { roots: {} } })).toEqual([
      2,
      { roots: {} },
      undefined,
    ]);
    expect(await sent(6, { own: 2 })).toEqual([2, own, undefined]);
    await hub.send({ id: 7, method: 'logging/setLevel', params: { level: 'TRACE' } });
    expect(await sent(8, { own: 2 })).toEqual([2, own, 'debug']);
  });

  it('[PB-DUAL-1] gets the capabilities of the client with a session that calls, not those of the hub', async () => {
    const hub = await modern({ extensions: { [tasksExtension]: {} } });
    await hub.started;
    await hub.handshake();
    const told = async (params: object) => {
      const _meta = { [hopKeys.session]: { sampling: {} } };
      await hub.send({ id: 2, method: 'tools/call', params: { name: 'a', _meta, ...params } });
      const { [metaKeys.capabilities]: capabilities, ...others } = last(hub.inner.sent).params._meta;
      expect(Object.keys(others).sort()).toEqual([metaKeys.clientInfo, metaKeys.version]);
      return capabilities;
    };
    expect(await told({})).toEqual({ sampling: {} });
    const withTasks = { sampling: {}, extensions: { [tasksExtension]: {} } };
    expect(await told({ task: {} })).toEqual(withTasks);
    await told({});
    const data = { requiredCapabilities: { extensions: { [tasksExtension]: {} } } };
    hub.inner.receive({ id: last(hub.inner.sent).id, error: { code: -32021, message: 'a task', data } });
    expect(last(hub.inner.sent).params._meta[metaKeys.capabilities]).toEqual(withTasks);
  });

  it('asks as a server with sessions would, and the call is sent again with the answers', async () => {
    const hub = await modern();
    await hub.started;
    await hub.handshake();
    await hub.send({ id: 2, method: 'tools/call', params: { name: 'ask' } });
    const first = last(hub.inner.sent);
    const params = { message: 'Name?', requestedSchema: { type: 'object' } };
    const inputRequests = { user_name: { method: 'elicitation/create', params } };
    hub.inner.receive({
      id: first.id,
      result: { resultType: 'input_required', inputRequests, requestState: 'S' },
    });
    const asked = last(hub.received);
    expect(asked).toMatchObject({ method: 'elicitation/create', params, relatedTo: 2 });
    await hub.send({ id: asked.id, result: { action: 'accept', content: { name: 'Ada' } } });
    const second = last(hub.inner.sent);
    expect(second.id).not.toBe(first.id);
    expect(second.params).toMatchObject({
      name: 'ask',
      requestState: 'S',
      inputResponses: { user_name: { action: 'accept', content: { name: 'Ada' } } },
    });
    hub.inner.receive({ id: second.id, result: { content: ['done'] } });
    expect(last(hub.received)).toMatchObject({ id: 2, result: { content: ['done'] } });
  });

  it.each<[string, Json, number[]]>([
    ['once and in order for a client with a session', {}, [1, 5, 6.5, 7]],
    ['anew in each round for a stateless client', { [hopKeys.capabilities]: {} }, [1, 5, 1, 5, 6.5, 2, 7]],
  ])('counts progress anew in each round, which goes on: %s', async (_case, meta, passed) => {
    const hub = await modern();
    await hub.started;
    await hub.handshake();
    const _meta = { progressToken: 9, ...meta };
    await hub.send({ id: 2, method: 'tools/call', params: { name: 'ask', _meta } });
    const round = async (progress: readonly number[]) => {
      for (const value of progress)
        hub.inner.receive({
          method: 'notifications/progress',
          params: { progressToken: 9, progress: value, total: 10 },
        });
      const { id } = last(hub.inner.sent);
      const inputRequests = { a: { method: 'roots/list' } };
      hub.inner.receive({ id, result: { resultType: 'input_required', inputRequests } });
      await hub.send({ id: last(hub.received).id, result: { roots: [] } });
    };
    await round([1, 5]);
    await round([1, 5, 6.5]);
    await round([2]);
    await round([7]);
    const notices = hub.received.filter(({ method }) => method === 'notifications/progress');
    expect(notices.map(({ params }) => params.progress)).toEqual(passed);
  });

  it('goes away between two rounds: the call goes on elsewhere, marked, and only with a stateless server', async () => {
    const hub = await modern();
    await hub.started;
    await hub.handshake();
    const call = { id: 2, method: 'tools/call', params: { name: 'ask' } };
    await hub.send(call);
    const inputRequests = { a: { method: 'roots/list' } };
    const { id } = last(hub.inner.sent);
    hub.inner.receive({
      id,
      result: { resultType: 'input_required', inputRequests, requestState: 'S' },
    });
    hub.inner.onSend = () => {
      throw new ConnectionClosedError('The server has gone', false);
    };
    await hub.send({ id: last(hub.received).id, result: { roots: [] } });
    await hub.clock.advance(0);
    expect(hub.lost).toEqual([2]);
    const [reason] = hub.reasons;
    const { resume } = reason instanceof InterruptedError ? reason.continuation : {};
    expect(resume?.(toRaw({ jsonrpc: '2.0', ...call })).params).toEqual({
      name: 'ask',
      requestState: 'S',
      inputResponses: { a: { roots: [] } },
      _meta: { [hopKeys.goesOn]: true },
    });
  });

  it('is not repeated for ever', async () => {
    const hub = await modern();
    await hub.started;
    await hub.handshake();
    await hub.send({ id: 2, method: 'tools/call', params: { name: 'ask' } });
    for (let round = 0; round < 11; round += 1) {
      hub.inner.receive({
        id: last(hub.inner.sent).id,
        result: { resultType: 'input_required', requestState: 'S' },
      });
      await hub.clock.advance(10_000);
    }
    expect(last(hub.received)).toMatchObject({ id: 2, error: { code: -32603 } });
    expect(hub.inner.sent.filter(({ method }) => method === 'tools/call')).toHaveLength(11);
  });

  it.each<[string, Json]>([
    ['params that are a number', { a: { method: 'roots/list', params: 5 } }],
    ['no method', { a: {} }],
    ['a list', [1]],
    ['a text', 'x'],
  ])('loses the call, not the hub, over questions in a wrong form: %s', async (_case, inputRequests) => {
    const hub = await modern();
    await hub.started;
    await hub.handshake();
    await hub.send({ id: 2, method: 'tools/call', params: { name: 'a' } });
    hub.inner.receive({
      id: last(hub.inner.sent).id,
      result: { resultType: 'input_required', inputRequests },
    });
    expect(last(hub.received)).toMatchObject({ id: 2, error: { code: -32603 } });
  });

  it('[PB-PASS-1] asks under keys that objects have from birth, and gets its answers under them', async () => {
    const hub = await modern();
    await hub.started;
    await hub.handshake();
    await hub.send({ id: 2, method: 'tools/call', params: { name: 'a' } });
    const inputRequests = JSON.parse(
      '{"__proto__":{"method":"elicitation/create","params":{"a":1}},"constructor":{"method":"roots/list"}}',
    );
    hub.inner.receive({
      id: last(hub.inner.sent).id,
      result: { resultType: 'input_required', inputRequests },
    });
    const asked = hub.received.filter(({ relatedTo }) => relatedTo === 2);
    expect(asked).toMatchObject([
      { method: 'elicitation/create', params: { a: 1 } },
      { method: 'roots/list' },
    ]);
    for (const { id, method } of asked) await hub.send({ id, result: { method } });
    expect(Object.entries(last(hub.inner.sent).params.inputResponses)).toEqual([
      ['__proto__', { method: 'elicitation/create' }],
      ['constructor', { method: 'roots/list' }],
    ]);
  });

  it('may not ask more than 32 questions at once', async () => {
    const hub = await modern();
    await hub.started;
    await hub.handshake();
    await hub.send({ id: 2, method: 'tools/call', params: { name: 'a' } });
    const keys = Array.from({ length: 33 }, (_, at) => `k${at}`);
    const inputRequests = Object.fromEntries(keys.map((key) => [key, { method: 'roots/list' }]));
    hub.inner.receive({
      id: last(hub.inner.sent).id,
      result: { resultType: 'input_required', inputRequests },
    });
    const message = 'The server asks 33 questions at once; at most 32 are allowed';
    expect(last(hub.received)).toMatchObject({ id: 2, error: { code: -32603, message } });
  });

  it('is at fault for a question that no client knows; its call is not an unknown method', async () => {
    const hub = await modern();
    await hub.started;
    await hub.handshake();
    await hub.send({ id: 2, method: 'tools/call', params: { name: 'a' } });
    const inputRequests = { a: { method: 'own/question' } };
    hub.inner.receive({
      id: last(hub.inner.sent).id,
      result: { resultType: 'input_required', inputRequests },
    });
    const { id } = last(hub.received);
    await hub.send({ id, error: { code: -32601, message: 'Not known here' } });
    const message = 'The server asks for own/question, which no client answers: Not known here';
    expect(last(hub.received)).toMatchObject({ id: 2, error: { code: -32603, message } });
  });

  it('is sent its call once if it asks for time twice', async () => {
    const hub = await modern();
    await hub.started;
    await hub.handshake();
    await hub.send({ id: 2, method: 'tools/call', params: { name: 'a' } });
    const { id } = last(hub.inner.sent);
    const asking = { id, result: { resultType: 'input_required', requestState: 'S' } };
    hub.inner.receive(asking);
    hub.inner.receive(asking);
    await hub.clock.advance(10_000);
    expect(hub.inner.sent.filter(({ method }) => method === 'tools/call')).toHaveLength(2);
  });

  it('loses the call at once over an answer that is no message', async () => {
    const hub = await modern();
    await hub.started;
    await hub.handshake();
    await hub.send({ id: 2, method: 'tools/call', params: { name: 'a' } });
    hub.inner.receive({ id: last(hub.inner.sent).id, result: {}, error: { code: 1, message: 'm' } });
    expect(last(hub.received)).toMatchObject({ id: 2, error: { code: -32600 } });
  });

  it.each(['null', '[]', '{}'])('may write %s for the params of a question', async (params) => {
    const hub = await modern();
    await hub.started;
    await hub.handshake();
    await hub.send({ id: 2, method: 'tools/call', params: { name: 'a' } });
    const inputRequests = `{"a":{"method":"roots/list","params":${params}}}`;
    const result = `{"resultType":"input_required","inputRequests":${inputRequests}}`;
    hub.inner.receiveResult(last(hub.inner.sent).id, result);
    const own = { _meta: { 'patchbay/inputKey': 'a' } };
    expect(last(hub.received)).toMatchObject({ method: 'roots/list', params: own, relatedTo: 2 });
  });

  it.each(['null', '[]', '{}'])('may write %s for no questions', async (inputRequests) => {
    const hub = await modern();
    await hub.started;
    await hub.handshake();
    await hub.send({ id: 2, method: 'tools/call', params: { name: 'a' } });
    const result = `{"resultType":"input_required","inputRequests":${inputRequests},"requestState":"s"}`;
    hub.inner.receiveResult(last(hub.inner.sent).id, result);
    await hub.clock.advance(1_000);
    expect(last(hub.inner.sent)).toMatchObject({ method: 'tools/call', params: { requestState: 's' } });
  });

  it('may write names in a result with escapes, as PHP writes every slash', async () => {
    const hub = await modern();
    await hub.started;
    await hub.handshake();
    await hub.send({ id: 2, method: 'tools/call', params: { name: 'a' } });
    const meta = '{"io.modelcontextprotocol\\/serverInfo":{},"a\\/b":1}';
    hub.inner.receiveResult(last(hub.inner.sent).id, `{"content":[1.0],"_meta":${meta}}`);
    expect(last(hub.received).result).toEqual({ content: [1], _meta: { 'a/b': 1 } });
    await hub.send({ id: 3, method: 'tools/call', params: { name: 'a' } });
    const inputRequests = '{"a":{"method":"roots/list"}}';
    const asking = `{"result\\u0054ype":"input_required","inputRequests":${inputRequests}}`;
    hub.inner.receiveResult(last(hub.inner.sent).id, asking);
    expect(last(hub.received)).toMatchObject({ method: 'roots/list', relatedTo: 3 });
  });

  it('loses the call, not the connection, over a result of an unknown type', async () => {
    const hub = await modern();
    await hub.started;
    await hub.handshake();
    await hub.send({ id: 2, method: 'tools/call', params: { name: 'a' } });
    hub.inner.receive({ id: last(hub.inner.sent).id, result: { resultType: 'surprise' } });
    expect(last(hub.received)).toMatchObject({ id: 2, error: { code: -32603 } });
  });

  it('[PB-DUAL-4] may say that it is stateless and speak as if it had sessions, as far as that goes', async () => {
    const hub = await modern();
    await hub.started;
    await hub.handshake();
    await hub.send({ id: 2, method: 'tools/call', params: { name: 'a' } });
    const { id } = last(hub.inner.sent);
    hub.inner.receive({ id: 's1', method: 'roots/list' });
    expect(last(hub.inner.sent)).toMatchObject({ id: 's1', error: { code: -32601 } });
    hub.inner.receive({ method: 'notifications/tools/list_changed' });
    expect(last(hub.received)).toMatchObject({ method: 'notifications/tools/list_changed' });
    hub.inner.receive({ id, result: { content: [] } });
    expect(last(hub.received)).toMatchObject({ id: 2, result: { content: [] } });
    await hub.send({ id: 3, method: 'tools/call', params: { name: 'a' } });
    const error = { code: -32000, message: 'Server not initialized' };
    hub.inner.receive({ id: last(hub.inner.sent).id, error });
    expect(last(hub.received)).toMatchObject({ id: 3, error });
    expect(hub.inner.sent.filter(({ method }) => method === 'initialize')).toEqual([]);
  });

  it('withdraws its questions when the call is cancelled', async () => {
    const hub = await modern();
    await hub.started;
    await hub.handshake();
    await hub.send({ id: 2, method: 'tools/call', params: { name: 'ask' } });
    const { id } = last(hub.inner.sent);
    const inputRequests = { a: { method: 'roots/list' } };
    hub.inner.receive({ id, result: { resultType: 'input_required', inputRequests } });
    const asked = last(hub.received);
    await hub.send({ method: 'notifications/cancelled', params: { requestId: 2 } });
    expect(last(hub.received)).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: asked.id },
    });
    expect(last(hub.inner.sent)).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: id },
    });
  });

  it('is asked for its health by discovery, and listens to what it announces', async () => {
    const hub = await modern();
    await hub.started;
    await hub.handshake();
    const listen = hub.inner.sent.find(({ method }) => method === 'subscriptions/listen');
    expect(listen.params.notifications).toEqual({ toolsListChanged: true });
    hub.inner.receive({
      method: 'notifications/tools/list_changed',
      params: { _meta: { [metaKeys.subscriptionId]: listen.id } },
    });
    expect(last(hub.received)).toMatchObject({ method: 'notifications/tools/list_changed' });
    expect(last(hub.received).params?._meta).toBeUndefined();
    await hub.send({ id: 3, method: 'ping' });
    await hub.clock.advance(0);
    expect(last(hub.received)).toMatchObject({ id: 3, result: {} });
  });

  it('opens a listen again that the server has ended, and lists may have changed meanwhile', async () => {
    const hub = await modern();
    await hub.started;
    await hub.handshake();
    const { id } = hub.inner.sent.find(({ method }) => method === 'subscriptions/listen');
    hub.inner.receive({ id, result: { resultType: 'complete' } });
    await hub.clock.advance(1_000);
    const again = last(hub.inner.sent);
    expect(again.method).toBe('subscriptions/listen');
    hub.inner.receive({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: {}, _meta: { [metaKeys.subscriptionId]: again.id } },
    });
    expect(last(hub.received)).toMatchObject({ method: 'notifications/tools/list_changed' });
  });

  it('keeps the listen that is acknowledged until another is, however many come in between', async () => {
    const hub = await modern();
    await hub.started;
    await hub.handshake();
    const of = (method: string) => hub.inner.sent.filter((message) => message.method === method);
    const cancelled = () => of('notifications/cancelled').map(({ params }) => params.requestId);
    const acknowledge = (id: number) =>
      hub.inner.receive({
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications: {}, _meta: { [metaKeys.subscriptionId]: id } },
      });
    acknowledge(of('subscriptions/listen')[0].id);
    for (const [id, uri] of ['a:1', 'a:2', 'a:3'].entries())
      await hub.send({ id: id + 3, method: 'resources/subscribe', params: { uri } });
    const [first, ...others] = of('subscriptions/listen').map(({ id }) => id);
    expect(cancelled()).toEqual(others.slice(0, 2));
    acknowledge(others[2]);
    expect(cancelled()).toEqual([...others.slice(0, 2), first]);
  });

  /** A server that refuses each listen which names one of `bad`, after `uris` were subscribed to. */
  async function listening(
    uris: readonly string[],
    bad: readonly string[],
    code = -32602,
    agreed?: readonly string[],
  ) {
    const hub = await modern();
    await hub.started;
    await hub.handshake();
    const listens = () => hub.inner.sent.filter(({ method }) => method === 'subscriptions/listen');
    let answered = 0;
    const answerAll = () => {
      for (; answered < listens().length; answered += 1) {
        const { id, params } = listens()[answered];
        const named: string[] = params.notifications.resourceSubscriptions ?? [];
        if (named.some((uri) => bad.includes(uri))) hub.inner.receive({ id, error: { code, message: 'no' } });
        else
          hub.inner.receive({
            method: 'notifications/subscriptions/acknowledged',
            params: {
              notifications: { ...params.notifications, resourceSubscriptions: agreed ?? named },
              _meta: { [metaKeys.subscriptionId]: id },
            },
          });
        expect(answered).toBeLessThan(50);
      }
    };
    answerAll();
    for (const [id, uri] of uris.entries())
      await hub.send({ id: id + 3, method: 'resources/subscribe', params: { uri } });
    answerAll();
    const cancelled = () =>
      hub.inner.sent
        .filter(({ method }) => method === 'notifications/cancelled')
        .map(({ params }) => params.requestId);
    /** Things that are listened to, by listens that are open. */
    const open = () =>
      listens()
        .filter(({ id }) => !cancelled().includes(id))
        .map(({ params }) => params.notifications)
        .filter(
          ({ resourceSubscriptions = [] }) => !resourceSubscriptions.some((uri: string) => bad.includes(uri)),
        );
    return { hub, listens, answerAll, open };
  }

  it.each<[string, string[], string[], string[]]>([
    ['alone', ['a:1'], ['a:1'], []],
    ['after others', ['a:1', 'a:2', 'a:3'], ['a:3'], ['a:1', 'a:2']],
    ['before others', ['a:1', 'a:2', 'a:3'], ['a:1'], ['a:2', 'a:3']],
    ['one of several', ['a:1', 'a:2', 'a:3', 'a:4'], ['a:2', 'a:4'], ['a:1', 'a:3']],
  ])('loses no other changes to a resource that it refuses to watch: %s', async (_case, uris, bad, left) => {
    const { open } = await listening(uris, bad);
    const resources = left.length === 0 ? {} : { resourceSubscriptions: left };
    expect(open()).toEqual([{ toolsListChanged: true, ...resources }]);
  });

  it('keeps the listen that it has if it refuses every other', async () => {
    const { open, listens } = await listening(['a:1', 'a:2'], ['a:1', 'a:2'], -32601);
    expect(open()).toEqual([{ toolsListChanged: true }]);
    expect(listens().length).toBe(3);
  });

  it('watches what is left of its resources once one of them is gone', async () => {
    const bad: string[] = [];
    const { hub, open, listens, answerAll } = await listening(['a:1', 'a:2'], bad);
    bad.push('a:2');
    hub.inner.receive({ id: last(listens()).id, result: { resultType: 'complete' } });
    await hub.clock.advance(1_000);
    answerAll();
    expect(last(open())).toEqual({ toolsListChanged: true, resourceSubscriptions: ['a:1'] });
  });

  it('may name its listen by an id that it has made text of, and nothing that it agrees to', async () => {
    const hub = await modern();
    await hub.started;
    await hub.handshake();
    const [first] = hub.inner.sent.filter(({ method }) => method === 'subscriptions/listen');
    await hub.send({ id: 3, method: 'resources/subscribe', params: { uri: 'a:1' } });
    hub.inner.receive({
      method: 'notifications/subscriptions/acknowledged',
      params: { _meta: { [metaKeys.subscriptionId]: String(last(hub.inner.sent).id) } },
    });
    const params = { requestId: first.id };
    expect(last(hub.inner.sent)).toMatchObject({ method: 'notifications/cancelled', params });
    await hub.clock.advance(0);
    expect(last(hub.received)).toMatchObject({ id: 3, result: {} });
  });

  it('subscribes to resources through a listen', async () => {
    const hub = await modern();
    await hub.started;
    await hub.handshake();
    await hub.send({ id: 3, method: 'resources/subscribe', params: { uri: 'a:1' } });
    expect(last(hub.inner.sent).params.notifications).toEqual({
      toolsListChanged: true,
      resourceSubscriptions: ['a:1'],
    });
    hub.inner.receive({
      method: 'notifications/subscriptions/acknowledged',
      params: {
        notifications: { resourceSubscriptions: ['a:1'] },
        _meta: { [metaKeys.subscriptionId]: last(hub.inner.sent).id },
      },
    });
    await hub.clock.advance(0);
    expect(last(hub.received)).toMatchObject({ id: 3, result: {} });
  });

  it.each<[string, string, string[], string[]]>([
    ['leaves them out of the acknowledgement', 'ack', ['a:1', 'a:2'], []],
    ['refuses the listen', 'refuse', ['a:2'], ['a:2']],
    ['knows no listen', 'unknown', ['a:1', 'a:2'], ['a:1', 'a:2']],
  ])('refuses resources that its server does not watch: it %s', async (_case, how, refused, bad) => {
    const { hub } = await listening(
      ['a:1', 'a:2'],
      bad,
      how === 'unknown' ? -32601 : -32602,
      how === 'ack' ? [] : undefined,
    );
    await hub.clock.advance(0);
    const answers = hub.received.filter(({ id }) => id === 3 || id === 4);
    expect(answers.map(({ id, error }) => [id === 3 ? 'a:1' : 'a:2', error?.code]).sort()).toEqual(
      ['a:1', 'a:2'].map((uri) => [uri, refused.includes(uri) ? -32602 : undefined]),
    );
  });

  it('subscribes to a resource that its server says nothing about', async () => {
    const hub = await modern();
    await hub.started;
    await hub.handshake();
    await hub.send({ id: 3, method: 'resources/subscribe', params: { uri: 'a:1' } });
    await hub.clock.advance(2_000);
    expect(last(hub.received)).toMatchObject({ id: 3, result: {} });
  });
});
