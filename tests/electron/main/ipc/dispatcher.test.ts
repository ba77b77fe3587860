import { describe, expect, it } from 'vitest';
import { Limits } from '../../../../electron/engine/config/limits/limits.ts';
import type { Hub } from '../../../../electron/engine/engine.ts';
import { createDispatcher, type Dispatch } from '../../../../electron/main/ipc/dispatcher.ts';
import type { HandlerContext } from '../../../../electron/main/ipc/handler-context.ts';
import { createHandlers } from '../../../../electron/main/ipc/handlers.ts';
import { WatchList } from '../../../../electron/main/ipc/watch-list.ts';
import { defaultSettings } from '../../../../electron/main/port/settings-file.ts';
import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import { ipcRow, shellCalls } from '../../../../shared/ipc/contract.ts';
import type { ImportPreview } from '../../../../shared/model/import/import-session.ts';
import { type OperationName, operations } from '../../../../shared/operations/table.ts';
import { FakeHub, runOf } from '../../../helper/fake-hub.ts';
import { serverView, someProblem } from '../../../helper/views.ts';

interface Bench {
  readonly hub: FakeHub;
  readonly system: string[];
  readonly unexpected: string[];
  readonly dispatch: Dispatch<string>;
}

/** Creates a dispatcher with a fake hub that trusts only the sender `window`; `start` is the start of the hub. */
function startingBench(start?: (hub: FakeHub) => Promise<Hub>, changes: Partial<HandlerContext> = {}) {
  const hub = new FakeHub();
  const run = runOf(hub, start === undefined ? undefined : () => start(hub));
  const system: string[] = [];
  const unexpected: string[] = [];
  const handlers = createHandlers({
    hub: run,
    limits: new Limits(),
    support: async () => 'without a hub',
    settings: () => defaultSettings,
    changeSettings: async (patch) => ({ ...defaultSettings, ...patch }) as typeof defaultSettings,
    watches: new WatchList({ hub: run, push: () => {} }),
    takeOver: async () => void system.push('take over'),
    copyConnection: async (what) => void system.push(`copy ${what}`),
    system: {
      copyText: (text) => void system.push(`text ${text}`),
      readText: async () => 'npx -y kite-mcp',
      openLink: async (url) => void system.push(`link ${url}`),
      openPath: async (path) => void system.push(`path ${path}`),
      chooseFile: async (title) => {
        system.push(`choose ${title}`);
        return '/chosen';
      },
      chooseTarget: async (_title, name) => `/target/${name}`,
      quit: (how) => void system.push(`quit ${how}`),
      stay: () => void system.push('stay'),
      closeWindow: () => void system.push('close'),
    },
    updates: () => {
      throw new Error('no updates here');
    },
    appFolder: process.cwd(),
    onStateSent: () => void system.push('state taken'),
    ...changes,
  });
  const dispatch = createDispatcher<string>({
    handlers,
    hub: () => run.hub,
    isTrusted: (sender) => sender === 'window',
    hubSettled: () => run.settled(),
    beforeAnswer: () => {},
    checkOutput: true,
    onUnexpected: (call) => unexpected.push(call),
  });
  run.start();
  return { run, bench: { hub, system, unexpected, dispatch } };
}

/** Creates the same with a hub that runs. */
async function bench(changes?: Partial<HandlerContext>): Promise<Bench> {
  const { run, bench } = startingBench(undefined, changes);
  await run.settled();
  return bench;
}

