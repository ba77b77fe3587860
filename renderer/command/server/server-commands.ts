import {
  ClipboardPaste,
  Copy,
  FileJson,
  HeartPulse,
  Import,
  Moon,
  Plus,
  Power,
  PowerOff,
  RefreshCw,
  RotateCw,
  Route,
  ScrollText,
  Sunrise,
  Trash2,
  Undo2,
} from 'lucide-react';
import type { ServerView } from '../../../shared/model/server/server.ts';
import { canSleep, isRunning, shownStatus } from '../../lib/server/server-status.ts';
import type { Model } from '../../store/model.ts';
import { openDialog } from '../../store/view-store.ts';
import type { Command } from '../command.ts';
import { openServer } from '../navigate.ts';
import { runUndo } from '../undo-actions.ts';
import { turnAllServers } from './bulk-actions.ts';
import { reloadEnvironment, showExplanation } from './program-actions.ts';
import {
  checkHealth,
  duplicateServer,
  removeServer,
  restartAllServers,
  restartServer,
  setServerEnabled,
  sleepServer,
} from './server-actions.ts';

const hasServers = (model: Model) => model.mirrors.servers.getState().order.length > 0;

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
  return [
    selected('restart', 'Restart', RotateCw, (model, key) => void restartServer(model, key), {
      shortcut: 'mod+r',
    }),
    selected('toggle', 'Turn on or off', Power, toggleServer),
    selected('wake', 'Wake', Sunrise, (model, key) => void restartServer(model, key), {
      when: (server) => shownStatus(server) === 'asleep',
    }),
    selected('sleep', 'Sleep now', Moon, (model, key) => void sleepServer(model, key), { when: canSleep }),
    selected('check', 'Check health', HeartPulse, (model, key) => void checkHealth(model, key), {
      when: isRunning,
    }),
    selected('explain', 'Where does this run from?', Route, showExplanation, { when: isLocal }),
    selected('log', 'Show log', ScrollText, (model, key) => openServer(model, key, 'log')),
    selected('config', 'Edit config', FileJson, (model, key) => openServer(model, key, 'config'), {
      shortcut: 'mod+e',
    }),
    selected('duplicate', 'Duplicate', Copy, (model, key) => void duplicateServer(model, key), {
      shortcut: 'mod+d',
    }),
    selected('remove', 'Remove', Trash2, (model, key) => void removeServer(model, key), {
      shortcut: 'delete',
    }),
  ];
}

interface SelectedOptions {
  readonly shortcut?: string;
  /** Condition on the server. */
  readonly when?: (server: ServerView) => boolean;
}

function selected(
  id: string,
  title: string,
  icon: Command['icon'],
  act: (model: Model, key: string) => void,
  { shortcut, when = () => true }: SelectedOptions = {},
): Command {
  return {
    id: `selected.${id}`,
    title,
    group: 'This server',
    icon,
    ...(shortcut === undefined ? {} : { shortcut }),
    available(model) {
      const key = selectedKey(model);
      const server = key === undefined ? undefined : model.mirrors.servers.getState().byKey[key];
      return server !== undefined && when(server);
    },
    run(model) {
      const key = selectedKey(model);
      if (key !== undefined) act(model, key);
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

function isLocal({ transport }: ServerView): boolean {
  return transport === 'stdio';
}

function toggleServer(model: Model, key: string): void {
  const server = model.mirrors.servers.getState().byKey[key];
  if (server === undefined) return;
  const shown = model.pendingServerSwitches.getState().byId[key]?.enabled ?? server.enabled;
  void setServerEnabled(model, key, !shown);
}
