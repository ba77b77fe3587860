import type { Problem, ProblemCode } from './problem.ts';

/** How far a child server got before it failed (specification, ERR-1). */
export type ChildServerPhase = 'startup' | 'initialization' | 'runtime';

/** A child server failed; `problem` holds the code, the evidence (command, exit, last stderr lines) and the fix. */
export class ChildServerError extends Error {
  readonly serverKey: string;
  readonly phase: ChildServerPhase;
  readonly problem: Problem;

  constructor(serverKey: string, phase: ChildServerPhase, problem: Problem, options?: ErrorOptions) {
    super(problem.sentence, options);
    this.name = 'ChildServerError';
    this.serverKey = serverKey;
    this.phase = phase;
    this.problem = problem;
  }
}

/** Returns the error for a child's problem; its code says which phase failed. */
export function toChildServerError(serverKey: string, problem: Problem): ChildServerError {
  return new ChildServerError(serverKey, phases.get(problem.code) ?? 'runtime', problem);
}

const phases: ReadonlyMap<ProblemCode, ChildServerPhase> = new Map([
  ['server.command_not_found', 'startup'],
  ['server.spawn_failed', 'startup'],
  ['server.exited_before_handshake', 'startup'],
  ['server.handshake_timeout', 'initialization'],
  ['server.handshake_failed', 'initialization'],
  ['server.loop', 'initialization'],
]);
