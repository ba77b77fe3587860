import { describe, expect, it } from 'vitest';
import type { InstanceIdentity } from '../../../../../electron/engine/servers/lifecycle/instances/instances.ts';
import { isolatedOrder } from '../../../../helper/fake-instances.ts';
import { until } from '../../../../helper/gateway.ts';
import {
  type Answers,
  allAbilities,
  createMemoryHub,
  type MemoryServer,
  type Talker,
} from '../../../../helper/memory-hub.ts';

type Params = Readonly<Record<string, unknown>>;

const related = 'io.modelcontextprotocol/related-task';
const capabilities = { tools: {}, logging: {}, resources: { subscribe: true }, tasks: {} };
const offer = {
  capabilities,
  tools: [{ name: 'count', inputSchema: { type: 'object' } }],
  resources: [{ uri: 'file:///a', name: 'a' }],
};
const sample = { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 5 };

/** A stateful server; a call with `hold` waits for its release. */
function counter() {
  let count = 0;
  const held: (() => void)[] = [];
  const tools = [...offer.tools];
  const answers: Answers = {
    'tools/call': async ({ arguments: given, task }) => {
      count += 1;
      if ((given as Params | undefined)?.hold === true)
        await new Promise<void>((resolve) => held.push(resolve));
      return task === undefined ? { content: [], count } : { task: { taskId: '1', status: 'working' } };
    },
    'tools/list': () => ({ tools }),
    'resources/list': () => ({ resources: offer.resources }),
    'tasks/get': ({ taskId }) => ({ taskId, status: 'working' }),
    'logging/setLevel': () => ({}),
    'resources/subscribe': () => ({}),
    'resources/unsubscribe': () => ({}),
  };
  const server: MemoryServer = { answers, capabilities, offer };
  return { server, held, tools };
}

/** A hub with `own`, of which every session has an instance, and `own2`, a second such server. */
async function hub() {
  const counters = new Map<string, ReturnType<typeof counter>>();
  const open = ({ id }: InstanceIdentity) => {
    const made = counter();
    counters.set(id, made);
    return made.server;
  };
  const made = createMemoryHub(
    { own: counter().server, own2: counter().server },
    { isolated: { own: open, own2: open } },
  );
  await made.connect('own');
  /** Returns the nth instance created. */
  const nth = (index: number): Talker => made.server(made.made[index]?.identity.id ?? '');
  const heldAt = (index: number) => counters.get(made.made[index]?.identity.id ?? '')?.held ?? [];
  /** Adds a tool to it. */
  const grow = (index: number, name: string) =>
    counters.get(made.made[index]?.identity.id ?? '')?.tools.push({ name, inputSchema: { type: 'object' } });
  return { ...made, nth, heldAt, grow, [Symbol.asyncDispose]: made[Symbol.asyncDispose] };
}

/** Returns the id of the first call. */
function tokenOf({ requests }: Talker): unknown {
  const meta = requests.find(({ method }) => method === 'tools/call')?.params?._meta;
  return typeof meta === 'object' && meta !== null ? Reflect.get(meta, 'progressToken') : undefined;
}

const count = (client: Talker, more: Params = {}) => client.ask('tools/call', { name: 'own:count', ...more });

