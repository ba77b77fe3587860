import {
  Archive,
  ArchiveRestore,
  FileCog,
  FolderOpen,
  Keyboard,
  KeyRound,
  Link,
  LogOut,
  Monitor,
  Moon,
  Plug,
  Power,
  RefreshCw,
  Sun,
} from 'lucide-react';
import type { Settings } from '../../../shared/schema/settings.ts';
import { openDialog } from '../../store/view-store.ts';
import type { Command } from '../command.ts';
import { openSettings } from '../navigate.ts';
import { copyConnection, runAppCall, saveSettings } from './app-actions.ts';
import { chooseBackup } from './backup-actions.ts';
import { askToQuit, quitNow } from './quit-actions.ts';
import { checkForUpdates } from './update-actions.ts';

export const appCommands: readonly Command[] = [
  copy('bridge-json', 'Copy bridge entry for a client', Plug, 'claude desktop cursor json config connect'),
  copy('http-json', 'Copy HTTP entry for a client', Link, 'json config connect streamable'),
  copy('url', 'Copy endpoint URL', Link, 'address http'),
  copy('token', 'Copy access token', KeyRound, 'bearer password'),
  theme('system', 'Theme: follow the system', Monitor),
  theme('light', 'Theme: light', Sun),
  theme('dark', 'Theme: dark', Moon),
  {
    id: 'app.config-file',
    title: 'Edit the config file',
    group: 'Patchbay',
    icon: FileCog,
    keywords: 'mcp.json json open configuration',
    run: (model) => void runAppCall(model, 'app.openConfigFile'),
  },
  {
    id: 'app.data-folder',
    title: 'Open the data folder',
    group: 'Patchbay',
    icon: FolderOpen,
    keywords: 'directory log logs files',
    run: (model) => void runAppCall(model, 'app.openDataFolder'),
  },
  {
    id: 'app.backup',
    title: 'Create a backup…',
    group: 'Patchbay',
    icon: Archive,
    keywords:
      'back up whole setup restore export settings servers save copy move to a new computer migrate transfer',
    run: ({ view }) => openDialog(view, { kind: 'backup' }),
  },
  {
    id: 'app.restore',
    title: 'Restore a backup…',
    group: 'Patchbay',
    icon: ArchiveRestore,
    keywords:
      'back up whole setup import export settings servers load move to a new computer migrate transfer',
    run: (model) => void chooseBackup(model),
  },
  {
    id: 'app.check-updates',
    title: 'Check for updates',
    group: 'Patchbay',
    icon: RefreshCw,
    keywords: 'version new upgrade update',
    run: (model) => {
      openSettings(model, 'about');
      void checkForUpdates(model);
    },
  },
  {
    id: 'app.shortcuts',
    title: 'Keyboard shortcuts',
    group: 'Patchbay',
    icon: Keyboard,
    keywords: 'help keys',
    shortcut: '?',
    run: ({ view }) => openDialog(view, { kind: 'shortcuts' }),
  },
  {
    id: 'app.quit',
    title: 'Quit Patchbay',
    group: 'Patchbay',
    icon: LogOut,
    keywords: 'exit stop close',
    run: (model) => void askToQuit(model),
  },
  {
    id: 'app.quit-stay-off',
    title: 'Quit and stay off until I open Patchbay',
    group: 'Patchbay',
    icon: Power,
    keywords: 'turn off everything exit shut down disable',
    run: (model) => void quitNow(model, 'now', true),
  },
];

function copy(
  what: Parameters<typeof copyConnection>[1],
  title: string,
  icon: Command['icon'],
  keywords: string,
): Command {
  return {
    id: `connect.${what}`,
    title,
    group: 'Connect a client',
    icon,
    keywords,
    run: (model) => void copyConnection(model, what),
  };
}

function theme(value: Settings['theme'], title: string, icon: Command['icon']): Command {
  return {
    id: `theme.${value}`,
    title,
    group: 'Patchbay',
    icon,
    keywords: 'appearance colour color mode',
    available: (model) => model.mirrors.settings.getState()?.theme !== value,
    run: (model) =>
      void saveSettings(model, { theme: value }).then((problem) => {
        if (problem !== undefined) model.notify.problem(problem);
      }),
  };
}
