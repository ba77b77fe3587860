import {
  Cable,
  FlaskConical,
  KeyRound,
  LogOut,
  Power,
  PowerOff,
  Server,
  ShieldAlert,
  Wrench,
} from 'lucide-react';
import type { ConnectClient } from '../../../shared/model/client/connect.ts';
import type { ServerView } from '../../../shared/model/server/server.ts';
import { serverTitle } from '../../../shared/model/server/server-title.ts';
import { reviewTools } from '../../command/access/guard-actions.ts';
import { openConnectById } from '../../command/client/connect-actions.ts';
import { switchCommands } from '../../command/client/profile-commands.ts';
import type { Command } from '../../command/command.ts';
import { isAvailable } from '../../command/command.ts';
import { commands } from '../../command/commands.ts';
import { openServer, openTester } from '../../command/navigate.ts';
import {
  duplicateAction,
  pageActions,
  processActions,
  removeAction,
  type ServerAction,
  startAction,
} from '../../command/server/one-server.ts';
import { setServerEnabled, signInServer, signOutServer } from '../../command/server/server-actions.ts';
import { matchesWords, queryWords } from '../../lib/text/match-words.ts';
import type { Model } from '../../store/model.ts';
import { titleOf } from '../../store/server-title.ts';

/**
 * Returns the palette's commands for a query, including those of servers and of clients that can be
 * connected; without a query, the currently available ones.
 */
export function findCommands(
  model: Model,
  query: string,
  clients: readonly Pick<ConnectClient, 'id' | 'title'>[] = [],
): readonly Command[] {
  const words = queryWords(query);
  const fixed = commands.filter((command) => command.id !== 'palette.toggle' && isAvailable(command, model));
  if (words.length === 0) return fixed;
  const ofServers = Object.values(model.mirrors.servers.getState().byKey).flatMap((server) =>
    commandsForServer({ ...server, title: titleOf(model, server.key) }),
  );
  return [...fixed, ...clients.map(connectCommand), ...ofServers, ...switchCommands(model)]
    .map((command) => ({ command, rank: rank(command, words) }))
    .filter((each) => each.rank < ranks.none)
    .sort((left, right) => left.rank - right.rank)
    .map(({ command }) => command)
    .slice(0, maxCommands);
}

/** Maximum number of commands; drawing hundreds would slow down typing. */
const maxCommands = 24;

/** The closer a title matches, the earlier it is listed; whole synonyms come before parts of titles. */
const ranks = { same: 0, begins: 1, named: 2, synonym: 3, wordBegins: 4, synonymBegins: 5, part: 6, none: 7 };

function rank({ title, keywords = '', group }: Command, words: readonly string[]): number {
  const lower = title.toLowerCase();
  const typed = words.join(' ');
  const named = wordsOf(title);
  const known = [...named, ...wordsOf(keywords)];
  const each = (test: (word: string) => boolean) => words.every(test);
  if (lower === typed) return ranks.same;
  if (lower.startsWith(typed)) return ranks.begins;
  if (each((word) => named.includes(word))) return ranks.named;
  if (each((word) => known.includes(word))) return ranks.synonym;
  if (each((word) => named.some((one) => one.startsWith(word)))) return ranks.wordBegins;
  if (each((word) => known.some((one) => one.startsWith(word)))) return ranks.synonymBegins;
  return matchesWords(`${lower} ${keywords.toLowerCase()} ${group.toLowerCase()}`, words)
    ? ranks.part
    : ranks.none;
}

/** Splits words such as `mcp.json` and also keeps them whole. */
function wordsOf(text: string): readonly string[] {
  const whole = queryWords(text.replaceAll(/[:,…“”]/g, ' '));
  return [...whole, ...whole.flatMap((word) => word.split(/[-_./@]/))];
}

function connectCommand({ id, title }: Pick<ConnectClient, 'id' | 'title'>): Command {
  return {
    id: `connect.client.${id}`,
    title: `Connect ${title}`,
    group: 'Connect a client',
    icon: Cable,
    keywords: `${id} client app add set up install`,
    run: (model) => void openConnectById(model, id),
  };
}

function commandsForServer(server: ServerView): readonly Command[] {
  const { key, enabled } = server;
  const base = { group: 'Open server' as const, keywords: `${key} ${server.target}` };
  return [
    {
      ...base,
      id: `open.${key}`,
      title: serverTitle(server),
      icon: Server,
      run: (model) => openServer(model, key),
    },
    {
      ...base,
      id: `toggle.${key}`,
      title: `${serverTitle(server)}: turn ${enabled ? 'off' : 'on'}`,
      keywords: 'switch enable disable start stop',
      icon: enabled ? PowerOff : Power,
      run: (model) => void setServerEnabled(model, key, !enabled),
    },
    ...(enabled ? [commandFor(server, startAction(server))] : []),
    ...(server.heldTools === undefined ? [] : [reviewCommand(server)]),
    ...processActions.filter(({ applies }) => applies(server)).map((action) => commandFor(server, action)),
    {
      ...base,
      id: `try.${key}`,
      title: `${serverTitle(server)}: try tools`,
      icon: FlaskConical,
      keywords: 'test tester run call prompt resource offers',
      run: (model) => openTester(model, { serverKey: key }),
    },
    ...signInCommands(server),
    ...pageActions.map((action) => commandFor(server, action)),
    {
      id: `tools.${key}`,
      title: `${serverTitle(server)}: show tools`,
      group: 'Open server',
      icon: Wrench,
      keywords: 'list functions',
      run: (model) => openServer(model, key, 'tools'),
    },
    ...[duplicateAction, removeAction].map((action) => commandFor(server, action)),
  ];
}

function commandFor(server: ServerView, { id, title, icon, keywords, run }: ServerAction): Command {
  const { key } = server;
  const verb = title.charAt(0).toLowerCase() + title.slice(1).replace(/\?$/, '');
  return {
    id: `${id}.${key}`,
    title: `${serverTitle(server)}: ${verb}`,
    group: 'Open server',
    icon,
    ...(keywords === undefined ? {} : { keywords }),
    run: (model) => run(model, key),
  };
}

function reviewCommand(server: ServerView): Command {
  const { key } = server;
  return {
    id: `review.${key}`,
    title: `${serverTitle(server)}: review changed tools`,
    group: 'Open server',
    icon: ShieldAlert,
    keywords: 'held new approve guard blocked',
    run: (model) => reviewTools(model, key),
  };
}

function signInCommands(server: ServerView): readonly Command[] {
  const { key, auth } = server;
  if (auth === undefined) return [];
  const base = { group: 'Open server' as const, keywords: 'login oauth authorize account' };
  const signIn: Command = {
    ...base,
    id: `sign-in.${key}`,
    title: `${serverTitle(server)}: sign in${auth.signedIn ? ' again' : ''}`,
    icon: KeyRound,
    run: (model) => void signInServer(model, key),
  };
  const signOut: Command = {
    ...base,
    id: `sign-out.${key}`,
    title: `${serverTitle(server)}: sign out`,
    icon: LogOut,
    run: (model) => void signOutServer(model, key),
  };
  return auth.signedIn ? [signIn, signOut] : [signIn];
}
