import type { ServerStatus, ServerView } from '../../shared/model/server.ts';

/** How a status is felt: decides colour and shape; the label says it in a word. */
export type Tone = 'good' | 'busy' | 'warning' | 'bad' | 'quiet';

/** A status as people tell it: one that sleeps is down on purpose, which is another thing than being disconnected. */
export type ShownStatus = ServerStatus | 'asleep';

export interface StatusLook {
  readonly label: string;
  readonly tone: Tone;
  /** Order when sorted by state: what needs the user first. */
  readonly rank: number;
}

const looks: Readonly<Record<ShownStatus, StatusLook>> = {
  error: { label: 'Failed', tone: 'bad', rank: 0 },
  'needs-auth': { label: 'Sign-in needed', tone: 'warning', rank: 1 },
  degraded: { label: 'Degraded', tone: 'warning', rank: 2 },
  connecting: { label: 'Connecting', tone: 'busy', rank: 3 },
  connected: { label: 'Connected', tone: 'good', rank: 4 },
  disconnected: { label: 'Disconnected', tone: 'quiet', rank: 5 },
  asleep: { label: 'Asleep', tone: 'quiet', rank: 6 },
  disabled: { label: 'Off', tone: 'quiet', rank: 7 },
};

type StatusParts = Pick<ServerView, 'status' | 'asleep'>;

export function shownStatus({ status, asleep }: StatusParts): ShownStatus {
  return status === 'disconnected' && asleep !== undefined ? 'asleep' : status;
}

export function serverLook(server: StatusParts): StatusLook {
  return looks[shownStatus(server)];
}

/** True while a process or connection is there, works or not. */
export function isRunning({ status }: Pick<ServerView, 'status'>): boolean {
  return status === 'connected' || status === 'degraded';
}

/** True for one that can be put to sleep. */
export function canSleep({ status, enabled }: Pick<ServerView, 'status' | 'enabled'>): boolean {
  return enabled && isRunning({ status });
}

/**
 * True when only the user can help: the server is down for good, wants a sign-in, works badly, or runs with an older
 * config than the one in the file.
 */
export function needsAttention({ status, update }: Pick<ServerView, 'status' | 'update'>): boolean {
  return looks[status].rank <= 2 || update?.kind === 'failed';
}
