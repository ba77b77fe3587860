import { describe, expect, it } from 'vitest';
import { appMenu } from '../../../../electron/main/command/app-menu.ts';
import { bridgeCommand } from '../../../../electron/main/command/bridge-command.ts';
import { type CommandId, commandIds, createCommands } from '../../../../electron/main/command/command.ts';
import { type ConnectionKind, connectionText } from '../../../../electron/main/command/connection-text.ts';
import { ProblemError } from '../../../../shared/error/problem.ts';
import { someProblem } from '../../../helper/views.ts';

function bench() {
  const done: unknown[] = [];
  const note = (...what: unknown[]) => void done.push(what.length === 1 ? what[0] : what);
  const commands = createCommands({
    showWindow: () => note('show'),
    quit: () => note('quit'),
    runInWindow: (command) => note(command),
    setAllEnabled: async (enabled) => note('all', enabled),
    copyEndpoint: async () => note('copy'),
    openConfigFile: async () => note('config'),
    openDataFolder: () => Promise.reject(new ProblemError(someProblem('app.open_failed'))),
    reportFailure: ({ code }) => note('failed', code),
  });
  return { commands, done };
}

describe('a user command', () => {
  it.each<[CommandId, readonly unknown[]]>([
    ['open', ['show']],
    ['add-server', ['show', { kind: 'add-server' }]],
    ['open-palette', ['show', { kind: 'open-palette' }]],
    ['open-servers', ['show', { kind: 'open-view', view: 'servers' }]],
    ['open-clients', ['show', { kind: 'open-view', view: 'clients' }]],
    ['open-settings', ['show', { kind: 'open-view', view: 'settings' }]],
    ['connect-all', [['all', true]]],
    ['disconnect-all', [['all', false]]],
    ['copy-endpoint', ['copy']],
    ['open-config-file', ['config']],
    ['open-data-folder', [['failed', 'app.open_failed']]],
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
      for (const id of [
        'add-server',
        'open-palette',
        'open-settings',
        'connect-all',
        'disconnect-all',
        'quit',
      ])
        expect(text).toContain(`"id":"${id}"`);
      expect(text).toContain('CmdOrCtrl+N');
      expect(text).not.toContain('toggleDevTools');
    },
  );
});

describe('what is put on the clipboard', () => {
  const bridge = { command: '/opt/Patchbay/resources/bin/patchbay-bridge', args: ['--data-dir', '/d'] };
  const facts = { url: 'http://127.0.0.1:7420/mcp', token: 'secret', bridge };

  it.each<[ConnectionKind, string]>([
    ['url', facts.url],
    ['token', facts.token],
  ])('[PB-TRAY-1] the %s alone', (what, text) => {
    expect(connectionText(what, facts)).toBe(text);
  });

  it.each<[ConnectionKind, object]>([
    ['http-json', { type: 'http', url: facts.url, headers: { Authorization: 'Bearer secret' } }],
    ['bridge-json', { command: bridge.command, args: bridge.args }],
  ])('[PB-APP-1] %s, ready for a client', (what, entry) => {
    expect(JSON.parse(connectionText(what, facts))).toEqual({ mcpServers: { patchbay: entry } });
  });

  it('[PB-BRIDGE-1] names the packaged launcher, which needs nothing from PATH', () => {
    const places = { resources: '/r', app: '/r/app.asar', execPath: '/r/../patchbay', exists: () => true };
    expect(bridgeCommand({ ...places, platform: 'linux' })).toEqual({
      command: '/r/bin/patchbay-bridge',
      args: [],
    });
    expect(bridgeCommand({ ...places, platform: 'linux', dataDir: '/d' }).args).toEqual(['--data-dir', '/d']);
    expect(bridgeCommand({ ...places, platform: 'win32' }).command).toMatch(/patchbay-bridge\.cmd$/);
  });

  it('[PB-BRIDGE-1] unpackaged, names the running binary as Node', () => {
    const places = {
      platform: 'linux',
      resources: '/r',
      app: '/src',
      execPath: '/e',
      exists: () => false,
    } as const;
    expect(bridgeCommand(places)).toEqual({
      command: '/e',
      args: ['/src/dist/bin/patchbay-bridge.mjs'],
      env: { ELECTRON_RUN_AS_NODE: '1' },
    });
  });
});
