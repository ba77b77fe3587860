import type { CauseCode } from '../../../shared/error/cause.ts';
import type { Problem, ProblemCode } from '../../../shared/error/problem.ts';
import type { ApprovalRequest } from '../../../shared/model/access/access.ts';
import { clientTitle } from '../../../shared/model/client/client-title.ts';
import type { ConnectClient } from '../../../shared/model/client/connect.ts';
import type { AppUpdate } from '../../../shared/model/hub/app-update.ts';
import type { HubView } from '../../../shared/model/hub/hub.ts';
import type { ServerView } from '../../../shared/model/server/server.ts';
import { hasToolsToReview, isFailing, mainProblem } from '../../../shared/model/server/server-look.ts';
import { serverTitle } from '../../../shared/model/server/server-title.ts';
import type { CommandId } from '../command/command.ts';
import { count, shorten } from '../tray/label.ts';
import type { TrayAction } from '../tray/tray-types.ts';

/** State that attention items are derived from: the hub, its servers and the clients' configs. */
export interface AttentionInput {
  readonly hub: HubView;
  readonly servers: readonly ServerView[];
  /** Clients whose configs have been checked so far. */
  readonly connect: readonly ConnectClient[];
  /** Calls that wait for approval. */
  readonly approvals: readonly ApprovalRequest[];
  readonly update: AppUpdate;
}

export type AttentionKind = 'call' | 'hub' | 'server' | 'sign-in' | 'tools' | 'client' | 'update';

/** Something that needs the user, with the action for it: a line in the tray, a notification. */
export interface AttentionItem {
  /** Stable as long as it is about the same thing. */
  readonly id: string;
  readonly kind: AttentionKind;
  /** The action as a label: `Sign in to gh`. */
  readonly verb: string;
  /** A short reason, for a menu. */
  readonly note?: string;
  /** A sentence that says what happened. */
  readonly sentence: string;
  /** Changes when the same subject has a different problem. */
  readonly version: string;
  readonly action: TrayAction;
}

/**
 * Lists everything that needs the user now: waiting calls first, then the hub's own problems. A new source of
 * items is one more line here.
 */
export function attentionItems({
  hub,
  servers,
  connect,
  approvals,
  update,
}: AttentionInput): readonly AttentionItem[] {
  return [
    ...approvalItem(approvals, servers),
    ...hub.problems.map(hubItem),
    ...servers.filter(isFailing).map(serverItem),
    ...servers.filter(hasToolsToReview).map(quarantineItem),
    ...connect.filter(isWiped).map(wipedItem),
    ...updateItems(update),
  ];
}

/** True if our entry is gone from a file that we wrote it to. */
export function isWiped({ status }: ConnectClient): boolean {
  return status === 'wiped';
}

function hubItem(problem: Problem, index: number, all: readonly Problem[]): AttentionItem {
  const { code, sentence } = problem;
  const fix = hubFixes[code] ?? { id: 'open', verb: 'See what is wrong' };
  const before = all.slice(0, index).filter((other) => other.code === code).length;
  return {
    id: `hub:${code}:${before}`,
    kind: 'hub',
    verb: fix.verb,
    note: firstSentence(sentence),
    sentence,
    version: sentence,
    action: { kind: 'command', id: fix.id },
  };
}

/** Counts waiting calls, including those queued behind the shown ones. */
export function waitingCallCount(approvals: readonly ApprovalRequest[]): number {
  return approvals.reduce((sum, { behind }) => sum + 1 + behind, 0);
}

/** Makes one item for any number of calls, so that a client that keeps calling does not keep notifying. */
function approvalItem(
  approvals: readonly ApprovalRequest[],
  servers: readonly ServerView[],
): readonly AttentionItem[] {
  const [first] = approvals;
  if (first === undefined) return [];
  const waiting = waitingCallCount(approvals);
  const { clientName, serverKey, tool } = first;
  const title = serverTitle(servers.find(({ key }) => key === serverKey) ?? { key: serverKey });
  return [
    {
      id: 'approvals',
      kind: 'call',
      verb: waiting === 1 ? '1 call needs approval' : `${waiting} calls need approval`,
      sentence: `${shorten(clientTitle({ name: clientName }))} wants to run ${shorten(`${title}:${tool}`)}.`,
      version: 'waiting',
      action: { kind: 'show-approvals' },
    },
  ];
}

function quarantineItem(server: ServerView): AttentionItem {
  const { key, heldTools } = server;
  const waiting = heldTools?.waiting ?? 0;
  const tools = count(waiting, 'changed tool');
  return {
    id: `held:${key}`,
    kind: 'tools',
    verb: `Review ${tools} of ${shorten(serverTitle(server))}`,
    sentence: 'They are hidden from clients until you review them.',
    version: String(waiting),
    action: { kind: 'review-tools', key },
  };
}

