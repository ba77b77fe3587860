import { describe, expect, it } from 'vitest';
import { findCommands } from '../../../../renderer/app/palette/palette-commands.ts';
import { aServer } from '../../helper/sample-views.ts';
import { testModel } from '../../helper/test-model.ts';

const clients = [
  { id: 'claude-desktop', title: 'Claude Desktop' },
  { id: 'cursor', title: 'Cursor' },
];

function model() {
  const made = testModel();
  const servers = ['bench', 'secretary', 'portfolio'].map((key) => aServer(key));
  made.model.mirrors.servers.setState({
    byKey: Object.fromEntries(servers.map((server) => [server.key, server])),
    order: servers.map(({ key }) => key),
  });
  return made.model;
}

const titles = (query: string) => findCommands(model(), query, clients).map(({ title }) => title);

describe('the palette', () => {
  it.each([
    ['secret', 'Secrets'],
    ['password', 'Secrets'],
    ['support', 'Support bundle'],
    ['bug', 'Support bundle'],
    ['about', 'About Patchbay'],
    ['version', 'About Patchbay'],
    ['update', 'Check for updates'],
    ['compact', 'Compact mode'],
    ['connect', 'Connect Claude Desktop'],
    ['connect cursor', 'Connect Cursor'],
    ['cursor', 'Connect Cursor'],
    ['turn off everything', 'Turn off all servers'],
    ['switch all off', 'Turn off all servers'],
    ['disable all', 'Turn off all servers'],
    ['turn on all', 'Turn on all servers'],
    ['restart all', 'Restart all servers'],
    ['logs', 'Activity'],
    ['edit config', 'Edit the config file'],
    ['mcp.json', 'Edit the config file'],
    ['data folder', 'Open the data folder'],
    ['quit', 'Quit Patchbay'],
    ['exit', 'Quit Patchbay'],
    ['stay off', 'Quit and stay off until I open Patchbay'],
    ['theme', 'Theme: follow the system'],
    ['dark', 'Theme: dark'],
    ['port', 'Port'],
    ['autostart', 'Start at login'],
    ['tray', 'Keep running when the window is closed'],
    ['notifications', 'Notifications'],
    ['import', 'Import servers from another app'],
    ['add', 'Add server'],
    ['paste', 'Paste a server'],
    ['metrics', 'Metrics'],
    ['audit', 'Audit log'],
    ['limits', 'Limits'],
    ['timeout', 'Limits'],
    ['permissions', 'Access'],
    ['profiles', 'Profiles'],
    ['token', 'Copy access token'],
    ['keyboard', 'Keyboard shortcuts'],
    ['environment', 'Reload environment variables'],
    ['settings', 'Settings'],
    ['preferences', 'Settings'],
    ['skills', 'Tools by skill'],
    ['backup', 'Create a backup…'],
    ['back up', 'Create a backup…'],
    ['restore', 'Restore a backup…'],
    ['export settings', 'Create a backup…'],
    ['move to a new computer', 'Create a backup…'],
  ])('[PB-A11Y-1] “%s” finds %s first', (query, title) => {
    expect(titles(query)[0]).toBe(title);
  });

  it.each(['backup', 'restore', 'export settings', 'move to a new computer'])(
    '[PB-A11Y-1] “%s” finds both ways of a backup',
    (query) => {
      expect(titles(query)).toEqual(expect.arrayContaining(['Create a backup…', 'Restore a backup…']));
    },
  );

  it('lists all that can be done with a server by its name', () => {
    expect(titles('bench')).toEqual([
      'bench',
      'bench: turn off',
      'bench: restart',
      'bench: sleep now',
      'bench: check health',
      'bench: where does this run from',
      'bench: try tools',
      'bench: show log',
      'bench: edit config',
      'bench: show tools',
      'bench: duplicate',
      'bench: remove',
    ]);
    expect(titles('bench log')[0]).toBe('bench: show log');
    expect(titles('edit config bench')[0]).toBe('bench: edit config');
  });
});
