import { KeyRound, LogOut, Power, PowerOff, RotateCw, Server, Wrench } from 'lucide-react';
import type { ServerView } from '../../shared/model/server.ts';
import type { Command } from '../command/command.ts';
import { isAvailable } from '../command/command.ts';
import { commands } from '../command/commands.ts';
import { openServer, openTool } from '../command/navigate.ts';
import { restartServer, setServerEnabled, signInServer, signOutServer } from '../command/server-actions.ts';
import { matchesWords, queryWords } from '../lib/match-words.ts';
import type { Model } from '../store/model.ts';

const toolLimit = 8;

/** What the palette lists for a query, servers and tools made into commands; with none, what makes sense now. */
export function findCommands(model: Model, query: string): readonly Command[] {
  const words = queryWords(query);
  const fixed = commands.filter((command) => command.id !== 'palette.toggle' && isAvailable(command, model));
  if (words.length === 0) return fixed;
  const ofServers = Object.values(model.mirrors.servers.getState().byKey).flatMap(serverCommandsOf);
  const hits = [...ofServers, ...fixed].filter((command) =>
    matchesWords(`${command.title} ${command.keywords ?? ''} ${command.group}`.toLowerCase(), words),
  );
  return [...hits.sort((left, right) => rank(left, words) - rank(right, words)), ...findTools(model, words)];
}

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
    ...(enabled ? [restartOf(key)] : []),
    ...signInsOf(server),
  ];
}

function restartOf(key: string): Command {
  return {
    id: `restart.${key}`,
    title: `${key}: restart`,
    group: 'Open server',
    icon: RotateCw,
    run: (model) => void restartServer(model, key),
  };
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

function findTools(model: Model, words: readonly string[]): readonly Command[] {
  const found: Command[] = [];
  for (const tool of Object.values(model.mirrors.tools.getState()).flat()) {
    if (found.length === toolLimit) break;
    const { serverKey, name } = tool;
    if (!matchesWords(`${serverKey} ${name}`.toLowerCase(), words)) continue;
    found.push({
      id: `tool.${serverKey}:${name}`,
      title: `${name} · ${serverKey}`,
      group: 'Tools',
      icon: Wrench,
      run: (one) => openTool(one, { serverKey, name }),
    });
  }
  return found;
}