describe('a message from the window', () => {
  it('[PB-IPC-1] from another sender is refused before anything runs', async () => {
    const { dispatch, hub, unexpected } = await bench();
    const answer = await dispatch('somebody', 'server.setEnabled', { key: 'a', enabled: true });
    expect(answer).toMatchObject({ ok: false, problem: { code: 'app.invalid_request' } });
    expect(hub.calls).toEqual([]);
    expect(unexpected).toEqual(['server.setEnabled']);
  });

  it.each([
    ['an unknown name', 'server.explode', undefined],
    ['a name of the prototype', 'constructor', undefined],
    ['a name that is no text', { name: 'state.get' }, undefined],
    ['a missing input', 'server.setEnabled', undefined],
    ['a field of the wrong type', 'server.setEnabled', { key: 7, enabled: true }],
    ['a value outside its set', 'app.copyConnection', { what: 'password' }],
    ['a setting outside its range', 'settings.set', { port: 80 }],
    ['an input where none belongs', 'app.quit', { now: true }],
  ])('[PB-IPC-1] with %s is refused with its code', async (_case, name, input) => {
    const { dispatch, hub, system } = await bench();
    expect(await dispatch('window', name, input)).toMatchObject({
      ok: false,
      problem: { code: 'app.invalid_request' },
    });
    expect(hub.calls).toEqual([]);
    expect(system).toEqual([]);
  });

  it('[PB-IPC-1] reaches its handler with only the members of the schema', async () => {
    const { dispatch, hub } = await bench();
    const input = { key: 'a', enabled: false, extra: 'x' };
    expect(await dispatch('window', 'server.setEnabled', input)).toEqual({ ok: true, value: undefined });
    expect(hub.calls).toEqual([['server.setEnabled', { key: 'a', enabled: false }]]);
  });

  it('[PB-IPC-1] that signs in opens the browser, and the window never gets the address', async () => {
    const { dispatch, hub, system } = await bench();
    const address = ({ key }: { readonly key: string }) => ({ url: `https://login.example/${key}` });
    hub.outputs = { 'server.signIn': address, 'server.signInLink': address };
    expect(await dispatch('window', 'app.signIn', { key: 'a' })).toEqual({ ok: true, value: undefined });
    expect(await dispatch('window', 'app.copySignInLink', { key: 'a' })).toEqual({
      ok: true,
      value: undefined,
    });
    await dispatch('window', 'server.signOut', { key: 'a' });
    expect(hub.calls).toEqual([
      ['server.signIn', { key: 'a' }],
      ['server.signInLink', { key: 'a' }],
      ['server.signOut', { key: 'a' }],
    ]);
    expect(system).toEqual(['link https://login.example/a', 'text https://login.example/a']);
  });

  it('[PB-IPC-1] that fails is answered with the unchanged problem', async () => {
    const { dispatch, hub, unexpected } = await bench();
    const unknown = problem('config.unknown_server', 'There is no server a.', 'Review.', { key: 'a' });
    hub.outcome = () => Promise.reject(new ProblemError(unknown));
    expect(await dispatch('window', 'server.restart', { key: 'a' })).toEqual({ ok: false, problem: unknown });
    expect(unexpected).toEqual([]);
  });

  it('[PB-IPC-1] that needs a hub which is starting waits for it, and one that has failed says why', async () => {
    const { dispatch, hub } = startingBench((starting) =>
      new Promise(setImmediate).then(() => starting),
    ).bench;
    expect(await dispatch('window', 'server.restart', { key: 'a' })).toEqual({ ok: true, value: undefined });
    expect(hub.calls).toEqual([['server.restart', { key: 'a' }]]);
    const taken = someProblem('hub.already_running');
    const failing = startingBench(() => Promise.reject(new ProblemError(taken))).bench;
    for (let round = 0; round < 2; round += 1)
      expect(await failing.dispatch('window', 'server.restart', { key: 'a' })).toEqual({
        ok: false,
        problem: taken,
      });
    expect(failing.hub.calls).toEqual([]);
  });

  it('[PB-IPC-1] is not repeated where a hub that runs cannot be reached by an operation', async () => {
    const { dispatch, hub } = await bench();
    const notRunning = new ProblemError(problem('hub.unreachable', 'Patchbay is not running.', 'Start it.'));
    hub.outcome = () => Promise.reject(notRunning);
    expect(await dispatch('window', 'server.restart', { key: 'a' })).toMatchObject({
      ok: false,
      problem: { code: 'hub.unreachable' },
    });
    expect(hub.calls).toHaveLength(1);
  });

  it('[PB-IPC-1] whose handler throws is still answered, and logged', async () => {
    const { dispatch, hub, unexpected } = await bench();
    hub.outcome = () => Promise.reject(new TypeError('broken'));
    expect(await dispatch('window', 'server.restart', { key: 'a' })).toMatchObject({
      ok: false,
      problem: { code: 'internal' },
    });
    expect(unexpected).toEqual(['server.restart']);
  });

  it('[PB-IPC-1] gets no answer that does not match the table', async () => {
    const { dispatch, unexpected } = await bench({ settings: () => ({ ...defaultSettings, port: 1 }) });
    expect(await dispatch('window', 'state.get', undefined)).toMatchObject({ ok: false });
    // The fake hub answers nothing.
    expect(await dispatch('window', 'server.duplicate', { key: 'a' })).toMatchObject({ ok: false });
    expect(unexpected).toEqual(['state.get', 'server.duplicate']);
  });
});

