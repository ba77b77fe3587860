import type { Problem, ProblemCode } from '../error/problem.ts';
import type { ServerStatus, ServerView } from './server.ts';

/** How something is felt: decides colour and shape; a word says it beside them. */
export const tones = ['good', 'busy', 'warning', 'bad', 'quiet'] as const;
export type Tone = (typeof tones)[number];

/** A status as people tell it: one that sleeps is down on purpose, which is another thing than being disconnected. */
export type ShownStatus = ServerStatus | 'asleep';

export interface StatusLook {
  readonly label: string;
  readonly tone: Tone;
  /** Order when sorted by state: what needs the user first. */
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

/** The one problem that is told where there is room for one: why a server is down, or works badly. */
export function mainProblem({
  problem,
  status,
  warnings,
}: Pick<ServerView, 'problem' | 'status' | 'warnings'>): Problem | undefined {
  if (problem !== undefined || status !== 'degraded') return problem;
  // A list that could not be had makes a server of no use; a tool set aside leaves the others.
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

/** What is needed instead of a sign-in. */
const accessLabels: { readonly [C in ProblemCode]?: string } = {
  'server.key_needed': 'API key needed',
  'server.key_refused': 'API key refused',
  'server.client_id_needed': 'Client ID needed',
};

type GroupParts = Pick<ServerView, 'status' | 'asleep' | 'enabled' | 'problem' | 'update' | 'heldTools'>;

/** The one group of the list that a server is in: everything that is on either runs, or starts or rests, or needs a person. */
export function serverGroup(server: GroupParts): 'running' | 'attention' | 'off' {
  if (!server.enabled) return 'off';
  return isTroubled(server) || holdsTools(server) ? 'attention' : 'running';
}

/** How many servers need a person: the number of the list, the sidebar and the tray. */
export function attentionCount(servers: readonly GroupParts[]): number {
  return servers.filter((server) => serverGroup(server) === 'attention').length;
}

/**
 * True for a server that does not work though it should, or not with the config in the file. One that is still
 * connecting is no trouble yet, and one that sleeps is none at all.
 */
export function isTroubled({ enabled, status, problem, asleep, update }: GroupParts): boolean {
  if (!enabled) return false;
  if (status === 'error' || status === 'needs-auth' || status === 'degraded') return true;
  if (update?.kind === 'failed') return true;
  return status === 'disconnected' && problem !== undefined && asleep === undefined;
}

/** Tools of it wait until somebody has seen what changed about them. */
export function holdsTools({ enabled, heldTools }: Pick<GroupParts, 'enabled' | 'heldTools'>): boolean {
  return enabled && (heldTools?.waiting ?? 0) > 0;
}
