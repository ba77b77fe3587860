import { describe, expect, it, vi } from 'vitest';
import { findCommands } from '../../../renderer/app/palette/palette-commands.ts';
import { copyConnection, copyText, saveSettings } from '../../../renderer/command/app/app-actions.ts';
import { navigate, openServer, openView } from '../../../renderer/command/navigate.ts';
import { runPushedCommand } from '../../../renderer/command/run-pushed-command.ts';
import { isolateServer } from '../../../renderer/command/server/isolate-server.ts';
import {
  duplicateServer,
  removeServer,
  setServerEnabled,
  signInServer,
  signOutServer,
} from '../../../renderer/command/server/server-actions.ts';
import { setToolsEnabled } from '../../../renderer/command/tool/tool-actions.ts';
import { runUndo } from '../../../renderer/command/undo-actions.ts';
import type { IpcAnswer } from '../../../shared/ipc/contract.ts';
import type { ServerView } from '../../../shared/model/server/server.ts';
import { aServer, aTool } from '../helper/sample-views.ts';
import { type Answers, refused, type TestModel, testModel } from '../helper/test-model.ts';

function withServers(made: TestModel): TestModel {
  const byKey = { a: aServer('a'), b: aServer('b') };
  made.model.mirrors.servers.setState({ byKey, order: ['a', 'b'] });
  return made;
}

const wish = (made: TestModel, key: string) => made.model.pendingServerSwitches.getState().byId[key]?.enabled;

describe('switching servers', () => {
  it('shows the change at once, and reverts it with the reason if it is refused', async () => {
    const made = withServers(testModel({ 'server.setEnabled': () => refused }));
    const done = setServerEnabled(made.model, 'a', false);
    expect(wish(made, 'a')).toBe(false);
    await done;
    expect(wish(made, 'a')).toBeUndefined();
    expect(made.notifier.noted).toEqual(['problem: config.unwritable']);
  });

  it('lets the last change win, even if an older call fails after it', async () => {
    const answers: ((answer: IpcAnswer<'server.setEnabled'>) => void)[] = [];
    const made = withServers(
      testModel({ 'server.setEnabled': () => new Promise((resolve) => answers.push(resolve)) }),
    );
    const first = setServerEnabled(made.model, 'a', false);
    const second = setServerEnabled(made.model, 'a', true);
    await Promise.resolve();
    answers[0]?.(refused);
    await first;
    expect(wish(made, 'a')).toBe(true);
    answers[1]?.({ ok: true, value: undefined });
    await second;
    expect(wish(made, 'a')).toBeUndefined();
  });

  it('asks before all are turned off, then does it in one step that can be undone', async () => {
    const made = withServers(testModel({ 'server.change': () => ({ ok: true, value: { undoId: 'u' } }) }));
    runPushedCommand(made.model, { kind: 'turn-all-servers', enabled: false });
    expect(made.model.view.getState().question).toBeUndefined();
    made.model.linkState.setState({ state: { kind: 'ready' } });
    expect(made.link.calls).toEqual([]);
    const { question } = made.model.view.getState();
    expect(question).toMatchObject({ title: 'Turn off 2 servers?', yes: 'Turn off 2 servers' });
    expect(question?.parts.map(({ name }) => name)).toEqual(['a', 'b']);
    question?.onYes();
    expect([wish(made, 'a'), wish(made, 'b')]).toEqual([false, false]);
    await vi.waitFor(() => expect(made.notifier.noted).toEqual(['undoable: 2 servers turned off.']));
    runUndo(made.model);
    await vi.waitFor(() => expect(made.notifier.noted.at(-1)).toBe('done: 2 servers restored.'));
    expect(made.link.calls.map(({ name }) => name)).toEqual(['server.change', 'server.undoChange']);
  });
});

describe('switching tools', () => {
  it('makes one call per server, and rolls back only the one that fails', async () => {
    const made = testModel({
      'tool.setEnabled': ({ serverKey }) => (serverKey === 'a' ? refused : { ok: true, value: undefined }),
    });
    await setToolsEnabled(made.model, [aTool('a', '1'), aTool('a', '2'), aTool('b', '1')], false);
    expect(made.link.calls.map((call) => call.input)).toEqual([
      { serverKey: 'a', names: ['1', '2'], enabled: false },
      { serverKey: 'b', names: ['1'], enabled: false },
    ]);
    expect(Object.keys(made.model.pendingToolSwitches.getState().byId)).toEqual(['b:1']);
  });
});

