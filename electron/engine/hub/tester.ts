import { ProblemError, problem } from '../../../shared/error/problem.ts';
import { Emitter } from '../base/emitter.ts';
import type { TesterEngine } from './tester-contract.ts';

/** Tries what servers offer, for the engine. */
export function createTesterEngine(): TesterEngine {
  const refuse = () => {
    throw new ProblemError(problem('hub.unreachable', 'Nothing can be tried yet.', 'Wait for it.'));
  };
  return {
    tester: {
      call: async () => refuse(),
      cancel: () => {},
      reply: () => {},
      questions: () => [],
      offer: refuse,
      complete: async () => refuse(),
      history: () => [],
      clearHistory: () => {},
      answer: refuse,
      onProgress: new Emitter<never>().event,
      onQuestion: new Emitter<never>().event,
      onQuestionEnded: new Emitter<never>().event,
    },
    checks: {
      list: async () => [],
      add: async () => refuse(),
      remove: async () => refuse(),
      run: async () => refuse(),
      onChange: new Emitter<never>().event,
    },
  };
}
