import { describe, expect, it } from 'vitest';
import { createDispatcher, type Dispatch } from '../../../../electron/main/ipc/dispatcher.ts';
import { createHandlers, type HandlerContext } from '../../../../electron/main/ipc/handlers.ts';
import { WatchList } from '../../../../electron/main/ipc/watch-list.ts';
import { defaultSettings } from '../../../../electron/main/port/settings-file.ts';
import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import { ipcCalls } from '../../../../shared/ipc/contract.ts';
import { FakeEngine } from '../../../helper/fake-engine.ts';
import { hubView, serverView } from '../../../helper/views.ts';

interface Bench {
  readonly engine: FakeEngine;
  readonly system: string[];
  readonly unexpected: string[];
  readonly dispatch: Dispatch<string>;
}

/** Creates a dispatcher with a fake engine that trusts only the sender `window`. */
function bench(changes: Partial<HandlerContext> = {}, hubSettled = async () => false): Bench {
  const engine = new FakeEngine();
  const system: string[] = [];
  const unexpected: string[] = [];
  const handlers = createHandlers({
    engine,
    hub: { view: () => hubView(), settled: async () => {} },
    settings: () => defaultSettings,
    changeSettings: async (patch) => ({ ...defaultSettings, ...patch }) as typeof defaultSettings,
    watches: new WatchList({ engine, push: () => {} }),
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
    onStateTaken: () => void system.push('state taken'),
    ...changes,
  });
  const dispatch = createDispatcher<string>({
    handlers,
    isTrusted: (sender) => sender === 'window',
    hubSettled,
    beforeAnswer: () => {},
    checkOutput: true,
    onUnexpected: (call) => unexpected.push(call),
  });
  return { engine, system, unexpected, dispatch };
}

describe('a message from the window', () => {
  it('[PB-IPC-1] from another sender is refused before anything runs', async () => {
    const { dispatch, engine, unexpected } = bench();
    const answer = await dispatch('somebody', 'server.setEnabled', { key: 'a', enabled: true });
    expect(answer).toMatchObject({ ok: false, problem: { code: 'app.invalid_request' } });
    expect(engine.calls).toEqual([]);
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
    const { dispatch, engine, system } = bench();
    expect(await dispatch('window', name, input)).toMatchObject({
      ok: false,
      problem: { code: 'app.invalid_request' },
    });
    expect(engine.calls).toEqual([]);
    expect(system).toEqual([]);
  });

  it('[PB-IPC-1] reaches its handler with only the members of the schema', async () => {
    const { dispatch, engine } = bench();
    const input = { key: 'a', enabled: false, extra: 'x' };
    expect(await dispatch('window', 'server.setEnabled', input)).toEqual({ ok: true, value: undefined });
    expect(engine.calls).toEqual([['setEnabled', ['a'], false]]);
  });

  it('[PB-IPC-1] that signs in opens the browser, and the window never gets the address', async () => {
    const { dispatch, engine, system } = bench();
    expect(await dispatch('window', 'server.signIn', { key: 'a' })).toEqual({ ok: true, value: undefined });
    expect(await dispatch('window', 'server.copySignInLink', { key: 'a' })).toEqual({
      ok: true,
      value: undefined,
    });
    await dispatch('window', 'server.signOut', { key: 'a' });
    expect(engine.calls).toEqual([
      ['signIn', 'a'],
      ['signOut', 'a'],
    ]);
    expect(system).toEqual(['link https://login.example/a', 'text https://login.example/a']);
  });

  it('[PB-IPC-1] that fails is answered with the unchanged problem', async () => {
    const { dispatch, engine, unexpected } = bench();
    const taken = problem('config.unknown_server', 'There is no server a.', 'Review.', { key: 'a' });
    engine.outcome = () => Promise.reject(new ProblemError(taken));
    expect(await dispatch('window', 'server.restart', { key: 'a' })).toEqual({ ok: false, problem: taken });
    expect(unexpected).toEqual([]);
  });

  it('[PB-IPC-1] that needs a hub which is starting waits for it, and one that has failed says why', async () => {
    const notRunning = new ProblemError(problem('hub.unreachable', 'Patchbay is not running.', 'Start it.'));
    const { dispatch, engine } = bench({}, async () => {
      engine.outcome = () => Promise.resolve();
      return true;
    });
    engine.outcome = () => Promise.reject(notRunning);
    const { dispatch: later, engine: stopped } = bench();
    stopped.outcome = () => Promise.reject(notRunning);
    expect(await dispatch('window', 'server.restart', { key: 'a' })).toEqual({ ok: true, value: undefined });
    expect(await later('window', 'server.restart', { key: 'a' })).toMatchObject({
      ok: false,
      problem: { code: 'hub.unreachable' },
    });
    expect(stopped.calls).toHaveLength(1);
  });

  it('[PB-IPC-1] whose handler throws is still answered, and logged', async () => {
    const { dispatch, engine, unexpected } = bench();
    engine.outcome = () => Promise.reject(new TypeError('broken'));
    expect(await dispatch('window', 'server.restart', { key: 'a' })).toMatchObject({
      ok: false,
      problem: { code: 'internal' },
    });
    expect(unexpected).toEqual(['server.restart']);
  });

  it('[PB-IPC-1] gets no answer that does not match the table', async () => {
    const { dispatch, unexpected } = bench({ settings: () => ({ ...defaultSettings, port: 1 }) });
    expect(await dispatch('window', 'state.get', undefined)).toMatchObject({ ok: false });
    expect(unexpected).toEqual(['state.get']);
  });
});

