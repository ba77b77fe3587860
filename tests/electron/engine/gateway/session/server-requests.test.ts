import { describe, expect, it } from 'vitest';
import { Emitter } from '../../../../../electron/engine/base/emitter.ts';
import { type Catalogue, emptyListing } from '../../../../../electron/engine/catalogue/contract.ts';
import { RpcError } from '../../../../../electron/engine/jsonrpc/message.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import { until } from '../../../../helper/gateway.ts';
import {
  type Answers,
  createMemoryHub,
  type MemoryServer,
  type Talker,
} from '../../../../helper/memory-hub.ts';

type Params = Readonly<Record<string, unknown>>;

/** A tool whose calls end on command. */
function heldTool() {
  const open: { readonly params: Params; end(): void }[] = [];
  const answers: Answers = {
    'tools/call': (params) =>
      new Promise((resolve) => {
        open.push({ params, end: () => resolve({ content: [], name: params.name }) });
      }),
    'logging/setLevel': () => ({}),
    'resources/subscribe': () => ({}),
    'resources/unsubscribe': () => ({}),
  };
  return { open, answers };
}

const offer = {
  ...emptyListing,
  tools: [{ name: 'work', inputSchema: { type: 'object' } }],
  resources: [{ uri: 'file:///a', name: 'a' }],
};
const capabilities = { tools: {}, logging: {}, resources: { subscribe: true } };

function server(answers: Answers): MemoryServer {
  return { answers, capabilities, offer: { ...offer, capabilities } };
}

/** Creates a connected server `s` whose calls stay open. */
async function hub(options: Parameters<typeof createMemoryHub>[1] = {}) {
  const tool = heldTool();
  const made = createMemoryHub({ s: server(tool.answers) }, options);
  await made.connect('s');
  return { ...made, tool, [Symbol.asyncDispose]: made[Symbol.asyncDispose] };
}

const sample = { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 5 };

/** Starts a call and waits until the server has it. */
async function startCall(client: Talker, tool: ReturnType<typeof heldTool>, count = 1) {
  const answer = client.peer.request('tools/call', { name: 's:work' });
  await until('the call', () => tool.open.length === count);
  return answer;
}

/** Starts a call and cancels it once the server has it. */
async function cancelCall(client: Talker, it: Awaited<ReturnType<typeof hub>>, count = 1) {
  const call = await startCall(client, it.tool, count);
  const before = it.server('s').noticed('notifications/cancelled').length;
  await client.peer.notify('notifications/cancelled', { requestId: call.id });
  await until('the cancellation', () => it.server('s').noticed('notifications/cancelled').length > before);
}

const never = (): Promise<never> => new Promise(() => {});

