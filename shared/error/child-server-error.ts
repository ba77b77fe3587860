import type { Problem } from './problem.ts';

/** How far a child server had come when it failed (specification, ERR-1). */
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
