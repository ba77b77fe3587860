import {
  Activity,
  Command as CommandIcon,
  MonitorSmartphone,
  Search,
  Server,
  Settings,
  Wrench,
} from 'lucide-react';
import { setPalette, type View } from '../store/view-store.ts';
import type { Command } from './command.ts';
import { openView } from './navigate.ts';

/** Title and icon of each view, in sidebar order. */
export const viewLooks = {
  servers: { title: 'Servers', icon: Server },
  tools: { title: 'Tools', icon: Wrench },
  activity: { title: 'Activity', icon: Activity },
  clients: { title: 'Clients', icon: MonitorSmartphone },
  settings: { title: 'Settings', icon: Settings },
} as const satisfies Readonly<Record<View, { title: string; icon: Command['icon'] }>>;

const synonyms: Readonly<Record<View, string>> = {
  servers: 'mcp list home',
  tools: 'functions resources prompts',
  activity: 'calls history log logs requests',
  clients: 'connect app apps connected',
  settings: 'preferences options configure general',
};

export const viewCommands: readonly Command[] = [
  ...Object.entries(viewLooks).map(
    ([view, look], index): Command => ({
      id: `view.${view}`,
      title: look.title,
      group: 'Go to',
      icon: look.icon,
      keywords: `open view page ${synonyms[view as View]}`,
      shortcut: `mod+${index + 1}`,
      run: (model) => openView(model, view as View),
    }),
  ),
  {
    id: 'palette.toggle',
    title: 'Command palette',
    group: 'Go to',
    icon: CommandIcon,
    shortcut: 'mod+k',
    run: ({ view }) => setPalette(view, !view.getState().palette),
  },
  {
    id: 'search.focus',
    title: 'Search this view',
    group: 'Go to',
    icon: Search,
    shortcut: '/',
    run: () => focusSearch(document),
  },
];

/** Focuses the search field of the current view, if it has one. */
function focusSearch(page: Document): void {
  const field = page.querySelector<HTMLInputElement>('main input[type="search"]');
  field?.focus();
  field?.select();
}
