import { type Problem, problem } from '../../shared/error/problem.ts';
import { hubErrorCodes } from '../../shared/model/mcp.ts';
import type { JsonRpcErrorObject } from '../engine/jsonrpc/message.ts';

/** Converts a problem to a JSON-RPC error. Clients show only the message, so it contains the fix too. */
export function problemError(problem: Problem): JsonRpcErrorObject {
  const code =
    problem.code === 'call.outcome_unknown' ? hubErrorCodes.outcomeUnknown : hubErrorCodes.serverUnavailable;
  return { code, message: `${problem.sentence} ${problem.fix}`, data: problem };
}

export function hubUnreachable(socket: string, milliseconds: number): Problem {
  return problem(
    'hub.unreachable',
    'Patchbay is not running and could not be started in time.',
    'Open Patchbay, then try again. patchbay-bridge --doctor shows details.',
    { socket, 'waited seconds': Math.round(milliseconds / 1000) },
  );
}

/** A hub exists, by its socket or its record, but does not respond. */
export function hubSilent(pid?: number): Problem {
  const name = pid === undefined ? 'Patchbay' : `Patchbay (process ${pid})`;
  return problem(
    'hub.unreachable',
    `${name} is running but does not respond.`,
    pid === undefined
      ? 'End that process, then open Patchbay again. patchbay-bridge --doctor shows which one.'
      : `End process ${pid}, then open Patchbay again.`,
    { pid },
  );
}

export function noStartCommand(): Problem {
  return problem(
    'hub.unreachable',
    'Patchbay is not running, and this bridge does not know how to start it.',
    'Open Patchbay, then try again.',
  );
}

/** Reason why a connection with requests in flight ended. */
export type ConnectionEnd = 'gone' | 'silent';

export function outcomeUnknown(tool: string, end: ConnectionEnd): Problem {
  const what = end === 'gone' ? 'quit' : 'stopped answering';
  return problem(
    'call.outcome_unknown',
    `Patchbay ${what} during this call: it may or may not have taken effect.`,
    'Check whether it took effect before you repeat it.',
    { tool },
  );
}

export function handshakeRefused(message: string): Problem {
  return problem(
    'hub.unreachable',
    `Patchbay refused this connection: ${message}`,
    'Restart Patchbay. If it happens again, report it with the log.',
  );
}

/** Returns the problem in an error's `data`, if it is one. */
export function asProblem(value: unknown): Problem | undefined {
  return isProblem(value) ? value : undefined;
}

function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false;
  const { code, sentence, fix, evidence } = value as Readonly<Record<string, unknown>>;
  return [code, sentence, fix].every((text) => typeof text === 'string') && Array.isArray(evidence);
}
