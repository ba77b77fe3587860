import { formatBytes, formatCount } from '../amount.ts';
import type { ClientView } from '../client/client.ts';
import { clientTitle } from '../client/client-title.ts';
import type { HubView } from '../hub/hub.ts';
import { hasConnection } from '../server/protocol-text.ts';
import type { ServerView } from '../server/server.ts';
import { serverLook, shownStatus, type Tone } from '../server/server-look.ts';
import type { ToolDifference } from '../server/server-update.ts';

/** A change of state, described in words. */
export interface StatusEvent {
  readonly about: 'server' | 'client' | 'hub';
  /** Server key, client name or `Patchbay`. */
  readonly subject: string;
  /** For clients. */
  readonly sessionId?: string;
  readonly text: string;
  readonly tone: Tone;
  /** Time of the event in epoch milliseconds, if known; it is reported a moment later. */
  readonly at?: number;
}

/** Describes changes of a server; empty if only numbers changed. */
export function describeServer(before: ServerView | undefined, after: ServerView): readonly StatusEvent[] {
  if (before === undefined) return [serverEvent(after, 'Added', 'quiet')];
  return [
    ...describeStatus(before, after),
    ...describeUpdate(before, after),
    ...describeQuarantine(before, after),
  ];
}

function describeQuarantine(before: ServerView, after: ServerView): readonly StatusEvent[] {
  const [earlier, now] = [before, after].map(({ heldTools }) => heldTools?.waiting ?? 0);
  if (now === undefined || earlier === undefined || now <= earlier) return [];
  const text = `${formatCount(now, 'new or changed tool')} ${now === 1 ? 'needs' : 'need'} review`;
  return [serverEvent(after, text, 'warning')];
}

function describeStatus(before: ServerView, after: ServerView): readonly StatusEvent[] {
  const restarted = after.restarts > before.restarts;
  if (shownStatus(before) === shownStatus(after) && !restarted) return [];
  return [{ ...serverEvent(after, statusSentence(before, after), serverLook(after).tone), at: after.since }];
}

function describeUpdate(before: ServerView, after: ServerView): readonly StatusEvent[] {
  const { update } = after;
  if (update === undefined || update.kind === before.update?.kind) return [];
  switch (update.kind) {
    case 'starting':
      return [serverEvent(after, 'Starting with the new config', 'busy')];
    case 'done':
      return [serverEvent(after, `New config in use: ${differenceText(update.difference)}`, 'good')];
    case 'failed':
      return [serverEvent(after, `New config failed: ${update.problem.sentence}`, 'warning')];
  }
}

export function describeRemoved(key: string): StatusEvent {
  return { about: 'server', subject: key, text: 'Removed', tone: 'quiet' };
}

/** Describes clients that connected, disconnected or now have an outdated list. */
export function describeClients(
  before: readonly ClientView[],
  after: readonly ClientView[],
): readonly StatusEvent[] {
  const known = new Map(before.map((client) => [client.id, client]));
  const present = new Set(after.map((client) => client.id));
  const arrived = after.flatMap((client) => describeClient(known.get(client.id), client));
  const left = before.filter((client) => !present.has(client.id));
  return [...arrived, ...left.map((client) => clientEvent(client, leftText(client), 'quiet'))];
}

/** Describes problems of Patchbay itself that appeared or were solved. */
export function describeHub(before: HubView | undefined, after: HubView): readonly StatusEvent[] {
  const old = new Map((before?.problems ?? []).map((problem) => [problem.code, problem]));
  const fresh = after.problems.filter((problem) => old.get(problem.code)?.sentence !== problem.sentence);
  const still = new Set(after.problems.map((problem) => problem.code));
  const solved = [...old.values()].filter((problem) => !still.has(problem.code));
  return [
    ...fresh.map((problem) => hubEvent(problem.sentence, 'bad')),
    ...solved.map((problem) => hubEvent(`Solved: ${problem.sentence}`, 'good')),
  ];
}

function describeClient(before: ClientView | undefined, after: ClientView): readonly StatusEvent[] {
  if (before === undefined || (before.name === '' && after.name !== '')) {
    if (after.name === '') return [];
    return [{ ...clientEvent(after, arrivedText(after), 'good'), at: after.connectedAt }];
  }
  return after.stale && !before.stale ? [clientEvent(after, 'Tool list out of date', 'warning')] : [];
}

function arrivedText(client: ClientView): string {
  if (!hasConnection(client)) return 'Active over HTTP';
  return client.via === 'http' ? 'Connected over HTTP' : `Connected through the ${client.via}`;
}

function leftText(client: ClientView): string {
  return hasConnection(client) ? 'Disconnected' : 'No longer active';
}

function statusSentence(before: ServerView, after: ServerView): string {
  if (after.status === 'connected') {
    return before.restarts < after.restarts ? `Reconnected, restart ${after.restarts}` : 'Connected';
  }
  if (after.status === 'connecting' && after.restarts > before.restarts)
    return `Restarting, attempt ${after.restarts}`;
  if (after.status === 'disabled') return 'Turned off';
  if (shownStatus(after) === 'asleep') return sleepSentence(after);
  return after.problem === undefined ? serverLook(after).label : after.problem.sentence;
}

function sleepSentence({ asleep }: ServerView): string {
  const saved = asleep?.memorySaved;
  return saved === undefined ? 'Asleep' : `Fell asleep, ${formatBytes(saved)} saved`;
}

function serverEvent(server: ServerView, text: string, tone: Tone): StatusEvent {
  return { about: 'server', subject: server.key, text, tone };
}

function clientEvent(client: ClientView, text: string, tone: Tone): StatusEvent {
  return { about: 'client', subject: clientTitle(client), sessionId: client.id, text, tone };
}

function hubEvent(text: string, tone: Tone): StatusEvent {
  return { about: 'hub', subject: 'Patchbay', text, tone };
}

/** Describes the difference: `2 tools added, 1 changed`; also says if there is none. */
export function differenceText({ added, removed, changed }: ToolDifference): string {
  const parts = [
    { count: added.length, verb: 'added' },
    { count: removed.length, verb: 'removed' },
    { count: changed.length, verb: 'changed' },
  ].filter(({ count }) => count > 0);
  if (parts.length === 0) return 'no changes to its tools';
  return parts
    .map(({ count, verb }, index) => `${index === 0 ? formatCount(count, 'tool') : count} ${verb}`)
    .join(', ');
}
