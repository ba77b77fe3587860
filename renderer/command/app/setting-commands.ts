import {
  Bell,
  BookCheck,
  CircleHelp,
  Info,
  KeyRound,
  LogIn,
  type LucideIcon,
  MonitorDown,
  Network,
  Shrink,
} from 'lucide-react';
import type { SettingsPage } from '../../store/view-store.ts';
import type { Command } from '../command.ts';
import { openSettings, openView } from '../navigate.ts';

/** Commands that open settings by their names. */
export const settingCommands: readonly Command[] = [
  setting(
    'secrets',
    'Secrets',
    KeyRound,
    'vault password passwords key keys api token credentials env variable',
  ),
  setting('about', 'About Patchbay', Info, 'version license licence help'),
  setting(
    'about',
    'Support bundle',
    CircleHelp,
    'help bug report problem diagnostics logs contact',
    'support',
  ),
  setting('general', 'Start at login', LogIn, 'autostart boot startup launch automatically', 'login'),
  setting(
    'general',
    'Keep running when the window is closed',
    MonitorDown,
    'tray background close hide',
    'tray',
  ),
  setting('general', 'Notifications', Bell, 'notify notification alerts alert messages', 'notices'),
  setting('general', 'Port', Network, 'http endpoint address listen 7420 connection', 'port'),
  setting('general', 'Keep the audit log', BookCheck, 'audit record history', 'audit'),
  {
    id: 'compact.open',
    title: 'Compact mode',
    group: 'Connect a client',
    icon: Shrink,
    keywords: 'compact short list tokens tools context lookup search client clients',
    run: (model) => openView(model, 'clients'),
  },
];

function setting(
  page: SettingsPage,
  title: string,
  icon: LucideIcon,
  keywords: string,
  id: string = page,
): Command {
  return {
    id: `setting.${id}`,
    title,
    group: 'Settings',
    icon,
    keywords: `${keywords} setting settings preferences options`,
    run: (model) => openSettings(model, page),
  };
}