function wipedItem({ id, title, wipes }: ConnectClient): AttentionItem {
  return {
    id: `wiped:${id}`,
    kind: 'client',
    verb: `Restore ${shorten(title)}`,
    note: 'removed from its config',
    sentence: `Patchbay’s entry was removed from the config of ${shorten(title)}. Without it, this client gets no tools.`,
    version: String(wipes),
    action: { kind: 'connect-client', id },
  };
}

function updateItems(update: AppUpdate): readonly AttentionItem[] {
  const common = { id: 'update', kind: 'update', action: { kind: 'command', id: 'check-updates' } } as const;
  if (update.kind === 'available') {
    const { version } = update.offer;
    const sentence = 'Nothing is downloaded or installed until you choose to.';
    return [{ ...common, verb: `Update Patchbay to ${version}`, sentence, version: version }];
  }
  if (update.kind !== 'failed' || update.offer !== undefined) return [];
  const { code, sentence } = update.problem;
  if (code !== 'app.update_failed') return [];
  return [{ ...common, verb: 'See why Patchbay could not be updated', sentence, version: sentence }];
}

function serverItem(server: ServerView): AttentionItem {
  const name = shorten(serverTitle(server));
  const { key, update, status } = server;
  const problem = mainProblem(server);
  const id = `server:${key}`;
  if (status === 'needs-auth' && server.auth !== undefined && problem?.code !== 'server.client_id_needed') {
    return {
      id,
      kind: 'sign-in',
      verb: `Sign in to ${name}`,
      ...(server.auth.pending ? { note: 'waiting for the browser' } : {}),
      sentence: problem?.sentence ?? 'Sign in using the browser to use it again.',
      version: status,
      action: { kind: 'sign-in', key },
    };
  }
  if (update?.kind === 'failed' && problem === undefined) {
    const { code, sentence } = update.problem;
    return {
      id,
      kind: 'server',
      verb: `See why ${name} still uses its old config`,
      note: firstSentence(sentence),
      sentence,
      version: `update:${code}`,
      action: { kind: 'open-server', key },
    };
  }
  return {
    id,
    kind: 'server',
    ...serverFix(server, name),
    ...(problem === undefined ? {} : { note: firstSentence(problem.sentence) }),
    sentence: problem?.sentence ?? `${name} is not working properly.`,
    version: [
      status,
      problem?.code ?? '',
      ...(problem?.cause === undefined ? [] : [problem.cause.code]),
    ].join(':'),
  };
}

/**
 * Problems of the entry need an edit; a server that leads back to the hub must be turned off; everything else
 * may be transient.
 */
function serverFix(
  { key, status, problem }: ServerView,
  name: string,
): Pick<AttentionItem, 'verb' | 'action'> {
  if (problem?.code === 'server.loop') {
    const input = { key, enabled: false };
    return { verb: `Turn off ${name}`, action: { kind: 'run', operation: 'server.setEnabled', input } };
  }
  if (problem !== undefined && needsUser(problem)) {
    return { verb: `Open ${name} to fix`, action: { kind: 'open-server', key } };
  }
  const verb = status === 'degraded' ? `Restart ${name}` : `Try ${name} now`;
  return { verb, action: { kind: 'run', operation: 'server.restart', input: { key } } };
}

/** True if trying again would change nothing. */
function needsUser({ code, cause }: Problem): boolean {
  return (
    code.startsWith('config.') ||
    needsEdit.has(code) ||
    (cause !== undefined && permanentCauses.has(cause.code))
  );
}

const permanentCauses: ReadonlySet<CauseCode> = new Set([
  'package_not_found',
  'version_not_found',
  'package_unusable',
  'program_missing',
  'program_outdated',
  'file_missing',
  'module_missing',
  'syntax_error',
  'variable_missing',
  'key_missing',
  'argument_missing',
  'argument_unknown',
  'printed_help',
  'asks_question',
  'image_not_found',
  'not_executable',
  'web_server',
  'web_page',
]);

const needsEdit: ReadonlySet<ProblemCode> = new Set([
  'server.command_not_found',
  'server.spawn_failed',
  'server.unauthorized',
  'server.key_needed',
  'server.key_refused',
  'server.client_id_needed',
]);

const hubFixes: { readonly [C in ProblemCode]?: { readonly id: CommandId; readonly verb: string } } = {
  'config.invalid_json': { id: 'open-config-file', verb: 'Open mcp.json to fix' },
  'config.invalid_schema': { id: 'open-config-file', verb: 'Open mcp.json to fix' },
  'config.duplicate_key': { id: 'open-config-file', verb: 'Open mcp.json to fix' },
  'hub.port_in_use': { id: 'open-settings', verb: 'Choose another port' },
  'hub.disk_full': { id: 'open-data-folder', verb: 'Open the data folder' },
  'hub.data_folder_unwritable': { id: 'open-data-folder', verb: 'Open the data folder' },
};

/** Returns the first sentence of a problem, for a menu. */
function firstSentence(sentence: string): string {
  return shorten(sentence.split(/\.\s/, 1)[0] ?? sentence).replace(/\.$/, '');
}
