import { ProblemError, problem } from '../../../shared/error/problem.ts';
import { Emitter } from '../base/emitter.ts';
import type { ActivityEngine } from './activity-contract.ts';

/** Tells what went through the hub, for the engine. */
export function createActivityEngine(): ActivityEngine {
  const refuse = async () => {
    throw new ProblemError(problem('hub.unreachable', 'Nothing is recorded yet.', 'Wait for it.'));
  };
  return {
    activity: {
      query: refuse,
      counts: refuse,
      get: refuse,
      onAdded: new Emitter<never>().event,
      export: refuse,
      clear: refuse,
      undoClear: refuse,
      record: () => {},
    },
  };
}
