import type { ServerStatus, ServerView } from '../../shared/model/server.ts';

/** How a status is felt: decides colour and shape; the label says it in a word. */
export type Tone = 'good' | 'busy' | 'warning' | 'bad' | 'quiet';

export interface StatusLook {
  readonly label: string;
  readonly tone: Tone;
  /** Order when sorted by state: what needs the user first. */
  readonly rank: number;
}

const looks: Readonly<Record<ServerStatus, StatusLook>> = {
  error: { label: 'Failed', tone: 'bad', rank: 0 },
  'needs-auth': { label: 'Sign-in needed', tone: 'warning', rank: 1 },
  degraded: { label: 'Degraded', tone: 'warning', rank: 2 },
  connecting: { label: 'Connecting', tone: 'busy', rank: 3 },
  connected: { label: 'Connected', tone: 'good', rank: 4 },
  disconnected: { label: 'Disconnected', tone: 'quiet', rank: 5 },
  disabled: { label: 'Off', tone: 'quiet', rank: 6 },
};

export function statusLook(status: ServerStatus): StatusLook {
  return looks[status];
}

/** True when only the user can help: the server is down for good, wants a sign-in, or works badly. */
export function needsAttention(server: Pick<ServerView, 'status'>): boolean {
  return looks[server.status].rank <= 2;
}