describe('an operation of the hub', () => {
  it.each([
    ['server.undoChange', { undoId: 'u' }],
    ['server.add', { servers: [{ key: 'c', entry: { command: 'x' } }] }],
    ['server.update', { key: 'a', entry: {}, newKey: 'z' }],
    ['server.undoRemove', { undoId: 'u' }],
    ['server.clearLog', { key: 'a' }],
    ['tool.setEnabled', { serverKey: 'a', names: ['t'], enabled: false }],
  ])('[PB-IPC-1] %s does just that', async (name, input) => {
    const { dispatch, hub, system } = await bench();
    expect(await dispatch('window', name, input)).toEqual({ ok: true, value: undefined });
    expect(hub.calls).toEqual([[name, input]]);
    expect(system).toEqual([]);
  });

  it.each([
    ['server.duplicate', { key: 'a' }, { key: 'a-copy' }],
    ['server.remove', { key: 'a' }, { undoId: 'undo-a' }],
    ['server.change', { changes: [{ kind: 'remove', key: 'a' }] }, { undoId: 'undo-change' }],
    ['server.entry', { key: 'a' }, { text: '{}', entry: { command: 'a' } }],
    ['server.saveText', { key: 'a', text: '{"command": "x"}', base: '{}' }, { text: '{"command": "x"}' }],
    ['server.validate', { key: 'a', text: '{}' }, { issues: [] }],
  ])('[PB-IPC-1] %s answers', async (name, input, value) => {
    const { dispatch, hub } = await bench();
    hub.outputs = { [name]: () => value };
    expect(await dispatch('window', name, input)).toEqual({ ok: true, value });
    expect(hub.calls).toEqual([[name, input]]);
  });

  it.each([
    ['backup.make', {}],
    ['backup.restore', { text: '{}', how: 'merge' }],
    ['access.rotate', { id: 'id-1' }],
    ['hub.stop', undefined],
    ['hub.setPort', { port: 7421 }],
    ['server.signIn', { key: 'a' }],
    ['connect.wholeSnippet', { id: 'other', transport: 'http' }],
    ['activity.write', { filter: {}, format: 'csv', file: '/etc/passwd' }],
  ])('[PB-IPC-1] [PB-SAFE-2] %s has no door to the window and is refused as unknown', async (name, input) => {
    const { dispatch, hub, unexpected } = await bench();
    expect(await dispatch('window', name, input)).toMatchObject({
      ok: false,
      problem: { code: 'app.invalid_request', sentence: 'Unknown request.' },
    });
    expect(hub.calls).toEqual([]);
    expect(unexpected).toEqual([name]);
  });

  it('[PB-IPC-1] is a call of the window exactly where it has that door', () => {
    const names = Object.keys(operations) as OperationName[];
    for (const name of names) {
      const doors: readonly string[] = operations[name].doors;
      expect([name, ipcRow(name)]).toEqual([name, doors.includes('window') ? operations[name] : undefined]);
    }
    expect(names.filter((name) => Object.hasOwn(shellCalls, name))).toEqual([]);
  });
});

