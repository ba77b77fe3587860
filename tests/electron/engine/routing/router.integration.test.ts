import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../electron/engine/base/clock.ts';
import { silentLogger } from '../../../../electron/engine/base/logger.ts';
import { chooseProfile } from '../../../../electron/engine/catalogue/client-facts.ts';
import { LiveCatalogue } from '../../../../electron/engine/catalogue/live-catalogue.ts';
import { createView } from '../../../../electron/engine/catalogue/view/view.ts';
import { RpcError } from '../../../../electron/engine/jsonrpc/message.ts';
import { ActiveCalls } from '../../../../electron/engine/routing/active-calls.ts';
import { Router } from '../../../../electron/engine/routing/router.ts';
import { createSupervisor } from '../../../../electron/engine/servers/lifecycle/supervisor.ts';
import type { ServerConfig } from '../../../../electron/engine/servers/server-config.ts';
import { catalogueOf, serverOf } from '../../../helper/catalogue.ts';
import { listOffer } from '../../../helper/list-offer.ts';
import { requestOf, resultOf } from '../../../helper/raw-messages.ts';

type Params = Readonly<Record<string, unknown>>;

const fixture = (name: string) => fileURLToPath(new URL(`../../../fixture/${name}.mjs`, import.meta.url));
const everything = fileURLToPath(
  new URL('../../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url),
);

const order = (key: string, command: string, args: readonly string[]): ServerConfig => ({
  key,
  enabled: true,
  restart: 'never',
  target: { ok: true, value: { kind: 'stdio', command, args, env: {} } },
  fingerprint: key,
});

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

/** Runs real programs under a real supervisor, listed into a real catalogue. */
async function startHub(orders: readonly ServerConfig[]) {
  const supervisor = createSupervisor({
    clock: systemClock,
    logger: silentLogger,
    env: async () => process.env,
    version: '0.0.0',
    instanceId: 'router-test',
  });
  const router = new Router({ calls: new ActiveCalls(), supervisor, clock: systemClock });
  const store = new LiveCatalogue({ clock: systemClock });
  stops.push(async () => {
    router.dispose();
    store.dispose();
    await supervisor.shutdown();
  });
  store.setServers(orders.map(({ key }) => ({ key, enabled: true, disabledTools: new Set<string>() })));
  supervisor.apply(orders);
  const listed = [...supervisor.servers.values()].map(async (server) => {
    const { offer } = await listOffer(await server.connection(20_000));
    store.setListing(server.key, offer);
  });
  await Promise.allSettled(listed);
  const view = createView(store.current, chooseProfile({ programDefault: 'colon' }));
  const call = (
    name: string,
    params: Params = {},
    { signal = new AbortController().signal, onProgress = (_params: Params): void => {} } = {},
  ) =>
    router
      .call({
        sessionId: 'session',
        message: requestOf('tools/call', { name, ...params }),
        view,
        signal,
        onProgress: (notice) => onProgress(notice.params ?? {}),
      })
      .then(resultOf);
  return { supervisor, view, router, call };
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => Promise.reject(new Error('It was answered.')),
    (error: unknown) => (error instanceof RpcError ? error.toObject() : Promise.reject(error)),
  );

describe('real servers behind the router', () => {
  it('[US2.4, FR-005, FR-006] serves one program under two keys as two servers', async () => {
    const hub = await startHub(
      ['fs-home', 'fs work ✓'].map((key) => order(key, process.execPath, [fixture('echo')])),
    );
    expect(hub.view.tools.map(({ name }) => name)).toEqual([
      'fs-home:echo',
      'fs-home:pid',
      'fs work ✓:echo',
      'fs work ✓:pid',
    ]);
    const [one, two] = await Promise.all([hub.call('fs-home:pid'), hub.call('fs work ✓:pid')]);
    expect(one).not.toEqual(two);
  });

  it('[FR-007, FR-008, US3.2] carries arguments, results and errors through unchanged', async () => {
    const hub = await startHub([order('tricky', process.execPath, [fixture('tricky')])]);
    const args = { deep: [{ a: null, b: 1e3 }], text: '\u2028 🚀', name: 'not a name' };
    const received = await hub.call('tricky:received', { arguments: args, _meta: { 'v/k': { x: [] } } });
    expect(received).toEqual({
      content: [
        {
          type: 'text',
          text: JSON.stringify({ name: 'received', arguments: args, _meta: { 'v/k': { x: [] } } }),
        },
      ],
    });
    expect(await hub.call('tricky:extra', { arguments: { a: 1 } })).toEqual({
      content: [{ type: 'hologram', beam: [1, 2, 3], 'x-unknown': null }],
      structuredContent: [{ a: 1 }, 'array'],
      _meta: { 'vendor/key': { deep: true } },
      futureField: 'kept',
    });
    expect(await failure(hub.call('tricky:fail'))).toEqual({
      code: -32603,
      message: 'File not found: /invalid/path.txt',
      data: { errno: -2, code: 'ENOENT' },
    });
  });

  it('[FR-009, SC-007] says what is known when a server dies in a call, and keeps serving the others', async () => {
    const hub = await startHub([
      order('tricky', process.execPath, [fixture('tricky')]),
      order('echo', process.execPath, [fixture('echo')]),
    ]);
    expect(await failure(hub.call('tricky:crash'))).toMatchObject({
      code: -32011,
      data: { code: 'call.outcome_unknown', serverKey: 'tricky' },
    });
    expect(await failure(hub.call('tricky:argv'))).toMatchObject({
      code: -32010,
      data: { code: 'call.server_unavailable', serverKey: 'tricky', fix: expect.any(String) },
    });
    expect(await hub.call('echo:echo', { arguments: { on: true } })).toEqual({
      content: [{ type: 'text', text: '{"on":true}' }],
    });
  });

  it('[US1.6] names a server that never started, with its own reason', async () => {
    const hub = await startHub([order('gone', 'patchbay-no-such-program', [])]);
    const view = createView(
      catalogueOf(serverOf('gone', { tools: ['t'] })),
      chooseProfile({ programDefault: 'colon' }),
    );
    const answer = hub.router.call({
      sessionId: 'session',
      message: requestOf('tools/call', { name: 'gone:t' }),
      view,
      signal: new AbortController().signal,
      onProgress: () => {},
    });
    expect(await failure(answer)).toMatchObject({
      data: { code: 'call.server_unavailable', status: 'error', cause: 'server.command_not_found' },
    });
  });

  it('[PB-PASS-1] lists, reads, completes and hears progress of the reference server', async () => {
    const hub = await startHub([order('every thing', process.execPath, [everything])]);
    const { view, router } = hub;
    const ask = (method: string, params: Params) =>
      router
        .call({
          sessionId: 'session',
          message: requestOf(method, params),
          view,
          signal: new AbortController().signal,
          onProgress: () => {},
        })
        .then(resultOf);
    expect(view.tools.length).toBeGreaterThan(5);
    expect(view.problems).toEqual([]);

    const heard: Params[] = [];
    const tool = view.tools.find(({ name }) => String(name).includes('long-running'));
    await hub.call(
      String(tool?.name),
      { arguments: { duration: 0.2, steps: 2 }, _meta: { progressToken: 'client-token' } },
      { onProgress: (params) => heard.push(params) },
    );
    expect(heard).toMatchObject([
      { progressToken: 'client-token', progress: 1, total: 2 },
      { progressToken: 'client-token', progress: 2, total: 2 },
    ]);

    const uri = String(view.resources[0]?.uri);
    expect(await ask('resources/read', { uri })).toMatchObject({ contents: [{ uri }] });
    const prompt = view.prompts.find(({ arguments: args }) => Array.isArray(args) && args.length > 0);
    const [argument] = (prompt?.arguments ?? []) as readonly { readonly name: string }[];
    const ref = { type: 'ref/prompt', name: prompt?.name };
    const completed = ask('completion/complete', { ref, argument: { name: argument?.name, value: '' } });
    expect(await completed).toMatchObject({ completion: { values: expect.any(Array) } });
  });
});
