import type { Problem, ProblemCode } from '../../../shared/error/problem.ts';
import type { ServerView } from '../../../shared/model/server.ts';
import type { CommandId } from '../command/command.ts';
import { count, shorten } from './label.ts';
import type { TrayAction, TrayItem } from './model.ts';

/**
 * True for a server that does not work though it should, or not with the config in the file. One that is still
 * connecting is no trouble yet, and one that sleeps is none at all.
 */
export function needsAttention({ enabled, status, problem, asleep, update }: ServerView): boolean {
  if (!enabled) return false;
  if (status === 'error' || status === 'needs-auth' || status === 'degraded') return true;
  if (update?.kind === 'failed') return true;
  return status === 'disconnected' && problem !== undefined && asleep === undefined;
}

/** What is wrong, each with the verb that fixes it; the hub's own troubles first. */
export function attentionItems(
  problems: readonly Problem[],
  servers: readonly ServerView[],
): readonly TrayItem[] {
  const items = [
    ...problems.map(hubItem),
    ...servers.filter(needsAttention).map(serverItem),
    ...servers.flatMap(heldItem),
  ];
  return items.length === 0 ? [] : [{ kind: 'text', id: 'attention', label: 'Needs attention' }, ...items];
}

/** Tools of it wait until somebody has seen what changed about them. */
export function holdsTools({ enabled, heldTools }: ServerView): boolean {
  return enabled && (heldTools?.waiting ?? 0) > 0;
}

function heldItem(server: ServerView): readonly TrayItem[] {
  if (!holdsTools(server)) return [];
  const { key } = server;
  const tools = count(server.heldTools?.waiting ?? 0, 'changed tool');
  const label = `Review ${tools} of ${shorten(key)}`;
  return [action(`attention:held:${key}`, label, { kind: 'review-tools', key })];
}

function hubItem(problem: Problem, index: number): TrayItem {
  const fix = hubFixes[problem.code] ?? { id: 'open', verb: 'See what is wrong' };
  return action(`attention:hub:${index}`, `${fix.verb} (${reason(problem.code)})`, {
    kind: 'command',
    id: fix.id,
  });
}

function serverItem(server: ServerView): TrayItem {
  const name = shorten(server.key);
  const id = `attention:server:${server.key}`;
  const { key, problem, update, status } = server;
  if (status === 'needs-auth' && server.auth !== undefined) {
    const note = server.auth.pending ? ' (waiting for the browser)' : '';
    return action(id, `Sign in to ${name}${note}`, { kind: 'sign-in', key });
  }
  if (update?.kind === 'failed' && problem === undefined) {
    return action(id, `See why ${name} keeps its old config (${reason(update.problem.code)})`, {
      kind: 'open-server',
      key,
    });
  }
  const note = problem === undefined ? '' : ` (${reason(problem.code)})`;
  switch (problem === undefined ? 'restart' : serverFix(problem.code)) {
    case 'open':
      return action(id, `Open ${name} to fix${note}`, { kind: 'open-server', key });
    case 'switch-off':
      return action(id, `Switch off ${name}${note}`, { kind: 'set-enabled', key, enabled: false });
    case 'restart':
      return action(id, `${status === 'degraded' ? `Restart ${name}` : `Try ${name} now`}${note}`, {
        kind: 'restart',
        key,
      });
  }
}

function action(id: string, label: string, act: TrayAction): TrayItem {
  return { kind: 'action', id, label, enabled: true, action: act };
}

/** Trouble with the entry needs an edit; a server that leads back to the hub must go; all else may be transient. */
function serverFix(code: ProblemCode): 'open' | 'switch-off' | 'restart' {
  if (code === 'server.loop') return 'switch-off';
  return code.startsWith('config.') || needsEdit.has(code) ? 'open' : 'restart';
}

const needsEdit: ReadonlySet<ProblemCode> = new Set([
  'server.command_not_found',
  'server.spawn_failed',
  'server.unauthorized',
]);

const hubFixes: { readonly [C in ProblemCode]?: { readonly id: CommandId; readonly verb: string } } = {
  'config.invalid_json': { id: 'open-config-file', verb: 'Open mcp.json to fix' },
  'config.invalid_schema': { id: 'open-config-file', verb: 'Open mcp.json to fix' },
  'config.duplicate_key': { id: 'open-config-file', verb: 'Open mcp.json to fix' },
  'hub.port_in_use': { id: 'open-settings', verb: 'Choose another port' },
  'hub.disk_full': { id: 'open-data-folder', verb: 'Open the data folder' },
  'hub.data_folder_unwritable': { id: 'open-data-folder', verb: 'Open the data folder' },
};

/** The code in a few words, for a menu; the window shows the whole problem. */
function reason(code: ProblemCode): string {
  return code.slice(code.indexOf('.') + 1).replaceAll('_', ' ');
}
