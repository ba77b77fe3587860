import type { ServerUpdate } from '../../../../shared/model/server/server-update.ts';
import type { ServerState } from '../contract.ts';

/** Describes a state in one line of a server's log. */
export function describeState(state: ServerState): string {
  switch (state.status) {
    case 'disabled':
      return 'Turned off';
    case 'disconnected':
      return describeWaiting(state);
    case 'connecting':
      return describeConnecting(state);
    case 'connected':
      return `Connected, protocol ${state.connection.handshake.protocolVersion}`;
    case 'degraded':
      return `Connected, but ${state.problem?.sentence ?? 'degraded'}`;
    case 'needs-auth':
      return state.problem.sentence;
    case 'error':
      return describeWaiting(state);
  }
}

/** Describes an update in one line of a server's log. */
export function describeUpdate(update: ServerUpdate): string {
  switch (update.kind) {
    case 'starting':
      return 'Config changed: starting the new one beside the running server';
    case 'failed':
      return `The running server keeps its old config: ${update.problem.sentence}`;
    case 'done':
      return update.draining
        ? 'The new config is in use; the old process is finishing its last calls'
        : 'The new config is in use; the old process has finished its last call';
  }
}

type StateOf<Status> = Extract<ServerState, { readonly status: Status }>;

function describeWaiting(state: StateOf<'disconnected' | 'error'>): string {
  const { since, nextTryAt, problem } = state;
  if ('asleep' in state) return 'Asleep until it is called';
  const why = problem === undefined ? 'Not connected' : problem.sentence;
  return nextTryAt === undefined ? why : `${why} Retrying in ${((nextTryAt - since) / 1000).toFixed(1)} s`;
}

function describeConnecting({ pid, resolvedCommand }: StateOf<'connecting'>): string {
  return pid === undefined ? 'Connecting' : `Started ${resolvedCommand ?? 'its program'} as process ${pid}`;
}
