import type { ClientView } from '../../../shared/model/client/client.ts';
import { clientTitle } from '../../../shared/model/client/client-title.ts';
import type { ProfilesView } from '../../../shared/model/client/profile.ts';
import type { ServerView } from '../../../shared/model/server/server.ts';
import {
  attentionCount,
  hasToolsToReview,
  isFailing,
  serverLook,
} from '../../../shared/model/server/server-look.ts';
import { serverTitle } from '../../../shared/model/server/server-title.ts';
import { isWiped, waitingCallCount } from '../attention/attention-item.ts';
import type { CommandId } from '../command/command.ts';
import { attentionMenuItems } from './attention-menu-items.ts';
import { count, shorten } from './label.ts';
import type { TrayInput, TrayItem, TrayModel, TrayState } from './tray-types.ts';

/** Derives the whole tray from the hub's state. */
export function trayModel(input: TrayInput): TrayModel {
  const summary = summaryLine(input);
  const sections: readonly (readonly TrayItem[])[] = [
    [{ kind: 'text', id: 'summary', label: summary }],
    attentionMenuItems(input),
    serverItems(input.servers),
    clientItems(input),
    [
      command('copy-endpoint', 'Copy endpoint URL', input.hub.endpoint !== undefined),
      command('open', 'Open Patchbay'),
      command('open-settings', 'Settings…'),
    ],
    [command('quit', 'Quit Patchbay')],
  ];
  return { state: trayState(input), tooltip: `Patchbay: ${summary}`, items: separated(sections) };
}

/** `error`: no client can be served. `off`: nothing is enabled. */
export function trayState({ hub, phase, servers, connect, approvals }: TrayInput): TrayState {
  const wanted = servers.filter(({ enabled }) => enabled);
  const failing = wanted.filter(isFailing);
  if (phase === 'failed') return 'error';
  const down = failing.filter((server) => !serves(server));
  if (wanted.length > 0 && down.length === wanted.length) return 'error';
  const isAsked = approvals.length > 0 || servers.some(hasToolsToReview) || connect.some(isWiped);
  if (failing.length > 0 || hub.problems.length > 0 || isAsked) return 'attention';
  return wanted.length === 0 ? 'off' : 'ok';
}

function summaryLine({ hub, phase, servers, connect, approvals }: TrayInput): string {
  if (phase === 'starting') return 'starting…';
  if (phase === 'failed') return 'not running';
  const waiting = waitingCallCount(approvals);
  if (waiting > 0) return waiting === 1 ? '1 call needs approval' : `${waiting} calls need approval`;
  const wanted = servers.filter(({ enabled }) => enabled);
  const attention = attentionCount(servers);
  const others = hub.problems.length + connect.filter(isWiped).length;
  const connected = wanted.filter(serves).length;
  if (servers.length === 0) return others === 0 ? 'no servers yet' : 'needs attention';
  if (wanted.length === 0) return 'all servers turned off';
  const asleep = wanted.filter(isAsleep).length;
  const base = `${connected} of ${count(wanted.length, 'server')} connected${asleep === 0 ? '' : `, ${asleep} asleep`}`;
  return [
    base,
    ...(attention === 0 ? [] : [`${attention} ${attention === 1 ? 'needs' : 'need'} attention`]),
    ...(others === 0 ? [] : [count(others, attention === 0 ? 'problem' : 'other problem')]),
  ].join(', ');
}

function serverItems(servers: readonly ServerView[]): readonly TrayItem[] {
  if (servers.length === 0) return [command('add-server', 'Add a server…')];
  const switches = servers.map(serverSwitch);
  const list: readonly TrayItem[] =
    servers.length <= maxServersShown
      ? switches
      : [{ kind: 'submenu', id: 'servers', label: `Servers (${servers.length})`, items: switches }];
  return [
    ...list,
    ...wakeItems(servers),
    command(
      'turn-on-all',
      'Turn on all…',
      servers.some(({ enabled }) => !enabled),
    ),
    command(
      'turn-off-all',
      'Turn off all…',
      servers.some(({ enabled }) => enabled),
    ),
  ];
}

/** Lists sleeping servers; a call also wakes them. */
function wakeItems(servers: readonly ServerView[]): readonly TrayItem[] {
  const items = servers.filter(isAsleep).map(
    (server): TrayItem => ({
      kind: 'action',
      id: `wake:${server.key}`,
      label: `Wake ${shorten(serverTitle(server))}`,
      enabled: true,
      action: { kind: 'run', operation: 'server.restart', input: { key: server.key } },
    }),
  );
  return items.length === 0
    ? []
    : [{ kind: 'submenu', id: 'asleep', label: `Asleep (${items.length})`, items }];
}

function serves({ status }: ServerView): boolean {
  return status === 'connected' || status === 'degraded';
}

function isAsleep({ enabled, status, asleep }: ServerView): boolean {
  return enabled && status === 'disconnected' && asleep !== undefined;
}

function serverSwitch(server: ServerView): TrayItem {
  return {
    kind: 'switch',
    id: `server:${server.key}`,
    label: shorten(serverTitle(server)) + statusNote(server),
    on: server.enabled,
    action: {
      kind: 'run',
      operation: 'server.setEnabled',
      input: { key: server.key, enabled: !server.enabled },
    },
  };
}

/** Adds only what the checkbox does not show. */
function statusNote(server: ServerView): string {
  if (server.status === 'connected' || server.status === 'disabled') return '';
  // Abbreviations keep their capitals.
  return ` (${serverLook(server).label.replace(/^[A-Z](?![A-Z])/, (first) => first.toLowerCase())})`;
}

function clientItems({ clients, profiles }: TrayInput): readonly TrayItem[] {
  if (clients.length === 0) return [{ kind: 'text', id: 'clients', label: 'No clients connected' }];
  const items = clients.map((client) => clientItem(client, profiles));
  return [{ kind: 'submenu', id: 'clients', label: `${count(clients.length, 'client')} connected`, items }];
}

/** Offers the profiles, if the client's profile can be changed. */
function clientItem(client: ClientView, { profiles }: ProfilesView): TrayItem {
  const id = `client:${client.id}`;
  const label = clientLabel(client);
  const isFixed = client.name === '' || client.profile?.isAsked === true;
  if (profiles.length === 0 || isFixed) return { kind: 'text', id, label };
  const choice = (name: string | undefined): TrayItem => ({
    kind: 'switch',
    id: `${id}:profile:${name ?? ''}`,
    label: name === undefined ? 'Everything' : shorten(name),
    on: client.profile?.name === name,
    action: {
      kind: 'run',
      operation: 'profile.assign',
      // Without a profile the client gets everything.
      input: { client: client.name, profile: name },
    },
  });
  return { kind: 'submenu', id, label, items: [undefined, ...profiles.map(({ name }) => name)].map(choice) };
}

function clientLabel(client: ClientView): string {
  const name = client.name === '' ? 'Unnamed client' : shorten(clientTitle(client));
  const profile = client.profile === undefined ? '' : `, ${shorten(client.profile.name)}`;
  return `${name} via ${client.via}${profile}${client.stale ? ' (list out of date)' : ''}`;
}

function command(id: CommandId, label: string, enabled = true): TrayItem {
  return { kind: 'action', id, label, enabled, action: { kind: 'command', id } };
}

function separated(sections: readonly (readonly TrayItem[])[]): readonly TrayItem[] {
  return sections
    .filter((section) => section.length > 0)
    .flatMap((section, index): readonly TrayItem[] =>
      index === 0 ? section : [{ kind: 'separator', id: `separator:${index}` }, ...section],
    );
}

const maxServersShown = 15;
