import { describe, expect, it } from 'vitest';
import type { RawMessage } from '../../../../../electron/engine/jsonrpc/raw-message.ts';
import { readMessage, toRaw } from '../../../../../electron/engine/jsonrpc/read-message.ts';
import { metaKeys } from '../../../../../electron/engine/transport/modern/protocol.ts';
import { envelope, type Json, modernClient } from './modern-peers.ts';

const question = {
  method: 'elicitation/create',
  params: { message: 'Name?', requestedSchema: { type: 'object' } },
};

/** A call in which the server asks one question, up to the moment when the client has been asked. */
async function askedCall(client: ReturnType<typeof modernClient>, params: Json = { name: 'ask' }) {
  const first = client.request(7, 'tools/call', params);
  await client.clock.advance(0);
  const call = client.lastCall();
  await client.say({ id: 's1', ...question }, call.id);
  await client.clock.advance(50);
  const [asked] = first.received;
  return { call, asked, state: asked.result.requestState as string };
}

describe('[PB-DUAL-1] a stateless client before a session', () => {
  it('is told what the hub is, without a handshake of its own', async () => {
    const client = modernClient();
    const { received } = client.request('a', 'server/discover');
    await client.clock.advance(0);
    expect(received).toEqual([
      {
        jsonrpc: '2.0',
        id: 'a',
        result: {
          resultType: 'complete',
          supportedVersions: [
            '2026-07-28',
            '2025-11-25',
            '2025-06-18',
            '2025-03-26',
            '2024-11-05',
            '2024-10-07',
          ],
          capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
          instructions: 'Be kind.',
          ttlMs: 0,
          cacheScope: 'private',
          _meta: { [metaKeys.serverInfo]: { name: 'hub', version: '1' } },
        },
      },
    ]);
    expect(client.inner.map(({ method }) => method)).toEqual(['initialize', 'notifications/initialized']);
    expect(client.inner[0]?.params._meta).toEqual({ 'patchbay/era': 'modern' });
  });

  it('gets lists that say how long they hold, and results with their type', async () => {
    const client = modernClient({
      'tools/list': () => ({ result: { tools: [{ name: 'a' }], nextCursor: 'n' } }),
      'tools/call': () => ({ result: { content: [], x: 1.5 } }),
    });
    const list = client.request(1, 'tools/list');
    const call = client.request(
      2,
      'tools/call',
      { name: 'a', arguments: { b: 1 } },
      envelope({}, { own: 'kept' }),
    );
    await client.clock.advance(0);
    expect(list.received[0].result).toEqual({
      tools: [{ name: 'a' }],
      nextCursor: 'n',
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
    });
    expect(call.received[0].result).toEqual({ content: [], x: 1.5, resultType: 'complete' });
    expect(client.lastCall().params).toEqual({
      name: 'a',
      arguments: { b: 1 },
      _meta: { own: 'kept', 'patchbay/clientCapabilities': {} },
    });
  });

  it.each([
    ['no version', { [metaKeys.capabilities]: {} }, -32602],
    ['no capabilities', { [metaKeys.version]: '2026-07-28' }, -32602],
    ['capabilities that are a list', envelope([]), -32602],
    ['a revision that nobody knows', { ...envelope(), [metaKeys.version]: '2099-01-01' }, -32022],
    ['a revision with sessions', { ...envelope(), [metaKeys.version]: '2025-11-25' }, -32022],
    ['a log level that is none', envelope({}, { [metaKeys.logLevel]: 'loud' }), -32602],
  ])('is refused with the code of the protocol: %s', async (_case, meta, code) => {
    const client = modernClient();
    const { received } = client.request(1, 'tools/list', {}, meta);
    await client.clock.advance(0);
    expect(received).toMatchObject([{ id: 1, error: { code } }]);
    expect(client.inner).toEqual([]);
  });

  it.each(['ping', 'logging/setLevel', 'resources/subscribe', 'initialize', 'tasks/list', 'no/such'])(
    'has no %s',
    async (method) => {
      const client = modernClient();
      const { received } = client.request(1, method);
      await client.clock.advance(0);
      expect(received).toMatchObject([{ error: { code: -32601 } }]);
    },
  );

  it.each([
    [-32002, -32602],
    [-32601, -32602],
    [-32000, -32000],
    [-32042, -32603],
    [-32020, -32603],
    [-32022, -32603],
  ])('reads code %i of a tool as %i', async (sent, read) => {
    const client = modernClient({
      'tools/call': () => ({ error: { code: sent, message: 'm', data: { d: 1 } } }),
    });
    const { received } = client.request(1, 'tools/call', { name: 'a' });
    await client.clock.advance(0);
    expect(received).toEqual([
      { jsonrpc: '2.0', id: 1, error: { code: read, message: 'm', data: { d: 1 } } },
    ]);
  });

  it('gets progress under its own token, and logs only if it asked for them', async () => {
    const client = modernClient();
    const quiet = client.request(1, 'tools/call', { name: 'a' }, envelope({}, { progressToken: 'own' }));
    await client.clock.advance(0);
    const call = client.lastCall();
    await client.say({
      method: 'notifications/progress',
      params: { progressToken: call.params._meta.progressToken, progress: 1 },
    });
    await client.say({ method: 'notifications/message', params: { level: 'error', data: 'x' } }, call.id);
    expect(quiet.received).toEqual([
      { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 'own', progress: 1 } },
    ]);
    const loud = client.request(
      2,
      'tools/call',
      { name: 'a' },
      envelope({}, { [metaKeys.logLevel]: 'WARN' }),
    );
    await client.clock.advance(0);
    const { id } = client.lastCall();
    await client.say({ method: 'notifications/message', params: { level: 'info', data: 'x' } }, id);
    await client.say({ method: 'notifications/message', params: { level: 'error', data: 'y' } }, id);
    expect(loud.received).toMatchObject([{ params: { level: 'error', data: 'y' } }]);
    expect(client.inner.find(({ method }) => method === 'logging/setLevel').params).toEqual({
      level: 'warning',
    });
  });

  it('gets no log message that may be of a call of another client', async () => {
    const client = modernClient();
    const meta = envelope({}, { [metaKeys.logLevel]: 'debug' });
    const { received } = client.request(1, 'tools/call', { name: 'a' }, meta);
    await client.clock.advance(0);
    await client.say({ method: 'notifications/message', params: { level: 'error', data: 'x' } });
    expect(received).toEqual([]);
  });

  it('is not asked again forever because of a member that a session-based server invented', async () => {
    const result = { resultType: 'input_required', requestState: 'x', content: [] };
    const client = modernClient({ 'tools/call': () => ({ result }) });
    const { received } = client.request(1, 'tools/call', { name: 'a' });
    await client.clock.advance(0);
    expect(received[0].result).toEqual({ ...result, resultType: 'complete' });
  });

  it('finds its ids and tokens again to the digit', async () => {
    const client = modernClient({ 'tools/call': () => ({ result: {} }) });
    const meta = `"progressToken":9007199254740993,${JSON.stringify(envelope()).slice(1, -1)}`;
    const params = `{"name":"a","_meta":{${meta}}}`;
    const request = readMessage(
      Buffer.from(`{"jsonrpc":"2.0","id":9007199254740995,"method":"tools/call","params":${params}}`),
    ) as RawMessage;
    const answers: string[] = [];
    client.translator.request(request, {
      async send(answer) {
        answers.push(toRaw(answer).line().toString().trim());
      },
    });
    await client.clock.advance(0);
    expect(answers).toEqual(['{"jsonrpc":"2.0","id":9007199254740995,"result":{"resultType":"complete"}}']);
  });

  it('is answered when the connection closes before the session was there', async () => {
    const client = modernClient();
    const call = client.request(1, 'tools/call', { name: 'a' });
    const discovery = client.request(2, 'server/discover');
    await client.translator.close();
    await client.clock.advance(0);
    const late = client.request(3, 'tools/list');
    const unsent = { code: -32017, data: { code: 'call.draining', fix: expect.any(String) } };
    for (const { received } of [call, discovery, late]) expect(received).toMatchObject([{ error: unsent }]);
  });

  it('is told that the outcome is unknown when the connection closes after its call was sent on', async () => {
    const client = modernClient();
    const { received } = client.request(1, 'tools/call', { name: 'never answered' });
    await client.clock.advance(0);
    expect(client.lastCall()).toMatchObject({ params: { name: 'never answered' } });
    await client.translator.close();
    const cutOff = { code: -32011, data: { code: 'call.outcome_unknown', fix: expect.any(String) } };
    expect(received).toMatchObject([{ error: cutOff }]);
  });

  it('is answered when the connection has closed already, even while it is prepared', async () => {
    const client = modernClient();
    const request = toRaw({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { _meta: envelope() } });
    await client.translator.close();
    await client.translator.prepare(request);
    const { received } = client.request(1, 'tools/call', { name: 'a' });
    expect(received).toMatchObject([{ id: 1, error: { code: -32017 } }]);
  });

  it('cancels its call by going away, and nothing after the answer', async () => {
    const client = modernClient();
    const { handle } = client.request(1, 'tools/call', { name: 'a' });
    await client.clock.advance(0);
    handle?.cancel('gone');
    handle?.cancel('gone');
    const cancels = client.inner.filter(({ method }) => method === 'notifications/cancelled');
    expect(cancels).toMatchObject([{ params: { requestId: client.lastCall().id, reason: 'gone' } }]);
  });

  it('listens: what the session announces, under the id of the listen', async () => {
    const client = modernClient({ 'resources/subscribe': () => ({ result: {} }) });
    const wanted = { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ['a:1'] };
    const { received, handle } = client.request('L', 'subscriptions/listen', { notifications: wanted });
    await client.clock.advance(0);
    await client.say({ method: 'notifications/tools/list_changed' });
    await client.say({ method: 'notifications/resources/updated', params: { uri: 'a:1' } });
    await client.say({ method: 'notifications/resources/updated', params: { uri: 'other' } });
    const meta = { [metaKeys.subscriptionId]: 'L' };
    expect(received.map(({ method, params }) => [method, params])).toEqual([
      [
        'notifications/subscriptions/acknowledged',
        { notifications: { toolsListChanged: true, resourceSubscriptions: ['a:1'] }, _meta: meta },
      ],
      ['notifications/tools/list_changed', { _meta: meta }],
      ['notifications/resources/updated', { uri: 'a:1', _meta: meta }],
    ]);
    handle?.cancel();
    expect(client.inner.at(-1)).toMatchObject({ method: 'resources/unsubscribe', params: { uri: 'a:1' } });
  });

  /** A listen to resources, of which `bad:` ones are refused and `slow:` ones are never answered. */
  function listenTo(uris: readonly string[]) {
    const client = modernClient({
      'resources/subscribe': ({ params: { uri } }) => {
        if (uri.startsWith('slow:')) return undefined;
        return uri.startsWith('bad:') ? { error: { code: -32602, message: 'no' } } : { result: {} };
      },
    });
    const notifications = { toolsListChanged: true, resourceSubscriptions: uris };
    const listen = client.request('L', 'subscriptions/listen', { notifications });
    const update = (uri: string) =>
      client.say({ method: 'notifications/resources/updated', params: { uri } });
    /** URIs of what has come, `ack` with those that it names. */
    const came = () =>
      listen.received.map(({ method, params }) =>
        method.endsWith('acknowledged') ? ['ack', params.notifications.resourceSubscriptions] : params.uri,
      );
    return { ...client, ...listen, update, came };
  }

  it('acknowledges only resources that servers agree to notify about', async () => {
    const { clock, handle, inner, came } = listenTo(['bad:1', 'a:1', 'a:1']);
    await clock.advance(0);
    expect(came()).toEqual([['ack', ['a:1']]]);
    handle?.cancel();
    const ended = inner.filter(({ method }) => method === 'resources/unsubscribe');
    expect(ended.map(({ params }) => params.uri)).toEqual(['a:1']);
  });

  it('does not wait long for a server to agree, whose notifications pass all the same', async () => {
    const { clock, update, came } = listenTo(['slow:1', 'a:1']);
    await clock.advance(0);
    await clock.advance(400);
    await update('a:1');
    await update('a:1');
    expect(came()).toEqual([]);
    await clock.advance(100);
    await update('slow:1');
    expect(came()).toEqual([['ack', ['a:1']], 'a:1', 'slow:1']);
  });

  it('asks again for a resource that was refused, once another listen names it', async () => {
    const { clock, request, inner } = listenTo(['bad:1']);
    await clock.advance(0);
    request('M', 'subscriptions/listen', { notifications: { resourceSubscriptions: ['bad:1'] } });
    await clock.advance(0);
    expect(inner.filter(({ method }) => method === 'resources/subscribe')).toHaveLength(2);
  });

  it('sends nothing on a listen that ends before its acknowledgement', async () => {
    const { clock, handle, received, inner } = listenTo(['slow:1']);
    await clock.advance(0);
    handle?.cancel();
    await clock.advance(1_000);
    expect(received).toEqual([]);
    expect(inner.at(-1)).toMatchObject({ method: 'resources/unsubscribe', params: { uri: 'slow:1' } });
  });
});

