import { type Problem, problem } from '../../shared/error/problem.ts';
import type { JsonRpcErrorObject } from '../engine/rpc/message.ts';

/** A problem as the answer to a request. Clients show only the message, so it holds the way out too. */
export function problemError(problem: Problem): JsonRpcErrorObject {
  const code = problem.code === 'call.outcome_unknown' ? wireCodes.outcomeUnknown : wireCodes.unavailable;
  return { code, message: `${problem.sentence} ${problem.fix}`, data: problem };
}

/** The same numbers the hub uses for the same news. */
const wireCodes = { unavailable: -32010, outcomeUnknown: -32011 } as const;

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
