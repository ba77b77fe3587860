import { type Problem, problem } from '../../shared/error/problem.ts';
import type { JsonRpcErrorObject } from '../engine/rpc/message.ts';

/** Code of an error that says what stands between a client and a server; `data` is the problem. */
const serverError = -32000;

/** A problem as the answer to a request. Clients show only the message, so it holds the way out too. */
export function problemError(problem: Problem): JsonRpcErrorObject {
  return { code: serverError, message: `${problem.sentence} ${problem.fix}`, data: problem };
}

export function hubUnreachable(socket: string, milliseconds: number): Problem {
  return problem(
    'hub.unreachable',
    'Patchbay is not running and could not be started in time.',
    'Open Patchbay, then ask again; patchbay-bridge --doctor tells more.',
    { socket, 'waited seconds': Math.round(milliseconds / 1000) },
  );
}

export function outcomeUnknown(tool: string): Problem {
  return problem(
    'call.outcome_unknown',
    'Patchbay went away while this call was under way: it may or may not have been carried out.',
    'Check its effect before calling again.',
    { tool },
  );
}

export function handshakeRefused(message: string): Problem {
  return problem(
    'hub.unreachable',
    `Patchbay refused this connection: ${message}`,
    'Restart Patchbay; if it repeats, report it with its log.',
  );
}

/** The problem in the `data` of an error, if it is one. */
export function asProblem(value: unknown): Problem | undefined {
  return isProblem(value) ? value : undefined;
}

function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false;
  const { code, sentence, fix, evidence } = value as Readonly<Record<string, unknown>>;
  return [code, sentence, fix].every((text) => typeof text === 'string') && Array.isArray(evidence);
}
