import type { MenuItemConstructorOptions } from 'electron';
import type { CommandId, UserCommands } from './command.ts';

/** Builds the application menu: our commands among the standard roles of each system. */
export function appMenu(
  commands: UserCommands,
  platform: NodeJS.Platform,
  development: boolean,
): MenuItemConstructorOptions[] {
  const mac = platform === 'darwin';
  const item = (id: CommandId): MenuItemConstructorOptions => menuItem(commands, id);
  return [
    ...(mac ? [applicationMenu(item)] : []),
    { label: '&File', submenu: fileMenu(item, mac) },
    { role: 'editMenu' },
    { label: '&View', submenu: viewMenu(item, development) },
    { label: '&Servers', submenu: [item('turn-on-all'), item('turn-off-all')] },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [
        item('open-data-folder'),
        item('check-updates'),
        ...(mac ? [] : [separator, { role: 'about' as const }]),
      ],
    },
  ];
}

/** Returns a command as a menu item. */
export function menuItem(commands: UserCommands, id: CommandId): MenuItemConstructorOptions {
  const { label, accelerator, run } = commands[id];
  return { id, label, click: () => void run(), ...(accelerator === undefined ? {} : { accelerator }) };
}

type Item = (id: CommandId) => MenuItemConstructorOptions;
const separator: MenuItemConstructorOptions = { type: 'separator' };

function applicationMenu(item: Item): MenuItemConstructorOptions {
  const roles = (...names: readonly ('about' | 'services' | 'hide' | 'hideOthers' | 'unhide')[]) =>
    names.map((role) => ({ role }));
  return {
    role: 'appMenu',
    submenu: [
      ...roles('about'),
      separator,
      item('open-settings'),
      separator,
      ...roles('services'),
      separator,
      ...roles('hide', 'hideOthers', 'unhide'),
      separator,
      item('quit'),
    ],
  };
}

function fileMenu(item: Item, mac: boolean): MenuItemConstructorOptions[] {
  return [
    item('add-server'),
    item('paste-server'),
    separator,
    item('copy-endpoint'),
    item('open-config-file'),
    separator,
    { role: 'close' },
    ...(mac ? [] : [item('open-settings'), separator, item('quit')]),
  ];
}

function viewMenu(item: Item, development: boolean): MenuItemConstructorOptions[] {
  return [
    item('open-palette'),
    item('open-servers'),
    item('open-clients'),
    separator,
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { role: 'togglefullscreen' },
    ...(development ? [separator, { role: 'reload' as const }, { role: 'toggleDevTools' as const }] : []),
  ];
}
