import { normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appMenu } from '../../../../electron/main/command/app-menu.ts';
import { type CommandId, commandIds, createCommands } from '../../../../electron/main/command/command.ts';
import { type ConnectionKind, connectionText } from '../../../../electron/main/command/connection-text.ts';
import { bridgeProgram } from '../../../../electron/main/lifecycle/bridge-program.ts';
import { ProblemError } from '../../../../shared/error/problem.ts';
import { FakeHub } from '../../../helper/fake-hub.ts';
import { someProblem } from '../../../helper/views.ts';

function bench() {
  const done: unknown[] = [];
  const note = (...what: unknown[]) => void done.push(what.length === 1 ? what[0] : what);
  const commands = createCommands({
    showWindow: () => note('show'),
    quit: () => note('quit'),
    runInWindow: (command) => note(command),
    copyEndpoint: async () => note('copy'),
    openConfigFile: async () => note('config'),
    openDataFolder: () => Promise.reject(new ProblemError(someProblem('app.open_failed'))),
    checkUpdates: () => note('check'),
    reportFailure: ({ code }) => note('failed', code),
  });
  return { commands, done };
}

describe('a user command', () => {
  it.each<[CommandId, readonly unknown[]]>([
    ['open', ['show']],
    ['add-server', ['show', { kind: 'add-server' }]],
    ['paste-server', ['show', { kind: 'paste-server' }]],
    ['open-palette', ['show', { kind: 'open-palette' }]],
    ['open-servers', ['show', { kind: 'open-view', view: 'servers' }]],
    ['open-clients', ['show', { kind: 'open-view', view: 'clients' }]],
    ['open-settings', ['show', { kind: 'open-view', view: 'settings' }]],
    ['turn-on-all', ['show', { kind: 'turn-all-servers', enabled: true }]],
    ['turn-off-all', ['show', { kind: 'turn-all-servers', enabled: false }]],
    ['copy-endpoint', ['copy']],
    ['open-config-file', ['config']],
    ['open-data-folder', [['failed', 'app.open_failed']]],
    ['check-updates', ['show', { kind: 'open-about' }, 'check']],
    ['quit', ['quit']],
  ])('[PB-APP-1] %s does what it says, or shows why not', async (id, expected) => {
    const { commands, done } = bench();
    await commands[id].run();
    expect(done).toEqual(expected);
  });

  it('[PB-APP-1] exists for each id', () => {
    const { commands } = bench();
    expect(Object.keys(commands).sort()).toEqual([...commandIds].sort());
    for (const id of commandIds) expect(commands[id].id).toBe(id);
  });

  it.each(['darwin', 'linux', 'win32'] as const)(
    '[PB-A11Y-1] is in the menu of %s with its key',
    (platform) => {
      const text = JSON.stringify(appMenu(bench().commands, platform, false));
      for (const id of ['add-server', 'open-palette', 'open-settings', 'turn-on-all', 'turn-off-all', 'quit'])
        expect(text).toContain(`"id":"${id}"`);
      expect(text).toContain('CmdOrCtrl+N');
      expect(text).not.toContain('toggleDevTools');
    },
  );
});

describe('copied connection details', () => {
  const hub = new FakeHub();
  hub.outputs = { 'connect.wholeSnippet': ({ id, transport }) => ({ text: `${id} by ${transport}` }) };

  it.each<[ConnectionKind, string]>([
    ['url', 'http://127.0.0.1:7420/mcp'],
    ['token', 'secret-token'],
    ['http-json', 'other by http'],
    ['bridge-json', 'other by stdio'],
  ])('[PB-TRAY-1] the %s', async (what, text) => {
    expect(await connectionText(what, hub)).toBe(text);
  });
});

describe('how clients run the bridge', () => {
  const places = {
    resources: '/r',
    app: '/r/app.asar',
    execPath: '/opt/patchbay',
    env: {},
    exists: () => true,
  };

  it('[PB-BRIDGE-1] by the packaged app itself, which needs nothing from PATH', () => {
    const bundle = normalize('/r/lib/patchbay-bridge.mjs');
    const program = { binary: '/opt/patchbay', bundle, electron: true, image: false };
    expect(bridgeProgram(places)).toEqual(program);
  });

  it('[PB-BRIDGE-1] unpackaged, by the bundle of the sources', () => {
    const unpackaged = { ...places, app: '/src', exists: () => false };
    expect(bridgeProgram(unpackaged).bundle).toBe(normalize('/src/dist/bin/patchbay-bridge.mjs'));
  });

  it('[PB-BRIDGE-1] in an AppImage by the image file, because its mount is temporary', () => {
    const env = { APPIMAGE: '/home/ada/Patchbay.AppImage', APPDIR: '/tmp/.mount_x' };
    const image = bridgeProgram({ ...places, execPath: '/tmp/.mount_x/patchbay', env });
    expect(image).toMatchObject({ binary: '/home/ada/Patchbay.AppImage', image: true });
  });
});