describe('removing a server', () => {
  const answers: Answers = { 'server.remove': () => ({ ok: true, value: { undoId: 'u1' } }) };

  it('closes its page, offers undo, and undoes once', async () => {
    const made = withServers(testModel(answers));
    openServer(made.model, 'a');
    await removeServer(made.model, 'a');
    expect(made.model.view.getState().place.serverKey).toBeUndefined();
    expect(made.notifier.noted).toEqual(['undoable: a was removed.']);
    runUndo(made.model);
    runUndo(made.model);
    await vi.waitFor(() => expect(made.notifier.noted.at(-1)).toBe('done: a is back.'));
    expect(made.link.calls.filter((call) => call.name === 'server.undoRemove')).toHaveLength(1);
    expect(made.notifier.undos.size).toBe(0);
  });

  it('leaves everything in place when it is refused', async () => {
    const made = withServers(testModel({ 'server.remove': () => refused }));
    openServer(made.model, 'a');
    await removeServer(made.model, 'a');
    expect(made.model.view.getState().place.serverKey).toBe('a');
    expect(made.notifier.noted).toEqual(['problem: config.unwritable']);
  });
});

describe('[NFR-SEC3] signing in', () => {
  const signedIn = (made: TestModel) => {
    const byKey = { a: aServer('a', { auth: { signedIn: true, pending: false } }) };
    made.model.mirrors.servers.setState({ byKey, order: ['a'] });
    return made;
  };

  it('opens the browser and says so; the view shows the progress', async () => {
    const made = withServers(testModel());
    await signInServer(made.model, 'a');
    expect(made.link.calls).toEqual([{ name: 'app.signIn', input: { key: 'a' } }]);
    expect(made.model.announcer.getState().message).toBe('Opening the browser to sign in to a');
    expect(made.notifier.noted).toEqual([]);
  });

  it('tells why it could not begin', async () => {
    const made = withServers(testModel({ 'app.signIn': () => refused }));
    await signInServer(made.model, 'a');
    expect(made.notifier.noted).toEqual(['problem: config.unwritable']);
  });

  it('confirms a sign-out, but not the end of a sign-in that was only begun', async () => {
    const made = signedIn(testModel());
    await signOutServer(made.model, 'a');
    expect(made.notifier.noted).toEqual(['done: You are signed out of a.']);
    const begun = withServers(testModel());
    await signOutServer(begun.model, 'a');
    expect(begun.link.calls).toEqual([{ name: 'server.signOut', input: { key: 'a' } }]);
    expect(begun.notifier.noted).toEqual([]);
  });

  it('is a palette command if a server offers a sign-in', () => {
    const made = signedIn(testModel());
    const titles = (query: string) => findCommands(made.model, query).map(({ title }) => title);
    expect(titles('sign')).toEqual(expect.arrayContaining(['a: sign in again', 'a: sign out']));
    withServers(made);
    expect(titles('sign in')).not.toContain('a: sign in');
  });
});

describe('[PB-DEMAND-1] what makes sense for a server now', () => {
  const put = (made: TestModel, server: ServerView) => {
    made.model.mirrors.servers.setState({ byKey: { a: server }, order: ['a'] });
    openServer(made.model, 'a');
    return made;
  };
  const titles = (made: TestModel, query: string) =>
    findCommands(made.model, query).map(({ title }) => title);

  it('is in the palette for each server', () => {
    const made = put(testModel(), aServer('a'));
    expect(titles(made, 'a:')).toEqual(
      expect.arrayContaining([
        'a: restart',
        'a: sleep now',
        'a: check health',
        'a: where does this run from',
      ]),
    );
    put(made, aServer('a', { status: 'disconnected', asleep: { since: 0 }, transport: 'http' }));
    expect(titles(made, 'a:')).toEqual([
      'a: turn off',
      'a: wake',
      'a: try tools',
      'a: show log',
      'a: edit config',
      'a: show tools',
      'a: duplicate',
      'a: remove',
    ]);
    put(made, aServer('a', { status: 'disabled', enabled: false }));
    expect(titles(made, 'a:').slice(0, 3)).toEqual([
      'a: turn on',
      'a: where does this run from',
      'a: try tools',
    ]);
  });

  it('is in the palette for the server that is open, and the environment for all', () => {
    const made = put(testModel(), aServer('a'));
    const own = ['Wake', 'Sleep now', 'Check health', 'Where does this run from?'];
    const offered = () => titles(made, '').filter((title) => own.includes(title));
    expect(offered()).toEqual(['Sleep now', 'Check health', 'Where does this run from?']);
    put(made, aServer('a', { status: 'disconnected', asleep: { since: 0 } }));
    expect(offered()).toEqual(['Wake', 'Where does this run from?']);
    expect(titles(made, 'nvm')).toContain('Reload environment variables');
  });
});

