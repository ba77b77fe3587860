import { isDeepStrictEqual } from 'node:util';
import type { Problem } from '../../../../shared/error/problem.ts';
import type { ServerUpdate } from '../../../../shared/model/server/server-update.ts';
import type { Handshake, ServerState } from '../contract.ts';
import { withRestartHint } from './diagnosis/failure-problems.ts';
import type { DesiredState, RunnableConfig } from './plan.ts';
import type { ServerProcess } from './server-process.ts';

/** Returns the state to show if the server should not run; undefined if it should. */
export function idleState(desiredState: DesiredState, since: number): ServerState | undefined {
  switch (desiredState.kind) {
    case 'off':
      return { status: 'disabled', since };
    case 'broken':
      return { status: 'error', since, problem: desiredState.problem };
    case 'asleep':
      return { status: 'disconnected', since, asleep: true };
    case 'run':
      return undefined;
  }
}

/** Returns the state to show while a start is pending; undefined if the current state says more. */
export function pendingState(shown: ServerState, since: number): ServerState | undefined {
  const isInformative =
    shown.status === 'connecting' || shown.status === 'error' || shown.status === 'disconnected';
  return isInformative && !isAsleep(shown) ? undefined : { status: 'connecting', since };
}

function isAsleep(state: ServerState): boolean {
  return state.status === 'disconnected' && state.asleep === true;
}

export function connectedState(process: ServerProcess, since: number): ServerState | undefined {
  const { connection, connectedAt, facts } = process;
  return connection === undefined
    ? undefined
    : { status: 'connected', since, connectedAt, connection, ...facts };
}

/** Returns the state of a lost or failing connection, while its processes are still ending. */
export function lostState(
  config: RunnableConfig,
  problem: Problem,
  cause: 'lost' | 'unhealthy',
  since: number,
): ServerState {
  // A server that will not be restarted is an error right away; any other waits for the restart policy.
  if (config.restart === 'never')
    return { status: 'error', since, problem: withRestartHint(problem, config) };
  return cause === 'lost'
    ? { status: 'disconnected', since, problem }
    : { status: 'error', since, problem, nextTryAt: since };
}

/** Tells whether two states look the same. */
export function isSameState(before: ServerState, after: ServerState): boolean {
  const { since: _before, ...one } = before;
  const { since: _after, ...other } = after;
  if ('connection' in one && 'connection' in other) return one.connection === other.connection;
  return isDeepStrictEqual(one, other);
}

function describeProtocol({ protocolVersion, era }: Handshake): string {
  return era?.era === 'modern' ? `${era.version}, stateless` : protocolVersion;
}

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
      return `Connected, protocol ${describeProtocol(state.connection.handshake)}`;
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
