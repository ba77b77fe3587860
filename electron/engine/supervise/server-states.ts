import { isDeepStrictEqual } from 'node:util';
import type { ServerState } from './contract.ts';
import type { DesiredState } from './plan.ts';
import type { ServerProcess } from './server-run.ts';

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

/** Tells whether two states look the same. */
export function isSameState(before: ServerState, after: ServerState): boolean {
  const { since: _before, ...one } = before;
  const { since: _after, ...other } = after;
  if ('connection' in one && 'connection' in other) return one.connection === other.connection;
  return isDeepStrictEqual(one, other);
}
