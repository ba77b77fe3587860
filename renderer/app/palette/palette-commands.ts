import {
  Cable,
  Copy,
  FileJson,
  FlaskConical,
  HeartPulse,
  KeyRound,
  LogOut,
  Moon,
  Power,
  PowerOff,
  RotateCw,
  Route,
  ScrollText,
  Server,
  ShieldAlert,
  Sunrise,
  Trash2,
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
import { showExplanation } from '../../command/server/program-actions.ts';
import {
  checkHealth,
  duplicateServer,
  removeServer,
  restartServer,
  setServerEnabled,
  signInServer,
  signOutServer,
  sleepServer,
} from '../../command/server/server-actions.ts';
import { canSleep, isRunning, shownStatus } from '../../lib/server/server-status.ts';
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
    ...(enabled ? [startCommand(server)] : []),
    ...maintenanceCommands(server),
    {
      ...base,
      id: `try.${key}`,
      title: `${serverTitle(server)}: try tools`,
      icon: FlaskConical,
      keywords: 'test tester run call prompt resource offers',
      run: (model) => openTester(model, { serverKey: key }),
    },
    ...signInCommands(server),
    ...pageCommands(server),
  ];
}

/** Commands for a server's pages and its entry. */
function pageCommands(server: ServerView): readonly Command[] {
  const { key } = server;
  const one = (id: string, title: string, icon: Command['icon'], keywords: string, run: Command['run']) => ({
    id: `${id}.${key}`,
    title: `${serverTitle(server)}: ${title}`,
    group: 'Open server' as const,
    icon,
    keywords,
    run,
  });
  return [
    one('log', 'show log', ScrollText, 'logs output stderr messages', (model) =>
      openServer(model, key, 'log'),
    ),
    one('config', 'edit config', FileJson, 'configuration settings json env', (model) =>
      openServer(model, key, 'config'),
    ),
    one('tools', 'show tools', Wrench, 'list functions', (model) => openServer(model, key, 'tools')),
    one('duplicate', 'duplicate', Copy, 'copy clone', (model) => void duplicateServer(model, key)),
    one('remove', 'remove', Trash2, 'delete uninstall', (model) => void removeServer(model, key)),
  ];
}

function startCommand(server: ServerView): Command {
  const { key } = server;
  const asleep = shownStatus(server) === 'asleep';
  return {
    id: `restart.${key}`,
    title: `${serverTitle(server)}: ${asleep ? 'wake' : 'restart'}`,
    group: 'Open server',
    icon: asleep ? Sunrise : RotateCw,
    run: (model) => void restartServer(model, key),
  };
}

/** Sleep, health check, explanation and review commands, as far as they apply to the server. */
function maintenanceCommands(server: ServerView): readonly Command[] {
  const { key } = server;
  const base = { group: 'Open server' as const };
  const sleep: Command = {
    ...base,
    id: `sleep.${key}`,
    title: `${serverTitle(server)}: sleep now`,
    icon: Moon,
    keywords: 'memory stop idle',
    run: (model) => void sleepServer(model, key),
  };
  const check: Command = {
    ...base,
    id: `check.${key}`,
    title: `${serverTitle(server)}: check health`,
    icon: HeartPulse,
    keywords: 'ping',
    run: (model) => void checkHealth(model, key),
  };
  const explain: Command = {
    ...base,
    id: `explain.${key}`,
    title: `${serverTitle(server)}: where does this run from`,
    icon: Route,
    keywords: 'explain command path nvm which program version',
    run: (model) => showExplanation(model, key),
  };
  const review: Command = {
    ...base,
    id: `review.${key}`,
    title: `${serverTitle(server)}: review changed tools`,
    icon: ShieldAlert,
    keywords: 'held new approve guard blocked',
    run: (model) => reviewTools(model, key),
  };
  return [
    ...(server.heldTools === undefined ? [] : [review]),
    ...(canSleep(server) ? [sleep] : []),
    ...(isRunning(server) ? [check] : []),
    ...(server.transport === 'stdio' ? [explain] : []),
  ];
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
