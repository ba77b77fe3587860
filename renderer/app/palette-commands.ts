import {
  FlaskConical,
  HeartPulse,
  KeyRound,
  LogOut,
  Moon,
  Power,
  PowerOff,
  RotateCw,
  Route,
  Server,
  ShieldAlert,
  Sunrise,
} from 'lucide-react';
import type { ServerView } from '../../shared/model/server.ts';
import type { Command } from '../command/command.ts';
import { isAvailable } from '../command/command.ts';
import { commands } from '../command/commands.ts';
import { reviewTools } from '../command/guard-actions.ts';
import { checkHealth, sleepServer, wakeServer } from '../command/life-actions.ts';
import { openServer, openTester } from '../command/navigate.ts';
import { switchCommands } from '../command/profile-commands.ts';
import { showExplanation } from '../command/program-actions.ts';
import { restartServer, setServerEnabled, signInServer, signOutServer } from '../command/server-actions.ts';
import { matchesWords, queryWords } from '../lib/match-words.ts';
import { canSleep, isRunning, shownStatus } from '../lib/server-status.ts';
import type { Model } from '../store/model.ts';

/** The commands that the palette lists for a query, those of servers among them; with none, what makes sense now. */
export function findCommands(model: Model, query: string): readonly Command[] {
  const words = queryWords(query);
  const fixed = commands.filter((command) => command.id !== 'palette.toggle' && isAvailable(command, model));
  if (words.length === 0) return fixed;
  const ofServers = Object.values(model.mirrors.servers.getState().byKey).flatMap(serverCommandsOf);
  const hits = [...ofServers, ...switchCommands(model), ...fixed].filter((command) =>
    matchesWords(`${command.title} ${command.keywords ?? ''} ${command.group}`.toLowerCase(), words),
  );
  return hits.sort((left, right) => rank(left, words) - rank(right, words)).slice(0, mostCommands);
}

/** More than these nobody reads, and drawing hundreds would hold up the typing. */
const mostCommands = 24;

/** Titles that begin with what was typed come first; the rest keeps its order. */
function rank(command: Command, words: readonly string[]): number {
  const title = command.title.toLowerCase();
  if (title.startsWith(words[0] ?? '')) return 0;
  return matchesWords(title, words) ? 1 : 2;
}

function serverCommandsOf(server: ServerView): readonly Command[] {
  const { key, enabled } = server;
  const base = { group: 'Open server' as const, keywords: server.target };
  return [
    { ...base, id: `open.${key}`, title: key, icon: Server, run: (model) => openServer(model, key) },
    {
      ...base,
      id: `toggle.${key}`,
      title: `${key}: switch ${enabled ? 'off' : 'on'}`,
      icon: enabled ? PowerOff : Power,
      run: (model) => void setServerEnabled(model, key, !enabled),
    },
    ...(enabled ? [startOf(server)] : []),
    ...careOf(server),
    {
      ...base,
      id: `try.${key}`,
      title: `${key}: try what it offers`,
      icon: FlaskConical,
      keywords: 'test tester run call prompt resource check',
      run: (model) => openTester(model, { serverKey: key }),
    },
    ...signInsOf(server),
  ];
}

function startOf(server: ServerView): Command {
  const { key } = server;
  const asleep = shownStatus(server) === 'asleep';
  return {
    id: `restart.${key}`,
    title: `${key}: ${asleep ? 'wake' : 'restart'}`,
    group: 'Open server',
    icon: asleep ? Sunrise : RotateCw,
    run: (model) => void (asleep ? wakeServer : restartServer)(model, key),
  };
}

/** Resting, checking, explaining, as far as it makes sense for this one. */
function careOf(server: ServerView): readonly Command[] {
  const { key } = server;
  const base = { group: 'Open server' as const };
  const sleep: Command = {
    ...base,
    id: `sleep.${key}`,
    title: `${key}: put to sleep`,
    icon: Moon,
    keywords: 'memory stop idle',
    run: (model) => void sleepServer(model, key),
  };
  const check: Command = {
    ...base,
    id: `check.${key}`,
    title: `${key}: check health`,
    icon: HeartPulse,
    keywords: 'ping',
    run: (model) => void checkHealth(model, key),
  };
  const explain: Command = {
    ...base,
    id: `explain.${key}`,
    title: `${key}: which program runs`,
    icon: Route,
    keywords: 'explain command path nvm which',
    run: (model) => showExplanation(model, key),
  };
  const review: Command = {
    ...base,
    id: `review.${key}`,
    title: `${key}: review held tools`,
    icon: ShieldAlert,
    keywords: 'changed new approve guard',
    run: (model) => reviewTools(model, key),
  };
  return [
    ...(server.heldTools === undefined ? [] : [review]),
    ...(canSleep(server) ? [sleep] : []),
    ...(isRunning(server) ? [check] : []),
    ...(server.transport === 'stdio' ? [explain] : []),
  ];
}

function signInsOf({ key, auth }: ServerView): readonly Command[] {
  if (auth === undefined) return [];
  const base = { group: 'Open server' as const, keywords: 'login oauth authorize account' };
  const signIn: Command = {
    ...base,
    id: `sign-in.${key}`,
    title: `${key}: sign in${auth.signedIn ? ' again' : ''}`,
    icon: KeyRound,
    run: (model) => void signInServer(model, key),
  };
  const signOut: Command = {
    ...base,
    id: `sign-out.${key}`,
    title: `${key}: sign out`,
    icon: LogOut,
    run: (model) => void signOutServer(model, key),
  };
  return auth.signedIn ? [signIn, signOut] : [signIn];
}