describe('[PB-DUAL-2] a question within the call of a stateless client', () => {
  it('parks the call, which goes on with the answers', async () => {
    const client = modernClient();
    const { call, asked, state } = await askedCall(client);
    expect(asked.result).toMatchObject({ resultType: 'input_required', inputRequests: { q1: question } });
    const retry = client.request(8, 'tools/call', {
      name: 'ask',
      requestState: state,
      inputResponses: { q1: { action: 'accept', content: { name: 'Ada' } }, strange: {} },
    });
    await client.clock.advance(0);
    expect(client.inner.at(-1)).toMatchObject({
      id: 's1',
      result: { action: 'accept', content: { name: 'Ada' } },
    });
    await client.say({ id: call.id, result: { content: [] } });
    expect(retry.received).toEqual([
      { jsonrpc: '2.0', id: 8, result: { content: [], resultType: 'complete' } },
    ]);
    expect(client.inner.filter(({ method }) => method === 'tools/call')).toHaveLength(1);
  });

  it('keeps an answer that came while the client was away', async () => {
    const client = modernClient();
    const { call, state } = await askedCall(client);
    await client.say({ id: call.id, result: { content: ['late'] } });
    const retry = client.request(8, 'tools/call', { name: 'ask', requestState: state, inputResponses: {} });
    expect(retry.received).toMatchObject([{ id: 8, result: { content: ['late'] } }]);
  });

  it('passes the answers on although its call is over: the question may be of another call', async () => {
    const client = modernClient();
    const { call, state } = await askedCall(client);
    await client.say({ id: call.id, result: { content: ['late'] } });
    const inputResponses = { q1: { action: 'accept', content: { name: 'Ada' } } };
    const retry = client.request(8, 'tools/call', { name: 'ask', requestState: state, inputResponses });
    expect(retry.received).toMatchObject([{ id: 8, result: { content: ['late'] } }]);
    const answers = client.inner.filter(({ id }) => id === 's1');
    expect(answers).toEqual([{ jsonrpc: '2.0', id: 's1', result: inputResponses.q1 }]);
  });

  it.each<[string, boolean]>([
    ['is cancelled if the client brings no answer', false],
    ['gets no answer if its server has withdrawn it', true],
  ])('a question whose call is over %s', async (_case, isWithdrawn) => {
    const client = modernClient();
    const { call, state } = await askedCall(client);
    await client.say({ id: call.id, result: { content: [] } });
    const withdrawal = { method: 'notifications/cancelled', params: { requestId: 's1' } };
    if (isWithdrawn) await client.say(withdrawal);
    client.request(8, 'tools/call', { name: 'ask', requestState: state });
    const answers = client.inner.filter(({ id }) => id === 's1');
    expect(answers.map(({ result }) => result)).toEqual(isWithdrawn ? [] : [{ action: 'cancel' }]);
  });

  it('asks again for what was not answered', async () => {
    const client = modernClient();
    const { state } = await askedCall(client);
    const retry = client.request(8, 'tools/call', { name: 'ask', requestState: state });
    await client.clock.advance(0);
    expect(retry.received[0].result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { q1: question },
    });
    expect(retry.received[0].result.requestState).not.toBe(state);
  });

  it('gives each open question a key of its own', async () => {
    const client = modernClient();
    const { received } = client.request(7, 'tools/call', { name: 'ask' });
    await client.clock.advance(0);
    const { id } = client.lastCall();
    await client.say({ id: 's1', ...question }, id);
    await client.say({ id: 's2', ...question }, id);
    await client.clock.advance(50);
    const { requestState } = received[0].result;
    const first = { name: 'ask', requestState, inputResponses: { q1: { action: 'accept' } } };
    const second = client.request(8, 'tools/call', first);
    await client.say({ id: 's3', ...question }, id);
    await client.clock.advance(50);
    const retry = { name: 'ask', requestState: second.received[0].result.requestState };
    const third = client.request(9, 'tools/call', retry);
    await client.clock.advance(50);
    expect(Object.keys(third.received[0].result.inputRequests)).toEqual(['q2', 'q3']);
  });

  it('is not asked for what the server has withdrawn at once', async () => {
    const client = modernClient();
    const { received } = client.request(7, 'tools/call', { name: 'ask' });
    await client.clock.advance(0);
    const { id } = client.lastCall();
    await client.say({ id: 's1', ...question }, id);
    await client.say({ method: 'notifications/cancelled', params: { requestId: 's1' } }, id);
    await client.clock.advance(50);
    expect(received).toEqual([]);
    await client.say({ id: 's2', ...question }, id);
    await client.clock.advance(50);
    expect(received).toMatchObject([{ id: 7, result: { resultType: 'input_required' } }]);
  });

  it('answers a question that nobody was asked before its call was over', async () => {
    const client = modernClient();
    client.request(7, 'tools/call', { name: 'ask' });
    await client.clock.advance(0);
    const { id } = client.lastCall();
    await client.say({ id: 's1', ...question }, id);
    await client.say({ id, result: { content: [] } });
    expect(client.inner.at(-1)).toMatchObject({ id: 's1', result: { action: 'cancel' } });
  });

  it.each<[string, (state: string) => Json]>([
    ['a forged state', (state) => ({ name: 'ask', requestState: `${state.slice(0, -2)}xx` })],
    ['a state with other params', (state) => ({ name: 'other', requestState: state })],
    ['a state with other arguments', (state) => ({ name: 'ask', arguments: { a: 1 }, requestState: state })],
    ['a state of a later round', (state) => ({ name: 'ask', requestState: state.replace('.1.', '.2.') })],
    ['a state that is much too long', () => ({ name: 'ask', requestState: 'a.'.repeat(100_000) })],
    ['a state that is no text', () => ({ name: 'ask', requestState: 1 })],
    ['a state that nobody gave', () => ({ name: 'ask', requestState: 'abc' })],
    ['a state of an earlier hub', (state) => ({ name: 'ask', requestState: `AAAAAAAA${state.slice(8)}` })],
  ])('[PB-DUAL-4] refuses %s, and the call is unharmed', async (_case, params) => {
    const client = modernClient();
    const { state, call } = await askedCall(client);
    const { received } = client.request(8, 'tools/call', { inputResponses: { q1: {} }, ...params(state) });
    expect(received).toMatchObject([{ error: { code: -32602 } }]);
    const retry = client.request(9, 'tools/call', {
      name: 'ask',
      requestState: state,
      inputResponses: { q1: { action: 'decline' } },
    });
    await client.say({ id: call.id, result: {} });
    expect(retry.received).toMatchObject([{ id: 9, result: {} }]);
  });

  it('[PB-DUAL-4] refuses a state for another method, and one of another client', async () => {
    const [client, other] = [modernClient(), modernClient()];
    const { state, call } = await askedCall(client);
    await askedCall(other);
    const params = { name: 'ask', requestState: state, inputResponses: { q1: { action: 'accept' } } };
    const elsewhere = client.request(8, 'prompts/get', params);
    const stolen = other.request(8, 'tools/call', params);
    for (const { received } of [elsewhere, stolen])
      expect(received).toMatchObject([{ error: { code: -32602 } }]);
    expect([client, other].flatMap(({ inner }) => inner).filter(({ id }) => id === 's1')).toEqual([]);
    const retry = client.request(9, 'tools/call', params);
    await client.say({ id: call.id, result: {} });
    expect(retry.received).toMatchObject([{ id: 9, result: {} }]);
  });

  it('[PB-DUAL-4] refuses a state again after the answer; nothing runs twice', async () => {
    const client = modernClient();
    const { state, call } = await askedCall(client);
    const params = { name: 'ask', requestState: state, inputResponses: { q1: { action: 'accept' } } };
    client.request(8, 'tools/call', params);
    await client.say({ id: call.id, result: {} });
    const again = client.request(9, 'tools/call', params);
    await client.clock.advance(0);
    expect(again.received).toMatchObject([{ error: { code: -32602 } }]);
    expect(client.inner.filter(({ method }) => method === 'tools/call')).toHaveLength(1);
    expect(client.inner.filter(({ id }) => id === 's1')).toHaveLength(1);
  });

  it('[PB-DUAL-4] says of a state of an earlier hub that the outcome is unknown', async () => {
    const client = modernClient();
    const { state } = await askedCall(client);
    const params = { name: 'ask', requestState: `AAAAAAAA${state.slice(8)}` };
    const { received } = client.request(8, 'tools/call', params);
    expect(received).toMatchObject([{ error: { data: { reason: expect.stringContaining('unknown') } } }]);
  });

  it('[PB-DUAL-4] ends the questions of a server that asks for ever, not its call', async () => {
    const client = modernClient();
    const first = await askedCall(client);
    let { state } = first;
    const { call } = first;
    for (let round = 2; round <= 32; round += 1) {
      const params = { name: 'ask', requestState: state, inputResponses: { [`q${round - 1}`]: {} } };
      const { received } = client.request(round, 'tools/call', params);
      await client.say({ id: `s${round}`, ...question }, call.id);
      await client.clock.advance(50);
      state = received[0].result.requestState;
    }
    const last = { name: 'ask', requestState: state, inputResponses: { q32: {} } };
    const { received } = client.request('last', 'tools/call', last);
    await client.say({ id: 's33', ...question }, call.id);
    expect(client.inner.at(-1)).toMatchObject({ id: 's33', error: { code: -32601 } });
    await client.say({ id: call.id, result: { content: [] } });
    expect(received).toMatchObject([{ id: 'last', result: { content: [] } }]);
  });

  it('takes the first of two retries, and refuses a state that was used', async () => {
    const client = modernClient();
    const { state } = await askedCall(client);
    const params = { name: 'ask', requestState: state, inputResponses: { q1: { action: 'accept' } } };
    client.request(8, 'tools/call', params);
    const second = client.request(9, 'tools/call', params);
    expect(second.received).toMatchObject([{ error: { code: -32602 } }]);
    expect(client.inner.filter(({ id }) => id === 's1')).toHaveLength(1);
  });

  it('refuses a question that the client cannot answer, and says which capability is missing', async () => {
    const client = modernClient();
    const { received } = client.request(1, 'tools/call', { name: 'a' }, envelope({ elicitation: {} }));
    await client.clock.advance(0);
    const { id } = client.lastCall();
    await client.say({ id: 's1', method: 'sampling/createMessage', params: { messages: [] } }, id);
    expect(client.inner.at(-1)).toMatchObject({ id: 's1', error: { code: -32601 } });
    await client.say({ id, error: { code: -32000, message: 'cannot' } });
    expect(received).toMatchObject([
      { error: { code: -32021, data: { requiredCapabilities: { sampling: {} } } } },
    ]);
  });

  it('refuses a question of an unknown method, for which there is no capability to declare', async () => {
    const client = modernClient();
    const { received } = client.request(1, 'tools/call', { name: 'a' });
    await client.clock.advance(0);
    const { id } = client.lastCall();
    await client.say({ id: 's1', method: 'own/question' }, id);
    expect(client.inner.at(-1)).toMatchObject({ id: 's1', error: { code: -32601 } });
    await client.say({ id, error: { code: -32603, message: 'cannot' } });
    expect(received).toMatchObject([{ error: { code: -32603, message: 'cannot' } }]);
  });

  it('refuses a question within a request that may not be answered with one', async () => {
    const client = modernClient();
    const { received } = client.request(7, 'completion/complete');
    await client.clock.advance(0);
    const { id } = client.inner.find(({ method }) => method === 'completion/complete');
    await client.say({ id: 's1', ...question }, id);
    await client.clock.advance(50);
    expect(client.inner.at(-1)).toMatchObject({ id: 's1', error: { code: -32601 } });
    const elicitations = [{ mode: 'url', elicitationId: 'e', url: 'https://a.example/', message: 'm' }];
    await client.say({ id, error: { code: -32042, message: 'visit', data: { elicitations } } });
    expect(received).toMatchObject([{ id: 7, error: { code: -32603, message: 'visit' } }]);
  });

  it('refuses a question that belongs to no call for certain, even if there is only one', async () => {
    const client = modernClient();
    client.request(1, 'tools/call', { name: 'a' });
    await client.clock.advance(0);
    await client.say({ id: 's1', ...question });
    expect(client.inner.at(-1)).toMatchObject({ id: 's1', error: { code: -32601 } });
  });

  it('ends for a client that never comes back: the question first, then the call', async () => {
    const client = modernClient();
    const { call, state } = await askedCall(client);
    await client.clock.advance(10 * 60_000);
    expect(client.inner.at(-1)).toMatchObject({ id: 's1', result: { action: 'cancel' } });
    await client.clock.advance(5_000);
    expect(client.inner.at(-1)).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: call.id },
    });
    const late = client.request(8, 'tools/call', { name: 'ask', requestState: state });
    expect(late.received).toMatchObject([{ error: { code: -32602 } }]);
  });

  it('asks for visits to pages before the call is sent again', async () => {
    let isVisited = false;
    const elicitations = [
      { mode: 'url', elicitationId: 'e', url: 'https://example.com', message: 'Sign in' },
    ];
    const client = modernClient({
      'tools/call': () =>
        isVisited
          ? { result: { content: [] } }
          : { error: { code: -32042, message: 'm', data: { elicitations } } },
    });
    const capabilities = { elicitation: { url: {} } };
    const first = client.request(1, 'tools/call', { name: 'a' }, envelope(capabilities));
    await client.clock.advance(0);
    const { inputRequests, requestState } = first.received[0].result;
    expect(inputRequests.q1.params).toEqual({ mode: 'url', url: 'https://example.com', message: 'Sign in' });
    // The session has to wait for the client although no call is open in it.
    expect(client.translator.isIdle).toBe(false);
    isVisited = true;
    const inputResponses = { q1: { action: 'accept' } };
    const retry = client.request(
      2,
      'tools/call',
      { name: 'a', requestState, inputResponses },
      envelope(capabilities),
    );
    await client.clock.advance(0);
    expect(retry.received).toMatchObject([{ id: 2, result: { content: [], resultType: 'complete' } }]);
  });

  it.each([
    ['asks for visits for ever', 'accept', 33, /too often/],
    ['asks for a visit that is declined', 'decline', 1, /declined/],
    ['asks for a visit that is cancelled', 'cancel', 1, /declined/],
  ])('[PB-DUAL-4] ends the call of a server that %s', async (_case, action, calls, words) => {
    const data = { elicitations: [{ mode: 'url', elicitationId: 'e', url: 'https://a.b', message: 'm' }] };
    const client = modernClient({ 'tools/call': () => ({ error: { code: -32042, message: 'm', data } }) });
    const meta = envelope({ elicitation: { url: {} } });
    let answered = client.request(0, 'tools/call', { name: 'a' }, meta).received;
    await client.clock.advance(0);
    for (let id = 1; answered[0]?.result !== undefined && id < 50; id += 1) {
      const { requestState } = answered[0].result;
      const params = { name: 'a', requestState, inputResponses: { q1: { action } } };
      answered = client.request(id, 'tools/call', params, meta).received;
      await client.clock.advance(0);
    }
    expect(answered).toMatchObject([{ error: { code: -32603, message: expect.stringMatching(words) } }]);
    expect(client.inner.filter(({ method }) => method === 'tools/call')).toHaveLength(calls);
  });

  it('[PB-DUAL-4] parks no more than a thousand calls for visits', async () => {
    const data = { elicitations: [{ mode: 'url', elicitationId: 'e', url: 'https://a.b', message: 'm' }] };
    const client = modernClient({ 'tools/call': () => ({ error: { code: -32042, message: 'm', data } }) });
    const meta = envelope({ elicitation: { url: {} } });
    const ask = (id: number) => client.request(id, 'tools/call', { name: 'a' }, meta).received;
    for (let id = 0; id < 1_000; id += 1) ask(id);
    await client.clock.advance(0);
    const refused = ask(1_000);
    await client.clock.advance(0);
    expect(refused).toMatchObject([{ error: { code: -32603 } }]);
  });

  it('[PB-DUAL-4] gives up the question that has waited longest, and no fresh one, if a thousand wait', async () => {
    const client = modernClient();
    const first = await askedCall(client);
    for (let count = 1; count < 1_000; count += 1) {
      client.request(`${count}`, 'tools/call', { name: 'ask' });
      await client.clock.advance(0);
      await client.say({ id: `more ${count}`, ...question }, client.lastCall().id);
    }
    await client.clock.advance(50);
    const ask = async (id: string) => {
      const { received } = client.request(id, 'tools/call', { name: 'ask' });
      await client.clock.advance(0);
      await client.say({ id, ...question }, client.lastCall().id);
      await client.clock.advance(50);
      return received;
    };
    expect(await ask('too soon')).toEqual([]);
    expect(client.inner.at(-1)).toMatchObject({ id: 'too soon', error: { code: -32601 } });

    await client.clock.advance(60_000);
    expect(await ask('later')).toMatchObject([{ result: { resultType: 'input_required' } }]);
    expect(client.inner.at(-1)).toMatchObject({ id: 's1', result: { action: 'cancel' } });
    await client.clock.advance(5_000);
    const cancelled = { method: 'notifications/cancelled', params: { requestId: first.call.id } };
    expect(client.inner.at(-1)).toMatchObject(cancelled);
    const params = { name: 'ask', requestState: first.state, inputResponses: { q1: { action: 'accept' } } };
    expect(client.request(8, 'tools/call', params).received).toMatchObject([{ error: { code: -32602 } }]);
    expect(client.inner.filter(({ result }) => result?.action === 'cancel')).toHaveLength(1);
  });

  it('[PB-DUAL-4] is not idle while a parked call, whose server is done, waits for its client', async () => {
    const client = modernClient();
    const { call, state } = await askedCall(client);
    await client.say({ id: call.id, result: { content: [] } });
    expect(client.translator.isIdle).toBe(false);
    client.request(8, 'tools/call', { name: 'ask', requestState: state });
    expect(client.translator.isIdle).toBe(true);
  });

  it('[PB-DUAL-4] does not call the state of another client one of an earlier run', async () => {
    const { state } = await askedCall(modernClient());
    const other = modernClient();
    const params = { name: 'ask', requestState: state, inputResponses: { q1: { action: 'accept' } } };
    const [answer] = other.request(8, 'tools/call', params).received;
    expect(answer.error.code).toBe(-32602);
    expect(answer.error.data).toBeUndefined();
    expect(answer.error.message).not.toMatch(/send the request again/i);
  });

  it('keeps a thousand parked calls in less than 20 kB each', async () => {
    const client = modernClient();
    const before = process.memoryUsage().heapUsed;
    for (let count = 0; count < 1_000; count += 1) {
      client.request(count, 'tools/call', { name: 'ask', arguments: { count } });
      await client.clock.advance(0);
      await client.say({ id: `s${count}`, ...question }, client.lastCall().id);
    }
    await client.clock.advance(50);
    expect((process.memoryUsage().heapUsed - before) / 1_000).toBeLessThan(20_000);
    expect(client.translator.isIdle).toBe(false);
  });
});
