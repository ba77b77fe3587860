import { ClipboardPaste, Import, Plus, Power, PowerOff, RefreshCw, RotateCw, Undo2 } from 'lucide-react';
import type { KeyCombo } from '../../lib/key-combo.ts';
import type { Model } from '../../store/model.ts';
import { openDialog } from '../../store/view-store.ts';
import type { Command } from '../command.ts';
import { runUndo } from '../undo-actions.ts';
import { turnAllServers } from './bulk-actions.ts';
import {
  duplicateAction,
  pageActions,
  processActions,
  removeAction,
  restartAction,
  type ServerAction,
  wakeAction,
} from './one-server.ts';
import { reloadEnvironment } from './program-actions.ts';
import { restartAllServers, setServerEnabled } from './server-actions.ts';

const hasServers = (model: Model) => model.mirrors.servers.getState().order.length > 0;

/** Shortcuts of actions on the open server. */
const shortcuts: Readonly<Record<string, KeyCombo>> = {
  restart: 'mod+r',
  config: 'mod+e',
  duplicate: 'mod+d',
  remove: 'delete',
};

export const serverCommands: readonly Command[] = [
  {
    id: 'server.add',
    title: 'Add server',
    group: 'Servers',
    icon: Plus,
    keywords: 'new create install form',
    shortcut: 'n',
    run: ({ view }) => openDialog(view, { kind: 'add-server', how: 'paste' }),
  },
  {
    id: 'server.paste',
    title: 'Paste a server',
    group: 'Servers',
    icon: ClipboardPaste,
    keywords:
      'import mcpServers json toml yaml config readme link command clipboard file mcpb bundle registry',
    shortcut: 'mod+shift+v',
    run: ({ view }) => openDialog(view, { kind: 'add-server', how: 'paste' }),
  },
  {
    id: 'server.import',
    title: 'Import servers from another app',
    group: 'Servers',
    icon: Import,
    keywords: 'claude cursor vscode client app migrate bring',
    run: ({ view }) => openDialog(view, { kind: 'add-server', how: 'import' }),
  },
  {
    id: 'server.all-on',
    title: 'Turn on all servers',
    group: 'Servers',
    icon: Power,
    keywords: 'switch connect enable start everything',
    available: hasServers,
    run: (model) => turnAllServers(model, true),
  },
  {
    id: 'server.all-off',
    title: 'Turn off all servers',
    group: 'Servers',
    icon: PowerOff,
    keywords: 'switch disconnect disable stop pause everything',
    available: hasServers,
    run: (model) => turnAllServers(model, false),
  },
  {
    id: 'server.restart-all',
    title: 'Restart all servers',
    group: 'Servers',
    icon: RotateCw,
    keywords: 'everything reload reconnect',
    available: hasServers,
    run: restartAllServers,
  },
  {
    id: 'server.environment',
    title: 'Reload environment variables',
    group: 'Servers',
    icon: RefreshCw,
    keywords: 'PATH shell variables nvm reload refresh login',
    run: (model) => void reloadEnvironment(model),
  },
  {
    id: 'undo',
    title: 'Undo',
    group: 'Patchbay',
    icon: Undo2,
    keywords: 'restore back take remove turn revert',
    shortcut: 'mod+z',
    available: (model) => model.undo.getState().steps.length > 0,
    run: (model) => runUndo(model),
  },
  ...selectedServerCommands(),
];

/** Commands for the open server. */
function selectedServerCommands(): readonly Command[] {
  const toggle = {
    id: 'toggle',
    title: 'Turn on or off',
    icon: Power,
    applies: () => true,
    run: toggleServer,
  };
  return [
    // A server that sleeps can be restarted, too: by its shortcut.
    selected({ ...restartAction, applies: () => true }),
    selected(toggle),
    ...[wakeAction, ...processActions, ...pageActions, duplicateAction, removeAction].map(selected),
  ];
}

function selected({ id, title, icon, applies, run }: ServerAction): Command {
  const shortcut = shortcuts[id];
  return {
    id: `selected.${id}`,
    title,
    group: 'This server',
    icon,
    ...(shortcut === undefined ? {} : { shortcut }),
    available(model) {
      const key = selectedKey(model);
      const server = key === undefined ? undefined : model.mirrors.servers.getState().byKey[key];
      return server !== undefined && applies(server);
    },
    run(model) {
      const key = selectedKey(model);
      if (key !== undefined) run(model, key);
    },
  };
}

function selectedKey(model: Model): string | undefined {
  const { place } = model.view.getState();
  const known = model.mirrors.servers.getState().byKey;
  return place.view === 'servers' && place.serverKey !== undefined && place.serverKey in known
    ? place.serverKey
    : undefined;
}

function toggleServer(model: Model, key: string): void {
  const server = model.mirrors.servers.getState().byKey[key];
  if (server === undefined) return;
  const shown = model.pendingServerSwitches.getState().byId[key]?.enabled ?? server.enabled;
  void setServerEnabled(model, key, !shown);
}