describe('a server request', () => {
  it('[PB-PASS-1] reaches the client whose call is in progress, and its raw response returns', async () => {
    await using it = await hub();
    const answered = { role: 'assistant', model: 'm', content: { type: 'text', text: 'yes' }, extra: [1] };
    const alice = await it.client({ 'sampling/createMessage': () => answered });
    const bob = await it.client({ 'sampling/createMessage': () => ({ wrong: true }) });
    const call = await startCall(alice, it.tool);
    expect(await it.server('s').ask('sampling/createMessage', { ...sample, odd: 1 })).toEqual(answered);
    it.tool.open[0]?.end();
    await call.result;
    expect(alice.requests).toMatchObject([
      { method: 'sampling/createMessage', params: { ...sample, odd: 1 } },
    ]);
    expect(bob.requests).toEqual([]);
  });

  it.each([
    ['claude-code', {}],
    ['someone', { systemPrompt: null }],
  ])('[NFR-R3] [PB-PASS-1] reaches %s in a form that it takes, as do notifications', async (name, more) => {
    await using it = await hub();
    const client = await it.client({ 'sampling/createMessage': () => ({ model: 'm' }) }, undefined, name);
    const call = client.peer.request('tools/call', { name: 's:work', _meta: { progressToken: 'p' } });
    await until('the call', () => it.tool.open.length === 1);
    const meta = it.tool.open[0]?.params._meta as { progressToken: number };
    await it.server('s').peer.notify('notifications/progress', { ...meta, progress: 1, total: null });
    await it.server('s').ask('sampling/createMessage', { ...sample, systemPrompt: null });
    await until('the progress', () => client.notices.length === 1);
    expect(client.requests.map(({ params }) => params)).toEqual([{ ...sample, ...more }]);
    expect(client.notices.map(({ params }) => params)).toEqual([
      { progressToken: 'p', progress: 1, ...(name === 'someone' ? { total: null } : {}) },
    ]);
    it.tool.open[0]?.end();
    await call.result;
  });

  it('[PB-PASS-1] passes errors of the client on with their code and data', async () => {
    await using it = await hub();
    const alice = await it.client({
      'elicitation/create': () => Promise.reject(Object.assign(new Error('no'), {})),
    });
    await startCall(alice, it.tool);
    const asked = it.server('s').ask('elicitation/create', { message: 'Name?', requestedSchema: {} });
    await expect(asked).rejects.toMatchObject({ code: -32603, message: 'no' });
  });

  it('[PB-ISO-1] is refused while calls of two clients are in progress, and forwarded again when one has ended', async () => {
    await using it = await hub();
    const answers = { 'sampling/createMessage': () => ({ model: 'm' }) };
    const [alice, bob] = [await it.client(answers), await it.client(answers)];
    const first = await startCall(alice, it.tool);
    await startCall(bob, it.tool, 2);
    await expect(it.server('s').ask('sampling/createMessage', sample)).rejects.toMatchObject({
      code: -32013,
      data: { code: 'client.unclear' },
    });
    expect([...alice.requests, ...bob.requests]).toEqual([]);
    it.tool.open[0]?.end();
    await first.result;
    expect(await it.server('s').ask('sampling/createMessage', sample)).toEqual({ model: 'm' });
    expect(bob.requests).toHaveLength(1);
  });

  it('[PB-ISO-1] is refused for a call that has ended if the server names it, whoever else has one', async () => {
    const tool = heldTool();
    await using it = createMemoryHub({ s: { ...server(tool.answers), relates: true } });
    await it.connect('s');
    const answers = { 'sampling/createMessage': () => ({ model: 'm' }) };
    const [alice, bob] = [await it.client(answers), await it.client(answers)];
    const over = await startCall(alice, tool);
    const sentAs = it.server('s').requests.at(-1)?.id;
    tool.open[0]?.end();
    await over.result;
    await startCall(bob, tool, 2);
    const late = it.server('s').ask('sampling/createMessage', { ...sample, relatedTo: sentAs });
    await expect(late).rejects.toMatchObject({ data: { code: 'client.unclear' } });
    expect([...alice.requests, ...bob.requests]).toEqual([]);
  });

  it('[PB-ISO-1] is never forwarded to another client for a cancelled call', async () => {
    await using it = await hub();
    const answers = { 'sampling/createMessage': () => ({ model: 'm' }) };
    const [alice, bob] = [await it.client(answers), await it.client(answers)];
    const call = await startCall(alice, it.tool);
    await alice.peer.notify('notifications/cancelled', { requestId: call.id });
    await until('the cancellation', () => it.server('s').noticed('notifications/cancelled').length === 1);
    await startCall(bob, it.tool, 2);
    const asked = it.server('s').ask('sampling/createMessage', sample);
    const refused = expect(asked).rejects.toMatchObject({ data: { code: 'client.unclear' } });
    await it.server('s').ask('ping');
    // The server has ignored the cancellation, so the cancelled call may be the cause.
    it.tool.open[0]?.end();
    await refused;
    expect(bob.requests).toEqual([]);
    expect(await it.server('s').ask('sampling/createMessage', sample)).toEqual({ model: 'm' });
    expect(bob.requests).toHaveLength(1);
  });

  it('[PB-PASS-1] is passed on some seconds after a cancelled call that the server has dropped in silence', async () => {
    const clock = new FakeClock();
    await using it = await hub({ clock });
    const answers = { 'sampling/createMessage': () => ({ model: 'm' }) };
    const [alice, bob] = [await it.client(answers), await it.client(answers)];
    await cancelCall(alice, it);
    await startCall(bob, it.tool, 2);
    const asked = it.server('s').ask('sampling/createMessage', sample);
    await it.server('s').ask('ping');
    expect(bob.requests).toEqual([]);
    await clock.advance(5_000);
    expect(await asked).toEqual({ model: 'm' });
    expect(alice.requests).toEqual([]);
  });

  it('[PB-ISO-1] [PB-LOAD-1] is refused until the server has read the cancellation of another call, however slow it is', async () => {
    const clock = new FakeClock();
    const held: (() => void)[] = [];
    const tool = heldTool();
    const ping = () => new Promise((resolve) => held.push(() => resolve({})));
    await using it = createMemoryHub({ s: server({ ...tool.answers, ping }) }, { clock });
    await it.connect('s');
    const answers = { 'sampling/createMessage': () => ({ model: 'm' }) };
    const [alice, bob] = [await it.client(answers), await it.client(answers)];
    const call = await startCall(alice, tool);
    await alice.peer.notify('notifications/cancelled', { requestId: call.id });
    await until('the ping', () => held.length === 1);
    await startCall(bob, tool, 2);
    const refused = { data: { code: 'client.unclear' } };
    await expect(it.server('s').ask('sampling/createMessage', sample)).rejects.toMatchObject(refused);
    await clock.advance(30_000);
    await expect(it.server('s').ask('sampling/createMessage', sample)).rejects.toMatchObject(refused);
    expect(bob.requests).toEqual([]);
    held[0]?.();
    await it.server('s').ask('ping');
    await clock.advance(0);
    const asked = it.server('s').ask('sampling/createMessage', sample);
    // Less than the time a call counts at a server that never reads its cancellation.
    for (let second = 0; second < 20 && bob.requests.length === 0; second += 1) await clock.advance(1_000);
    expect(await asked).toEqual({ model: 'm' });
    expect(alice.requests).toEqual([]);
  });

  it('[PB-ISO-1] is refused while a cancelled call may go on at a server that is known to ignore cancellations', async () => {
    const clock = new FakeClock();
    await using it = await hub({ clock });
    const answers = { 'sampling/createMessage': () => ({ model: 'm' }) };
    const [alice, bob] = [await it.client(answers), await it.client(answers)];
    await cancelCall(alice, it);
    await clock.advance(2_000);
    it.tool.open[0]?.end();
    await it.server('s').ask('ping');
    await cancelCall(alice, it, 2);
    await startCall(bob, it.tool, 3);
    await clock.advance(10_000);
    await expect(it.server('s').ask('sampling/createMessage', sample)).rejects.toMatchObject({
      data: { code: 'client.unclear' },
    });
    expect(bob.requests).toEqual([]);
  });

  it('[PB-ISO-1] is refused outside of calls, except where the program has a single client', async () => {
    const answers = { 'sampling/createMessage': () => ({ model: 'm' }) };
    await using many = await hub();
    await many.client(answers);
    await expect(many.server('s').ask('sampling/createMessage', sample)).rejects.toMatchObject({
      code: -32013,
    });
    await using one = await hub({ clients: 'one' });
    await one.client(answers);
    expect(await one.server('s').ask('sampling/createMessage', sample)).toEqual({ model: 'm' });
  });

  it.each([
    [{}, 'sampling/createMessage', sample, -32601],
    [{ sampling: {} }, 'sampling/createMessage', { ...sample, tools: [] }, -32602],
    [{}, 'elicitation/create', { message: '' }, -32601],
    [{ elicitation: {} }, 'elicitation/create', { mode: 'url', url: 'x' }, -32602],
    [{ elicitation: { url: {} } }, 'elicitation/create', { message: '' }, -32602],
    [{}, 'roots/list', {}, -32601],
  ] as const)('[PB-PASS-1] is refused for a client with %j: %s', async (abilities, method, params, code) => {
    await using it = await hub();
    const alice = await it.client({ [method]: never }, abilities);
    await startCall(alice, it.tool);
    await expect(it.server('s').ask(method, params)).rejects.toMatchObject({
      code,
      data: { code: 'client.unable' },
    });
    expect(alice.requests).toEqual([]);
  });

  it('[PB-PASS-1] is cancelled at the client when the server cancels it, and answered when the client leaves', async () => {
    await using it = await hub();
    const alice = await it.client({ 'sampling/createMessage': never });
    await startCall(alice, it.tool);
    const first = it.server('s').peer.request('sampling/createMessage', sample);
    await until('the question', () => alice.requests.length === 1);
    await it.server('s').peer.notify('notifications/cancelled', { requestId: first.id, reason: 'late' });
    await until('the cancellation', () => alice.notices.length === 1);
    expect(alice.noticed('notifications/cancelled')).toEqual([
      { requestId: alice.requests[0]?.id, reason: 'late' },
    ]);
    const second = it.server('s').ask('sampling/createMessage', sample);
    await until('the second question', () => alice.requests.length === 2);
    await alice.peer.close();
    await expect(second).rejects.toMatchObject({ code: -32014, data: { code: 'client.gone' } });
  });

  it('[PB-PASS-1] is cancelled at the client when the server ends', async () => {
    await using it = await hub();
    const alice = await it.client({ 'elicitation/create': never });
    await startCall(alice, it.tool);
    it.server('s').peer.request('elicitation/create', { message: '' });
    await until('the question', () => alice.requests.length === 1);
    await it.crash('s');
    await until('the cancellation', () => alice.noticed('notifications/cancelled').length === 1);
  });

  it('[PB-PASS-1] brings the client’s progress back under the server’s own token', async () => {
    await using it = await hub();
    let finish = () => {};
    const alice = await it.client({
      'sampling/createMessage': () => new Promise((resolve) => (finish = () => resolve({ model: 'm' }))),
    });
    await startCall(alice, it.tool);
    const params = { ...sample, _meta: { progressToken: 'theirs', other: 1 } };
    const asked = it.server('s').ask('sampling/createMessage', params);
    await until('the question', () => alice.requests.length === 1);
    const meta = alice.requests[0]?.params?._meta as Params;
    expect(meta).toEqual({ progressToken: expect.any(Number), other: 1 });
    await alice.peer.notify('notifications/progress', { progressToken: meta.progressToken, progress: 0.5 });
    await until('the progress', () => it.server('s').notices.length === 1);
    expect(it.server('s').noticed('notifications/progress')).toEqual([
      { progressToken: 'theirs', progress: 0.5 },
    ]);
    finish();
    await asked;
    await alice.peer.notify('notifications/progress', { progressToken: meta.progressToken, progress: 1 });
    await alice.ask('ping');
    expect(it.server('s').notices).toHaveLength(1);
  });
});

