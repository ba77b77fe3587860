import { RpcError } from '../rpc/message.ts';
import type { PendingRequest } from '../rpc/peer-contract.ts';
import { type Redact, redactProblem } from './redact.ts';
import type { LiveConnection, RunEvents, RunResult } from './run.ts';

/** Redacts the events of a server process. Messages to clients are the clients' own and pass unchanged. */
export function redactedEvents(events: RunEvents, redact: Redact): RunEvents {
  return {
    ...events,
    started: ({ pid, resolvedCommand }) =>
      events.started({
        ...(pid === undefined ? {} : { pid }),
        ...(resolvedCommand === undefined ? {} : { resolvedCommand: redact(resolvedCommand) }),
      }),
    connected: (connection) => events.connected(redactedConnection(connection, redact)),
    disconnected: (problem) => events.disconnected(redactProblem(problem, redact)),
  };
}

export function redactedResult({ ending, left }: RunResult, redact: Redact): RunResult {
  if (ending.kind === 'stopped') return { ending, left };
  return { ending: { ...ending, problem: redactProblem(ending.problem, redact) }, left };
}

/**
 * Redacts refusals of our own requests, which end up in problems. Those of forwarded requests go to the
 * caller unchanged.
 */
function redactedConnection(connection: LiveConnection, redact: Redact): LiveConnection {
  return {
    ...connection,
    request: (method, params) => redactedRefusal(connection.request(method, params), redact),
    requestRaw: (method, params) => redactedRefusal(connection.requestRaw(method, params), redact),
  };
}

function redactedRefusal<T>(pending: PendingRequest<T>, redact: Redact): PendingRequest<T> {
  const result = pending.result.catch((error: unknown) => {
    if (!(error instanceof RpcError)) throw error;
    const { code, message, data } = error;
    throw new RpcError({ code, message: redact(message), ...(data === undefined ? {} : { data }) });
  });
  // May be left unhandled, like the request's own.
  result.catch(() => undefined);
  return { id: pending.id, result, abandon: (reason) => pending.abandon(reason) };
}