describe('the handlers', () => {
  it('[PB-IPC-1] exist for every call of the shell and for nothing else', () => {
    const handlers = createHandlers({ hub: runOf(new FakeHub()) } as unknown as HandlerContext);
    expect(Object.keys(handlers).sort()).toEqual(Object.keys(shellCalls).sort());
  });

  it('[PB-IPC-1] send the whole state first and then changes', async () => {
    const { dispatch, hub, system } = await bench();
    hub.serverList = [serverView('a')];
    expect(await dispatch('window', 'state.get', undefined)).toMatchObject({
      ok: true,
      value: { servers: [{ key: 'a' }], settings: { port: 7420 } },
    });
    expect(system).toEqual(['state taken']);
  });

  it('[PB-IPC-1] send a state without a hub, and why it is not running', async () => {
    const taken = someProblem('hub.already_running');
    const { dispatch, system } = startingBench(() => Promise.reject(new ProblemError(taken))).bench;
    expect(await dispatch('window', 'state.get', undefined)).toMatchObject({
      ok: true,
      value: { hub: { problems: [taken] }, servers: [], tools: [], clients: [] },
    });
    expect(await dispatch('window', 'app.quitPlan', undefined)).toEqual({
      ok: true,
      value: { clients: [], calls: [] },
    });
    expect(await dispatch('window', 'support.make', undefined)).toMatchObject({
      value: { text: 'without a hub' },
    });
    expect(system).toEqual(['state taken']);
  });

  it('[PB-IPC-1] read the clipboard and keep nothing of it', async () => {
    const { dispatch, hub } = await bench();
    const preview: ImportPreview = { session: 's', title: '', entries: [], inputs: [], issues: [], apps: [] };
    hub.outputs = { 'import.parse': () => preview };
    expect(await dispatch('window', 'import.clipboard', undefined)).toEqual({ ok: true, value: {} });
    expect(hub.calls).toEqual([
      ['import.parse', { text: 'npx -y kite-mcp' }],
      ['import.close', { session: 's' }],
    ]);
  });

  it('[PB-IPC-1] answer with what is there when something is watched', async () => {
    const { dispatch, hub } = await bench();
    hub.outputs = { 'server.log': () => ({ lines: [] }), 'server.health': () => ({ samples: [] }) };
    expect(await dispatch('window', 'server.watchLog', { key: 'a' })).toEqual({
      ok: true,
      value: { lines: [] },
    });
    expect(await dispatch('window', 'server.watchHealth', { key: 'a' })).toEqual({
      ok: true,
      value: { samples: [] },
    });
    expect(hub.logs.get('a')?.hasListeners).toBe(true);
  });

  it('[PB-IPC-1] answer with the limits that are in force', async () => {
    const limits = new Limits();
    const { dispatch, hub } = await bench({
      limits,
      async changeSettings(patch) {
        limits.choose(patch.limits ?? {});
        return defaultSettings;
      },
    });
    const input = { name: 'retryMaxAttempts', value: 5 };
    expect(await dispatch('window', 'limits.set', input)).toEqual({ ok: true, value: limits.list() });
    expect(limits.current.retryMaxAttempts).toBe(5);
    expect(await dispatch('window', 'limits.set', { ...input, value: -1 })).toMatchObject({
      ok: false,
      problem: { code: 'hub.bad_limit' },
    });
    expect(hub.calls).toEqual([]);
  });

  it.each([
    ['app.copyConnection', { what: 'token' }, 'copy token'],
    ['app.copyText', { text: 'hello' }, 'text hello'],
    ['app.openDataFolder', undefined, 'path /data'],
    ['app.openConfigFile', undefined, 'path /data/mcp.json'],
    ['app.openExternal', { url: 'https://example.org/a b' }, 'link https://example.org/a%20b'],
    ['app.takeOver', undefined, 'take over'],
    ['app.quit', { how: 'drain' }, 'quit drain'],
    ['app.stay', undefined, 'stay'],
    ['app.closeWindow', undefined, 'close'],
  ])('[PB-IPC-1] %s asks the system, and not the hub', async (name, input, done) => {
    const { dispatch, hub, system } = await bench();
    expect(await dispatch('window', name, input)).toEqual({ ok: true, value: undefined });
    expect(system).toEqual([done]);
    expect(hub.calls).toEqual([]);
  });

  it.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'smb://host/share',
    'vscode:x',
    'no link',
    'app://patchbay/x',
  ])('[PB-SAFE-2] app.openExternal refuses %s', async (url) => {
    const { dispatch, system } = await bench();
    expect(await dispatch('window', 'app.openExternal', { url })).toMatchObject({
      ok: false,
      problem: { code: 'app.refused_link' },
    });
    expect(system).toEqual([]);
  });

  it('[PB-IPC-1] never answer with the token', async () => {
    const { dispatch } = await bench();
    const answers = await Promise.all([
      dispatch('window', 'state.get', undefined),
      dispatch('window', 'app.copyConnection', { what: 'http-json' }),
    ]);
    expect(JSON.stringify(answers)).not.toContain('secret-token');
  });
});