describe('roots', () => {
  const roots = (name: string) => ({ 'roots/list': () => ({ roots: [{ uri: `file:///${name}` }] }) });

  it('[PB-PASS-1] of the only client are sent outside of calls; with two clients, those of the one that uses the server', async () => {
    await using it = await hub();
    const alice = await it.client(roots('alice'));
    expect(await it.server('s').ask('roots/list')).toEqual({ roots: [{ uri: 'file:///alice' }] });
    await it.client(roots('bob'));
    await expect(it.server('s').ask('roots/list')).rejects.toMatchObject({
      data: { code: 'client.unclear' },
    });
    const call = await startCall(alice, it.tool);
    it.tool.open[0]?.end();
    await call.result;
    expect(await it.server('s').ask('roots/list')).toEqual({ roots: [{ uri: 'file:///alice' }] });
  });

  it('[PB-PASS-1] are requested again when a client that has some connects, or the one they came from leaves', async () => {
    await using it = await hub();
    const changed = () => it.server('s').noticed('notifications/roots/list_changed').length;
    await expect(it.server('s').ask('roots/list')).rejects.toMatchObject({ code: -32013 });
    const plain = await it.client({}, {});
    await plain.ask('ping');
    expect(changed()).toBe(0);
    await plain.peer.close();
    const alice = await it.client(roots('alice'));
    await until('the notice', () => changed() === 1);
    expect(await it.server('s').ask('roots/list')).toEqual({ roots: [{ uri: 'file:///alice' }] });
    await it.client(roots('bob'));
    await alice.peer.close();
    await until('the second notice', () => changed() === 2);
    expect(await it.server('s').ask('roots/list')).toEqual({ roots: [{ uri: 'file:///bob' }] });
  });

  it('[PB-PASS-1] [REQ-MCP-AUTH-001] are not sent to a server before the client has access to it', async () => {
    const granted = new Set<string>();
    const changes = new Emitter<void>();
    const select = (whole: Catalogue): Catalogue => ({
      ...whole,
      servers: whole.servers.filter(({ key }) => granted.has(key)),
    });
    const access = {
      open: () => ({
        identityId: 'alice',
        identify() {},
        select,
        mayUse: (key: string) => granted.has(key),
        explain: () => '',
        onChange: changes.event,
        dispose() {},
      }),
    };
    await using it = createMemoryHub({ s: server(heldTool().answers) }, { access });
    await it.connect('s');
    await it.client(roots('alice'));
    for (const method of ['roots/list', 'sampling/createMessage'])
      await expect(it.server('s').ask(method)).rejects.toMatchObject({
        data: { code: 'client.unclear' },
        message: expect.stringContaining('no connected client has access to this server'),
      });
    granted.add('s');
    changes.fire();
    await until('the notice', () => it.server('s').noticed('notifications/roots/list_changed').length === 1);
    expect(await it.server('s').ask('roots/list')).toEqual({ roots: [{ uri: 'file:///alice' }] });
  });

  it('[PB-PASS-1] that changed are announced to the servers that know them, and to no other', async () => {
    const tools = [heldTool(), heldTool()] as const;
    await using it = createMemoryHub({ s: server(tools[0].answers), t: server(tools[1].answers) });
    await it.connect('s');
    await it.connect('t');
    const alice = await it.client(roots('alice'));
    await it.server('s').ask('roots/list');
    await alice.peer.notify('notifications/roots/list_changed');
    await until('the notice', () => it.server('s').notices.length === 1);
    expect(it.server('s').notices[0]?.method).toBe('notifications/roots/list_changed');
    expect(it.server('t').notices).toEqual([]);
  });
});

