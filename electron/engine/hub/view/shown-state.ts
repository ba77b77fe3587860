import type { ServerState, SupervisedServer } from '../../servers/contract.ts';

/**
 * Combines the states of a server's processes. If clients have their own processes, the shared one only
 * provides the listing and mostly sleeps, so the clients' processes count.
 */
export function shownState(
  own: ServerState | undefined,
  instances: readonly Pick<SupervisedServer, 'state'>[],
): ServerState | undefined {
  if (own === undefined || instances.length === 0 || isUnusable(own)) return own;
  const states = instances.map(({ state }) => state);
  const first = (...statuses: readonly ServerState['status'][]) =>
    states.find(({ status }) => statuses.includes(status));
  const connected = first('connected', 'degraded');
  const failed = first('error', 'needs-auth');
  if (connected !== undefined && failed !== undefined) return asDegraded(connected, failed);
  return connected ?? failed ?? first('connecting') ?? own;
}

function isUnusable({ status }: ServerState): boolean {
  return status === 'disabled' || status === 'error' || status === 'needs-auth';
}

/** Connected for some clients only. */
function asDegraded(connected: ServerState, failed: ServerState): ServerState {
  if (!('connection' in connected) || !('problem' in failed) || failed.problem === undefined)
    return connected;
  return { ...connected, status: 'degraded', since: failed.since, problem: failed.problem };
}
