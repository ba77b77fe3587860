import type { Problem, ProblemCode } from '../error/problem.ts';
import type { ServerStatus, ServerView } from './server.ts';

/** Determines colour and shape; a word beside them says the same. */
export const tones = ['good', 'busy', 'warning', 'bad', 'quiet'] as const;
export type Tone = (typeof tones)[number];

/** Status for people: a sleeping server is down on purpose, unlike a disconnected one. */
export type ShownStatus = ServerStatus | 'asleep';

export interface StatusLook {
  readonly label: string;
  readonly tone: Tone;
  /** Sort order by state: those that need the user come first. */
  readonly rank: number;
}

export const statusLooks: Readonly<Record<ShownStatus, StatusLook>> = {
  error: { label: 'Failed', tone: 'bad', rank: 0 },
  'needs-auth': { label: 'Sign-in needed', tone: 'warning', rank: 1 },
  degraded: { label: 'Degraded', tone: 'warning', rank: 2 },
  connecting: { label: 'Connecting', tone: 'busy', rank: 3 },
  connected: { label: 'Connected', tone: 'good', rank: 4 },
  disconnected: { label: 'Disconnected', tone: 'quiet', rank: 5 },
  asleep: { label: 'Asleep', tone: 'quiet', rank: 6 },
  disabled: { label: 'Off', tone: 'quiet', rank: 7 },
};

/** Returns the problem to show if there is room for one: why a server is down or degraded. */
export function mainProblem({
  problem,
  status,
  warnings,
}: Pick<ServerView, 'problem' | 'status' | 'warnings'>): Problem | undefined {
  if (problem !== undefined || status !== 'degraded') return problem;
  // A failed list makes a server useless; a rejected tool leaves the others.
  return warnings.find(({ code }) => code === 'server.list_failed') ?? warnings[0];
}

type StatusParts = Pick<ServerView, 'status' | 'asleep' | 'problem'>;

export function shownStatus({ status, asleep }: Pick<StatusParts, 'status' | 'asleep'>): ShownStatus {
  return status === 'disconnected' && asleep !== undefined ? 'asleep' : status;
}

export function serverLook(server: StatusParts): StatusLook {
  const look = statusLooks[shownStatus(server)];
  const label = server.status === 'needs-auth' ? accessLabels[server.problem?.code ?? 'internal'] : undefined;
  return label === undefined ? look : { ...look, label };
}

/** Labels for servers that need something other than a sign-in. */
const accessLabels: { readonly [C in ProblemCode]?: string } = {
  'server.key_needed': 'API key needed',
  'server.key_refused': 'API key refused',
  'server.client_id_needed': 'Client ID needed',
};

type GroupParts = Pick<ServerView, 'status' | 'asleep' | 'enabled' | 'problem' | 'update' | 'heldTools'>;

/**
 * Returns the server's group in the list: an enabled server either runs (or starts or sleeps) or needs
 * attention.
 */
export function serverGroup(server: GroupParts): 'running' | 'attention' | 'off' {
  if (!server.enabled) return 'off';
  return isFailing(server) || hasToolsToReview(server) ? 'attention' : 'running';
}

/** Counts the servers that need attention: the number in the list, the sidebar and the tray. */
export function attentionCount(servers: readonly GroupParts[]): number {
  return servers.filter((server) => serverGroup(server) === 'attention').length;
}

/**
 * True for an enabled server that does not work, or not with the config in the file. Connecting and sleeping
 * servers do not count.
 */
export function isFailing({ enabled, status, problem, asleep, update }: GroupParts): boolean {
  if (!enabled) return false;
  if (status === 'error' || status === 'needs-auth' || status === 'degraded') return true;
  if (update?.kind === 'failed') return true;
  return status === 'disconnected' && problem !== undefined && asleep === undefined;
}

/** True if changed tools wait for review. */
export function hasToolsToReview({ enabled, heldTools }: Pick<GroupParts, 'enabled' | 'heldTools'>): boolean {
  return enabled && (heldTools?.waiting ?? 0) > 0;
}