describe('a server with an instance for each session', () => {
  it('[PB-ISO-1] has a state for each, and the one behind the lists is never called', async () => {
    await using it = await hub();
    const [alice, bob] = [await it.client(), await it.client()];
    expect(await count(alice)).toMatchObject({ count: 1 });
    expect(await count(alice)).toMatchObject({ count: 2 });
    expect(await count(bob)).toMatchObject({ count: 1 });
    expect(it.server('own').requests).toEqual([]);
    await alice.peer.close();
    await until('the end', () => it.made[0]?.told.at(-1) === 'end');
    expect(await count(bob)).toMatchObject({ count: 2 });
    const again = await it.client();
    expect(await count(again)).toMatchObject({ count: 1 });
  });

  it('[PB-PASS-1] gets the initialize params of its client unchanged', async () => {
    await using it = await hub();
    const client = await it.client({}, { sampling: { odd: 1 }, experimental: { x: {} } });
    await count(client);
    expect(it.made[0]?.identity.initializeParams()).toEqual({
      protocolVersion: '2025-11-25',
      capabilities: { sampling: { odd: 1 }, experimental: { x: {} } },
      clientInfo: { name: 'test', version: '1' },
    });
  });

  it('[PB-ISO-1] [PB-PASS-1] asks its own client, in calls and outside, whoever else has calls in progress', async () => {
    await using it = await hub();
    const answers = (name: string): Answers => ({
      'sampling/createMessage': () => ({ model: name }),
      'elicitation/create': () => ({ action: 'accept', by: name }),
      'roots/list': () => ({ roots: [{ uri: `file:///${name}` }] }),
      'odd/request': () => ({ by: name }),
    });
    const [alice, bob] = [await it.client(answers('alice')), await it.client(answers('bob'))];
    await count(alice);
    await count(bob);
    const call = alice.peer.request('tools/call', { name: 'own:count', arguments: { hold: true } });
    await until('the call', () => it.heldAt(0).length === 1);
    expect(await it.nth(1).ask('sampling/createMessage', sample)).toEqual({ model: 'bob' });
    expect(await it.nth(0).ask('elicitation/create', { message: '' })).toMatchObject({ by: 'alice' });
    expect(await it.nth(1).ask('roots/list')).toEqual({ roots: [{ uri: 'file:///bob' }] });
    expect(await it.nth(0).ask('odd/request')).toEqual({ by: 'alice' });
    it.heldAt(0)[0]?.();
    await call.result;
  });

  it('[PB-ISO-1] asks nobody once its client has disconnected; the instance behind the lists never asks', async () => {
    await using it = await hub();
    const alice = await it.client({ 'roots/list': () => ({ roots: [] }) });
    await expect(it.server('own').ask('roots/list')).rejects.toMatchObject({
      data: { code: 'client.unclear' },
    });
    expect(it.server('own').notices).toEqual([]);
    await count(alice);
    const leaving = it.nth(0);
    await alice.peer.close();
    await expect(leaving.ask('roots/list')).rejects.toThrow();
  });

  it('[PB-ISO-1] [PB-PASS-1] reaches only its own client with log messages, updates, elicitations and unknown notifications', async () => {
    await using it = await hub();
    const [alice, bob] = [await it.client(), await it.client()];
    await bob.ask('logging/setLevel', { level: 'debug' });
    await count(alice);
    await count(bob);
    const said = [
      ['notifications/message', { level: 'debug', data: 'alice' }],
      ['notifications/resources/updated', { uri: 'file:///a' }],
      ['notifications/elicitation/complete', { elicitationId: 'e' }],
      ['notifications/odd', { to: 'alice' }],
    ] as const;
    for (const [method, params] of said) await it.nth(0).peer.notify(method, params);
    await it.server('own').peer.notify('notifications/message', { level: 'error', data: 'nobody' });
    await until('the notices', () => alice.notices.length === said.length);
    expect(alice.notices.map(({ method, params }) => [method, params])).toEqual(said);
    await bob.ask('ping');
    expect(bob.notices).toEqual([]);
  });

  it('[PB-PASS-1] gets the level, the subscriptions and new roots of its client, also after a restart', async () => {
    await using it = await hub();
    const [alice, bob] = [await it.client(), await it.client()];
    await bob.ask('logging/setLevel', { level: 'error' });
    await alice.ask('logging/setLevel', { level: 'info' });
    await count(alice);
    await count(bob);
    const ids = it.made.map(({ identity }) => identity.id);
    const inUse = () => ids.map((id) => it.isInUse(id));
    expect(inUse()).toEqual([false, false]);
    await alice.ask('resources/subscribe', { uri: 'file:///a' });
    expect(inUse()).toEqual([true, false]);
    expect(it.isInUse('own')).toBe(false);
    await alice.peer.notify('notifications/roots/list_changed');
    await until('the notice', () => it.nth(0).notices.length === 1);
    const told = (talker: Talker) =>
      talker.requests
        .filter(({ method }) => method !== 'tools/call' && method !== 'ping')
        .map(({ params }) => params);
    expect(told(it.nth(0))).toEqual([{ level: 'info' }, { uri: 'file:///a' }]);
    expect(told(it.nth(1))).toEqual([{ level: 'error' }]);
    expect(it.nth(1).notices).toEqual([]);
    const [instance] = it.made;
    if (instance === undefined) throw new Error('No instance was made');
    const again = await it.restartInstance(instance);
    await until('the words', () => told(again).length === 2);
    expect(told(again)).toEqual([{ level: 'info' }, { uri: 'file:///a' }]);
    await alice.ask('resources/unsubscribe', { uri: 'file:///a' });
    expect(again.requests.at(-1)?.method).toBe('resources/unsubscribe');
    expect(inUse()).toEqual([false, false]);
    expect(it.server('own').requests).toEqual([]);
  });

  it('[PB-ISO-1] takes progress, cancellations and tasks of its own client, whatever ids others have', async () => {
    await using it = await hub();
    const [alice, bob] = [await it.client(), await it.client()];
    const hold = { arguments: { hold: true }, _meta: { progressToken: 1 }, name: 'own:count' };
    const calls = [alice, bob].map((client) => client.peer.request('tools/call', hold));
    await until('the calls', () => it.heldAt(0).length + it.heldAt(1).length === 2);
    const tokens = [0, 1].map((index) => tokenOf(it.nth(index)));
    // Each server uses the other's token, which is not its own.
    await it.nth(0).peer.notify('notifications/progress', { progressToken: tokens[1], progress: 1 });
    await it.nth(1).peer.notify('notifications/progress', { progressToken: tokens[1], progress: 2 });
    await until('the progress', () => bob.notices.length === 1);
    expect(bob.notices[0]?.params).toEqual({ progressToken: 1, progress: 2 });
    expect(alice.notices).toEqual([]);
    await alice.peer.notify('notifications/cancelled', { requestId: calls[0]?.id });
    await until('the cancellation', () => it.nth(0).noticed('notifications/cancelled').length === 1);
    expect(it.nth(1).noticed('notifications/cancelled')).toEqual([]);
    it.heldAt(1)[0]?.();
    expect(await calls[1]?.result).toMatchObject({ count: 1 });
    expect(await count(alice, { task: {} })).toMatchObject({ task: { taskId: '1' } });
    expect(await count(bob, { task: {} })).toMatchObject({ task: { taskId: '1' } });
    expect(it.made.map(({ identity }) => it.isInUse(identity.id))).toEqual([true, true]);
    expect(it.isInUse('own')).toBe(false);
    await it.nth(1).peer.notify('notifications/tasks/status', { taskId: '1', status: 'completed' });
    await until('the status', () => bob.notices.length === 2);
    expect(alice.notices).toEqual([]);
  });

  it('[PB-PASS-1] gets other task ids if its client already has the same id from another server', async () => {
    await using it = await hub();
    const alice = await it.client({ 'sampling/createMessage': () => ({ model: 'm' }) });
    await count(alice, { task: {} });
    const other = await alice.ask('tools/call', { name: 'own2:count', task: {} });
    expect(other).toMatchObject({ task: { taskId: 'own2/1' } });
    await it.nth(1).ask('sampling/createMessage', { ...sample, _meta: { [related]: { taskId: '1' } } });
    expect(alice.requests[0]?.params?._meta).toEqual({ [related]: { taskId: 'own2/1' } });
    await it.nth(1).peer.notify('notifications/tasks/status', { taskId: '1', status: 'working' });
    await it.nth(0).peer.notify('notifications/tasks/status', { taskId: '1', status: 'working' });
    await until('the notices', () => alice.notices.length === 2);
    expect(alice.notices.map(({ params }) => params?.taskId)).toEqual(['own2/1', '1']);
  });

  it('[PB-PASS-1] [PB-ISO-1] makes tasks at its client, which no other server knows of', async () => {
    await using it = await hub();
    const running = (taskId: unknown) => ({ taskId, status: 'working' });
    let made = 0;
    const alice = await it.client({
      'sampling/createMessage': () => ({ task: running(`c${++made}`) }),
      'tasks/get': ({ taskId }) => running(taskId),
      'tasks/cancel': ({ taskId }) => ({ taskId, status: 'cancelled' }),
      'tasks/result': () => ({ model: 'm' }),
      'tasks/list': () => ({ tasks: [running('c1'), running('c2')], extra: 1 }),
    });
    await count(alice);
    await alice.ask('tools/call', { name: 'own2:count' });
    const [one, other] = [it.nth(0), it.nth(1)];
    const ask = (server: Talker, more: Params = {}) =>
      server.ask('sampling/createMessage', { ...sample, task: { ttl: 1 }, ...more });
    expect(await ask(one, { _meta: { progressToken: 'p' } })).toEqual({ task: running('c1') });
    expect(await ask(other)).toEqual({ task: running('c2') });
    expect(alice.requests[0]?.params).toMatchObject({ task: { ttl: 1 } });
    expect(await one.ask('tasks/get', { taskId: 'c1' })).toEqual(running('c1'));
    expect(await one.ask('tasks/list')).toEqual({ tasks: [running('c1')], extra: 1 });
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
      await expect(other.ask(method, { taskId: 'c1' })).rejects.toMatchObject({ code: -32602 });
    const progressToken = Object(alice.requests[0]?.params?._meta).progressToken;
    await alice.peer.notify('notifications/progress', { progressToken, progress: 1 });
    await alice.peer.notify('notifications/tasks/status', { taskId: 'c1', status: 'completed' });
    await alice.peer.notify('notifications/progress', { progressToken, progress: 2 });
    await until('the status', () => one.notices.length === 2);
    expect(one.notices.map(({ params }) => params)).toEqual([
      { progressToken: 'p', progress: 1 },
      { taskId: 'c1', status: 'completed' },
    ]);
    expect(await one.ask('tasks/result', { taskId: 'c1' })).toEqual({ model: 'm' });
    expect(other.notices).toEqual([]);
    const [instance] = it.made;
    if (instance === undefined) throw new Error('No instance was made');
    const again = await it.restartInstance(instance);
    await expect(again.ask('tasks/get', { taskId: 'c1' })).rejects.toMatchObject({ code: -32602 });
  });

  it('[PB-ISO-1] is one for each session with that one server alone', async () => {
    await using it = await hub();
    const direct = await it.direct('own', { 'sampling/createMessage': () => ({ model: 'direct' }) });
    await it.greet(direct, allAbilities);
    const other = await it.direct('own');
    await it.greet(other, {});
    expect(it.made).toHaveLength(0);
    expect(await direct.ask('tools/call', { name: 'count' })).toMatchObject({ count: 1 });
    expect(await other.ask('tools/call', { name: 'count' })).toMatchObject({ count: 1 });
    expect(await it.nth(0).ask('sampling/createMessage', sample)).toEqual({ model: 'direct' });
    await expect(it.nth(1).ask('sampling/createMessage', sample)).rejects.toMatchObject({ code: -32601 });
  });

  it('[PB-ISO-1] [PB-PASS-1] with a changed listing is listed that way for its own session, until it restarts', async () => {
    await using it = await hub();
    const [alice, bob] = [await it.client(), await it.client()];
    const names = async (client: Talker) => {
      const { tools } = (await client.ask('tools/list')) as { tools: readonly { name: string }[] };
      return tools.map(({ name }) => name);
    };
    const before = ['own:count', 'own2:count'];
    expect([await names(alice), await names(bob)]).toEqual([before, before]);
    await count(alice);
    it.grow(0, 'extra');
    await it.nth(0).peer.notify('notifications/tools/list_changed');
    await until('the notice', () => alice.noticed('notifications/tools/list_changed').length === 1);
    expect(await names(alice)).toEqual(['own:count', 'own:extra', 'own2:count']);
    expect(await alice.ask('tools/call', { name: 'own:extra' })).toMatchObject({ count: 2 });
    await expect(bob.ask('tools/call', { name: 'own:extra' })).rejects.toMatchObject({ code: -32601 });
    expect([await names(bob), bob.notices]).toEqual([before, []]);
    const [instance] = it.made;
    if (instance === undefined) throw new Error('No instance was made');
    await it.restartInstance(instance);
    await until('the notice', () => alice.noticed('notifications/tools/list_changed').length === 2);
    expect(await names(alice)).toEqual(before);
  });

  it('[PB-PASS-1] that announces a change but lists the same causes no notification', async () => {
    await using it = await hub();
    const alice = await it.client();
    await alice.ask('tools/list');
    await count(alice);
    const lists = () => it.nth(0).requests.filter(({ method }) => method === 'tools/list').length;
    for (let storm = 0; storm < 1_000; storm++)
      await it.nth(0).peer.notify('notifications/tools/list_changed');
    await until('the listing', () => lists() > 0);
    await count(alice);
    await alice.ask('tools/list');
    expect(lists()).toBeLessThan(1_000);
    expect(alice.notices).toEqual([]);
  });

  it('answers a call that cannot get an instance with the limit', async () => {
    await using it = await hub();
    it.instances.apply([isolatedOrder('own', { maxInstances: 1 })]);
    const [alice, bob] = [await it.client(), await it.client()];
    await count(alice);
    await expect(count(bob)).rejects.toMatchObject({
      code: -32010,
      data: { code: 'server.too_many_instances' },
    });
  });
});