describe('[PB-ISO-1] a stateful server', () => {
  it('gets a process per client by one change, which can be undone', async () => {
    const text = '{\n  // mine\n  "command": "x"\n}';
    const made = testModel({
      'server.entry': () => ({ ok: true, value: { text, entry: {} } }),
      'server.saveText': (save) => ({ ok: true, value: { text: save.text } }),
    });
    await isolateServer(made.model, 'a');
    const saved = made.link.calls.at(-1)?.input as { readonly base: string; readonly text: string };
    expect(saved).toMatchObject({ key: 'a', base: text });
    expect(saved.text).toContain('// mine');
    expect(saved.text).toContain('"isolation": "per-client"');
    expect(made.notifier.noted).toEqual(['undoable: Each client now has its own a.']);
    for (const undo of made.notifier.undos.values()) undo();
    expect(made.link.calls.at(-1)?.input).toEqual({ key: 'a', base: saved.text, text });
  });

  it('stays unchanged when that is refused', async () => {
    const made = testModel({ 'server.entry': () => refused });
    await isolateServer(made.model, 'a');
    expect(made.notifier.noted).toEqual(['problem: config.unwritable']);
  });
});

describe('other actions', () => {
  it('opens the config of a copy', async () => {
    const made = withServers(testModel({ 'server.duplicate': () => ({ ok: true, value: { key: 'a-2' } }) }));
    await duplicateServer(made.model, 'a');
    expect(made.model.view.getState().place).toMatchObject({ serverKey: 'a-2', serverTab: 'config' });
  });

  it('confirms copies, and returns settings problems to the caller', async () => {
    const made = testModel({ 'settings.set': () => refused });
    expect(await copyConnection(made.model, 'bridge-json')).toBe(true);
    expect(await copyText(made.model, 'x')).toBe(true);
    expect(await saveSettings(made.model, { port: 7421 })).toEqual(refused.problem);
    expect(made.notifier.noted).toHaveLength(1);
  });

  it.each([
    [{ kind: 'open-view', view: 'tools' }, { place: { view: 'tools' } }],
    [
      { kind: 'open-server', key: 'b' },
      { place: { view: 'servers', serverKey: 'b', serverTab: 'overview' } },
    ],
    [{ kind: 'add-server' }, { dialog: { kind: 'add-server', how: 'paste' } }],
    [{ kind: 'paste-server' }, { dialog: { kind: 'add-server', how: 'paste' } }],
    [{ kind: 'open-palette' }, { palette: true }],
  ] as const)('carries out %o from outside the window', (command, expected) => {
    const { model } = testModel();
    runPushedCommand(model, command);
    expect(model.view.getState()).toMatchObject(expected);
  });
});

describe('going elsewhere', () => {
  it('asks first when a config has unsaved changes, but not within its own tab', () => {
    const { model } = testModel();
    openServer(model, 'a', 'config');
    model.draft.setState({ draft: { originalKey: 'a', key: 'a', savedText: '{}', text: '{ }', issues: [] } });
    openView(model, 'tools');
    expect(model.view.getState()).toMatchObject({
      place: { view: 'servers' },
      dialog: { kind: 'leave-draft', to: { view: 'tools' } },
    });
    model.view.setState({ dialog: undefined });
    navigate(model, { view: 'servers', serverKey: 'a', serverTab: 'config' });
    expect(model.view.getState().dialog).toBeUndefined();
  });

  it('keeps what is selected in other views', () => {
    const { model } = testModel();
    openServer(model, 'a', 'log');
    openView(model, 'settings');
    openView(model, 'servers');
    expect(model.view.getState().place).toMatchObject({ serverKey: 'a', serverTab: 'log' });
  });
});