describe('the handlers', () => {
  it('[PB-IPC-1] exist for every row of the table and for nothing else', () => {
    const handlers = createHandlers({ engine: new FakeEngine() } as unknown as HandlerContext);
    expect(Object.keys(handlers).sort()).toEqual(Object.keys(ipcCalls).sort());
  });

  it('[PB-IPC-1] send the whole state first and then changes', async () => {
    const { dispatch, engine, system } = bench();
    engine.serverList = [serverView('a')];
    expect(await dispatch('window', 'state.get', undefined)).toMatchObject({
      ok: true,
      value: { servers: [{ key: 'a' }], settings: { port: 7420 } },
    });
    expect(system).toEqual(['state taken']);
  });

  it.each([
    ['server.undoChange', { undoId: 'u' }, ['undoChange', 'u']],
    [
      'server.add',
      { servers: [{ key: 'c', entry: { command: 'x' } }] },
      ['add', [{ key: 'c', entry: { command: 'x' } }]],
    ],
    ['server.update', { key: 'a', entry: {}, newKey: 'z' }, ['update', 'a', {}, 'z']],
    ['server.undoRemove', { undoId: 'u' }, ['undoRemove', 'u']],
    ['server.clearLog', { key: 'a' }, ['clearLog', 'a']],
    [
      'tool.setEnabled',
      { serverKey: 'a', names: ['t'], enabled: false },
      ['setToolsEnabled', 'a', ['t'], false],
    ],
  ])('[PB-IPC-1] %s does just that', async (name, input, call) => {
    const { dispatch, engine } = bench();
    engine.serverList = [serverView('a'), serverView('b')];
    expect(await dispatch('window', name, input)).toEqual({ ok: true, value: undefined });
    expect(engine.calls).toEqual([call]);
  });

  it.each([
    ['server.duplicate', { key: 'a' }, { key: 'a-copy' }],
    ['server.remove', { key: 'a' }, { undoId: 'undo-a' }],
    ['server.change', { changes: [{ kind: 'remove', key: 'a' }] }, { undoId: 'undo-change' }],
    ['server.entry', { key: 'a' }, { text: '{}', entry: { command: 'a' } }],
    ['server.saveText', { key: 'a', text: '{"command": "x"}', base: '{}' }, { text: '{"command": "x"}' }],
    ['server.validate', { key: 'a', text: '{}' }, { issues: [] }],
    ['import.clipboard', undefined, {}],
    ['server.watchLog', { key: 'a' }, { lines: [] }],
  ])('[PB-IPC-1] %s answers', async (name, input, value) => {
    expect(await bench().dispatch('window', name, input)).toEqual({ ok: true, value });
  });

  it.each([
    ['app.copyConnection', { what: 'token' }, 'copy token'],
    ['app.copyText', { text: 'hello' }, 'text hello'],
    ['app.openDataFolder', undefined, 'path /data'],
    ['app.openConfigFile', undefined, 'path /data/mcp.json'],
    ['app.openExternal', { url: 'https://example.org/a b' }, 'link https://example.org/a%20b'],
    ['app.quit', { how: 'drain' }, 'quit drain'],
    ['app.stay', undefined, 'stay'],
    ['app.closeWindow', undefined, 'close'],
  ])('[PB-IPC-1] %s asks the system', async (name, input, done) => {
    const { dispatch, system } = bench();
    expect(await dispatch('window', name, input)).toEqual({ ok: true, value: undefined });
    expect(system).toEqual([done]);
  });

  it.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'smb://host/share',
    'vscode:x',
    'no link',
    'app://patchbay/x',
  ])('[PB-SAFE-2] app.openExternal refuses %s', async (url) => {
    const { dispatch, system } = bench();
    expect(await dispatch('window', 'app.openExternal', { url })).toMatchObject({
      ok: false,
      problem: { code: 'app.refused_link' },
    });
    expect(system).toEqual([]);
  });

  it('[PB-IPC-1] never answer with the token', async () => {
    const { dispatch } = bench();
    const answers = await Promise.all([
      dispatch('window', 'state.get', undefined),
      dispatch('window', 'app.copyConnection', { what: 'http-json' }),
    ]);
    expect(JSON.stringify(answers)).not.toContain('secret-token');
  });
});
