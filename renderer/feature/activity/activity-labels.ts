import type { ActivityKind, ActivityOutcome, ActivityRow } from '../../../shared/model/activity/activity.ts';
import type { Tone } from '../../../shared/model/server/server-look.ts';
import { formatCount } from '../../lib/text/format-amount.ts';
import { type FoldRule, maxFrequency } from './log/fold-rows.ts';

export const kindNames: Readonly<Record<ActivityKind, string>> = {
  call: 'Calls',
  question: 'Server requests',
  notices: 'Messages',
  hub: 'Status changes',
};

export const outcomeLooks: Readonly<
  Record<ActivityOutcome, { readonly label: string; readonly tone: Tone }>
> = {
  ok: { label: 'OK', tone: 'good' },
  'tool-error': { label: 'Tool error', tone: 'warning' },
  error: { label: 'Error', tone: 'bad' },
  timeout: { label: 'Timed out', tone: 'bad' },
  cancelled: { label: 'Cancelled', tone: 'quiet' },
  lost: { label: 'Lost', tone: 'bad' },
  refused: { label: 'Refused', tone: 'warning' },
  note: { label: 'Note', tone: 'quiet' },
};

/**
 * Returns how a row's outcome is shown. A server request that comes before any client is connected is not an
 * error.
 */
export function rowLook({ kind, outcome, clientName }: ActivityRow): (typeof outcomeLooks)[ActivityOutcome] {
  const hasNoClient = kind === 'question' && outcome === 'refused' && clientName === undefined;
  return hasNoClient ? { label: 'No client yet', tone: 'quiet' } : outcomeLooks[outcome];
}

/** Returns whether a row is a change of status of a server or a client, which nobody asked for. */
export function isHubRow({ kind }: ActivityRow): boolean {
  return kind === 'hub';
}

/** Every outcome other than success. */
export const failedOutcomes: readonly ActivityOutcome[] = [
  'tool-error',
  'error',
  'timeout',
  'cancelled',
  'lost',
  'refused',
];

/** Returns the row's title: the tool or resource, or the method. */
export function rowTitle(row: ActivityRow, titleOf: TitleOf = sameKey): string {
  if (row.kind === 'hub')
    return row.serverKey === undefined ? (row.clientName ?? 'Patchbay') : titleOf(row.serverKey);
  return row.name ?? methodName(row.method ?? '');
}

/** Maps a server key to its display name. */
type TitleOf = (serverKey: string) => string;

const sameKey: TitleOf = (key) => key;

/** Returns who sent the message to whom. */
export function rowRoute(row: ActivityRow, titleOf: TitleOf = sameKey): string {
  const { kind, clientName } = row;
  const server = row.serverKey === undefined ? undefined : titleOf(row.serverKey);
  const client = clientName ?? 'Unknown client';
  switch (kind) {
    case 'question':
      return `${server ?? 'Unknown server'} → ${clientName ?? 'no client'}`;
    case 'notices':
      return server ?? `${client} → Patchbay`;
    default:
      return server === undefined ? client : `${client} → ${server}`;
  }
}

/** Returns the details shown beside the outcome. */
export function rowDetails(row: ActivityRow): string {
  const { kind, text = '', count, attempts, fallback, repeated } = row;
  if (kind === 'notices') return count === 1 ? '' : `${(count ?? 0).toLocaleString('en')} times`;
  const remarks = [
    count === undefined ? '' : `${formatCount(count, 'similar call')}, recorded together`,
    fallback === undefined ? '' : `answered by ${fallback}`,
    attempts === undefined ? '' : attempts === 0 ? 'never sent' : `sent ${attempts} times`,
    repeated === true ? 'repeated the first result' : '',
    text,
  ];
  return remarks.filter((remark) => remark !== '').join(' · ');
}

/** Returns a readable name for a method, such as `notifications/message`. */
function methodName(method: string): string {
  return methods[method] ?? method;
}

const methods: Readonly<Record<string, string>> = {
  'sampling/createMessage': 'Sampling',
  'elicitation/create': 'Elicitation',
  'roots/list': 'Roots',
  'tools/list': 'List tools',
  'prompts/list': 'List prompts',
  'resources/list': 'List resources',
  'resources/templates/list': 'List resource templates',
  initialize: 'Initialize',
  ping: 'Ping',
  'logging/setLevel': 'Set log level',
  'notifications/progress': 'Progress',
  'notifications/message': 'Log messages',
  'notifications/tools/list_changed': 'Tools changed',
  'notifications/prompts/list_changed': 'Prompts changed',
  'notifications/resources/list_changed': 'Resources changed',
  'notifications/resources/updated': 'Resource updates',
};

/** Groups a server's status changes until it is healthy again, and calls that keep failing the same way. */
export const activityFolds: FoldRule<ActivityRow> = {
  subject({ kind, serverKey, clientName, method, name }) {
    if (kind === 'hub') return serverKey === undefined ? undefined : `hub ${serverKey}`;
    return kind === 'call' ? JSON.stringify([clientName, serverKey, method, name]) : undefined;
  },
  signature({ id, kind, outcome, tone, text = '' }) {
    if (kind === 'hub') return tone === 'good' ? `good ${id}` : 'unwell';
    return outcome === 'ok' ? `ok ${id}` : `${outcome} ${text}`;
  },
  countAttempts: (rows) => maxFrequency(rows.map(({ outcome, text = '' }) => `${outcome} ${text}`)),
};
