import {
  Copy,
  FileJson,
  HeartPulse,
  type LucideIcon,
  Moon,
  RotateCw,
  Route,
  ScrollText,
  Sunrise,
  Trash2,
} from 'lucide-react';
import type { ServerView } from '../../../shared/model/server/server.ts';
import { canSleep, isRunning, shownStatus } from '../../lib/server/server-status.ts';
import type { Model } from '../../store/model.ts';
import { openServer } from '../navigate.ts';
import { showExplanation } from './program-actions.ts';
import { checkHealth, duplicateServer, removeServer, restartServer, sleepServer } from './server-actions.ts';

/** Something that can be done with one server: an item of its menu, a command of the palette, a shortcut. */
export interface ServerAction {
  readonly id: string;
  readonly title: string;
  readonly icon: LucideIcon;
  /** Synonyms to find it by. */
  readonly keywords?: string;
  readonly applies: (server: ServerView) => boolean;
  run(model: Model, key: string): void;
}

const always = () => true;

const restart = (model: Model, key: string) => void restartServer(model, key);

export const restartAction: ServerAction = {
  id: 'restart',
  title: 'Restart',
  icon: RotateCw,
  applies: (server) => !isAsleep(server),
  run: restart,
};

/** Restarts a server that sleeps. */
export const wakeAction: ServerAction = {
  id: 'wake',
  title: 'Wake',
  icon: Sunrise,
  applies: isAsleep,
  run: restart,
};

/** Restarts a server that has failed or waits for its next try. */
export const tryNowAction: ServerAction = {
  id: 'try-now',
  title: 'Try now',
  icon: RotateCw,
  applies: always,
  run: restart,
};

/** Restarts a server, or wakes it. */
export function startAction(server: ServerView): ServerAction {
  return isAsleep(server) ? wakeAction : restartAction;
}

/** Actions on the server's process, as far as its state allows them. */
export const processActions: readonly ServerAction[] = [
  {
    id: 'sleep',
    title: 'Sleep now',
    icon: Moon,
    keywords: 'memory stop idle',
    applies: canSleep,
    run: (model, key) => void sleepServer(model, key),
  },
  {
    id: 'check',
    title: 'Check health',
    icon: HeartPulse,
    keywords: 'ping',
    applies: isRunning,
    run: (model, key) => void checkHealth(model, key),
  },
  {
    id: 'explain',
    title: 'Where does this run from?',
    icon: Route,
    keywords: 'explain command path nvm which program version',
    applies: ({ transport }) => transport === 'stdio',
    run: showExplanation,
  },
];

/** Actions that open one of the server's pages. */
export const pageActions: readonly ServerAction[] = [
  {
    id: 'log',
    title: 'Show log',
    icon: ScrollText,
    keywords: 'logs output stderr messages',
    applies: always,
    run: (model, key) => openServer(model, key, 'log'),
  },
  {
    id: 'config',
    title: 'Edit config',
    icon: FileJson,
    keywords: 'configuration settings json env',
    applies: always,
    run: (model, key) => openServer(model, key, 'config'),
  },
];

export const duplicateAction: ServerAction = {
  id: 'duplicate',
  title: 'Duplicate',
  icon: Copy,
  keywords: 'copy clone',
  applies: always,
  run: (model, key) => void duplicateServer(model, key),
};

export const removeAction: ServerAction = {
  id: 'remove',
  title: 'Remove',
  icon: Trash2,
  keywords: 'delete uninstall',
  applies: always,
  run: (model, key) => void removeServer(model, key),
};

function isAsleep(server: ServerView): boolean {
  return shownStatus(server) === 'asleep';
}