describe('log messages', () => {
  it('[PB-PASS-1] reach the sessions that asked for their level; the server is told the most verbose one', async () => {
    await using it = await hub();
    const [alice, bob, carol] = [await it.client(), await it.client(), await it.client()];
    expect(await alice.ask('logging/setLevel', { level: 'error' })).toEqual({});
    expect(await bob.ask('logging/setLevel', { level: 'debug' })).toEqual({});
    expect(it.server('s').requests.map(({ params }) => params)).toEqual([
      { level: 'error' },
      { level: 'debug' },
    ]);
    for (const level of ['debug', 'error']) {
      await it.server('s').peer.notify('notifications/message', { level, logger: 'l', data: { level } });
    }
    await until('the messages', () => bob.notices.length === 2);
    expect(alice.notices.map(({ params }) => params)).toEqual([
      { level: 'error', logger: 'l', data: { level: 'error' } },
    ]);
    expect(carol.notices).toEqual([]);
    await bob.peer.close();
    await until('the level', () => it.server('s').requests.length === 3);
    expect(it.server('s').requests[2]?.params).toEqual({ level: 'error' });
  });

  it('[PB-PASS-1] of a restarted server are as verbose as before', async () => {
    await using it = await hub();
    const alice = await it.client();
    await alice.ask('logging/setLevel', { level: 'notice' });
    await it.crash('s');
    const again = await it.connect('s');
    await until('the level', () => again.requests.length === 1);
    expect(again.requests[0]).toMatchObject({ method: 'logging/setLevel', params: { level: 'notice' } });
  });

  it('[PB-PASS-1] reach the client without a level if only its call is in progress', async () => {
    await using it = await hub();
    const [alice, bob] = [await it.client(), await it.client()];
    await startCall(alice, it.tool);
    await it.server('s').peer.notify('notifications/message', { level: 'debug', data: 1 });
    await until('the message', () => alice.notices.length === 1);
    await startCall(bob, it.tool, 2);
    await it.server('s').peer.notify('notifications/message', { level: 'debug', data: 2 });
    await bob.ask('ping');
    expect([alice.notices.length, bob.notices.length]).toEqual([1, 0]);
  });

  it('[PB-PASS-1] outside of calls reach a client without a level if the program has a single client', async () => {
    await using it = await hub({ clients: 'one' });
    const alice = await it.client();
    await it.server('s').peer.notify('notifications/message', { level: 'debug', data: 1 });
    await it.server('s').peer.notify('notifications/odd', { of: 'its own' });
    await until('the messages', () => alice.notices.length === 2);
  });

  it('[PB-PASS-1] of a level that does not exist cannot be asked for', async () => {
    await using it = await hub();
    const alice = await it.client();
    await expect(alice.ask('logging/setLevel', { level: 'loud' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('debug, info, notice, warning, error, critical, alert, emergency'),
    });
  });

  it.each([
    ['DEBUG', 'debug'],
    ['warn', 'warning'],
    ['WARNING', 'warning'],
    ['trace', 'debug'],
    ['fatal', 'critical'],
  ])('[PB-PASS-1] of the level %s are asked for by its name in MCP', async (asked, level) => {
    await using it = await hub();
    const alice = await it.client();
    expect(await alice.ask('logging/setLevel', { level: asked })).toEqual({});
    expect(it.server('s').requests.map(({ params }) => params)).toEqual([{ level }]);
  });
});

describe('subscriptions', () => {
  const uri = 'file:///a';
  const methods = (talker: Talker) => talker.requests.map(({ method }) => method);

  it('[PB-PASS-1] are made at the server once, delivered to all subscribers, and ended with the last', async () => {
    await using it = await hub();
    const [alice, bob, carol] = [await it.client(), await it.client(), await it.client()];
    expect(it.isInUse('s')).toBe(false);
    await alice.ask('resources/subscribe', { uri });
    await bob.ask('resources/subscribe', { uri });
    expect(it.isInUse('s')).toBe(true);
    expect(methods(it.server('s'))).toEqual(['resources/subscribe']);
    await it.server('s').peer.notify('notifications/resources/updated', { uri, title: 'A' });
    await until('the notices', () => alice.notices.length === 1 && bob.notices.length === 1);
    expect(alice.notices[0]?.params).toEqual({ uri, title: 'A' });
    expect(carol.notices).toEqual([]);
    await alice.ask('resources/unsubscribe', { uri });
    expect(methods(it.server('s'))).toEqual(['resources/subscribe']);
    await it.server('s').peer.notify('notifications/resources/updated', { uri });
    await until('the second notice', () => bob.notices.length === 2);
    expect(alice.notices).toHaveLength(1);
    await bob.peer.close();
    await until('the end', () => methods(it.server('s')).includes('resources/unsubscribe'));
    expect(it.isInUse('s')).toBe(false);
  });

  it('[PB-PASS-1] are made again when the server has been restarted', async () => {
    await using it = await hub();
    const alice = await it.client();
    await alice.ask('resources/subscribe', { uri });
    await it.crash('s');
    const again = await it.connect('s');
    await until('the subscription', () => again.requests.length === 1);
    expect(again.requests[0]).toMatchObject({ method: 'resources/subscribe', params: { uri } });
    await again.peer.notify('notifications/resources/updated', { uri });
    await until('the notice', () => alice.notices.length === 1);
  });

  it("[PB-PASS-1] to the same URI on two servers stay separate, each with the client's own URI", async () => {
    const tools = [heldTool(), heldTool()] as const;
    await using it = createMemoryHub({ s: server(tools[0].answers), t: server(tools[1].answers) });
    await it.connect('s');
    await it.connect('t');
    const alice = await it.client();
    const wrapped = 'patchbay://resource/t/file:///a';
    await alice.ask('resources/subscribe', { uri: wrapped });
    expect(it.server('t').requests[0]?.params).toEqual({ uri });
    await it.server('s').peer.notify('notifications/resources/updated', { uri });
    await it.server('t').peer.notify('notifications/resources/updated', { uri });
    await until('the notice', () => alice.notices.length === 1);
    expect(alice.notices[0]?.params).toEqual({ uri: wrapped });
  });

  it('[PB-PASS-1] include updates of a part of the resource', async () => {
    await using it = await hub();
    const alice = await it.client();
    await alice.ask('resources/subscribe', { uri });
    await it.server('s').peer.notify('notifications/resources/updated', { uri: `${uri}/part` });
    await it.server('s').peer.notify('notifications/resources/updated', { uri: `${uri}b` });
    await until('the notice', () => alice.notices.length === 1);
    await alice.ask('ping');
    expect(alice.noticed('notifications/resources/updated')).toEqual([{ uri: `${uri}/part` }]);
  });
});

describe('elicitation by URL', () => {
  const elicitation = { mode: 'url', elicitationId: 'e1', url: 'https://example.org', message: 'Sign in' };

  it('[PB-PASS-1] reports its completion once, to the client that was asked, and to no other', async () => {
    await using it = await hub();
    const [alice, bob] = [
      await it.client({ 'elicitation/create': () => ({ action: 'accept' }) }),
      await it.client(),
    ];
    await startCall(alice, it.tool);
    await it.server('s').ask('elicitation/create', elicitation);
    for (const elicitationId of ['e2', 'e1', 'e1'])
      await it.server('s').peer.notify('notifications/elicitation/complete', { elicitationId });
    await until('the notice', () => alice.notices.length === 1);
    await bob.ask('ping');
    await alice.ask('ping');
    expect(alice.noticed('notifications/elicitation/complete')).toEqual([{ elicitationId: 'e1' }]);
    expect(bob.notices).toEqual([]);
  });

  it('[PB-PASS-1] [FR-008] required by error -32042 passes unchanged, and its completion is reported', async () => {
    const data = { elicitations: [elicitation], extra: 1 };
    const refuse = () => Promise.reject(new RpcError({ code: -32042, message: 'Sign in first', data }));
    await using it = createMemoryHub({ s: server({ 'tools/call': refuse }) });
    await it.connect('s');
    const [alice, bob] = [await it.client(), await it.client()];
    await expect(alice.ask('tools/call', { name: 's:work' })).rejects.toMatchObject({
      code: -32042,
      message: 'Sign in first',
      data,
    });
    await it.server('s').peer.notify('notifications/elicitation/complete', { elicitationId: 'e1' });
    await until('the notice', () => alice.notices.length === 1);
    expect(bob.notices).toEqual([]);
  });
});
