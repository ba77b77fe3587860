import type { ServerState } from './contract.ts';

/** A state as one line of a server's log. */
export function describeState(state: ServerState): string {
  switch (state.status) {
    case 'disabled':
      return 'Switched off';
    case 'disconnected':
      return describeWaiting(state);
    case 'connecting':
      return describeConnecting(state);
    case 'connected':
      return `Connected, protocol ${state.connection.handshake.protocolVersion}`;
    case 'degraded':
      return `Connected, but ${state.problem?.sentence ?? 'not well'}`;
    case 'needs-auth':
    case 'error':
      return state.problem.sentence;
  }
}

type StateOf<Status> = Extract<ServerState, { readonly status: Status }>;

function describeWaiting({ since, nextTryAt, problem }: StateOf<'disconnected'>): string {
  const why = problem === undefined ? 'Not connected' : problem.sentence;
  return nextTryAt === undefined ? why : `${why} Next try in ${((nextTryAt - since) / 1000).toFixed(1)} s`;
}

function describeConnecting({ pid, resolvedCommand }: StateOf<'connecting'>): string {
  return pid === undefined ? 'Connecting' : `Started ${resolvedCommand ?? 'its program'} as process ${pid}`;
}
