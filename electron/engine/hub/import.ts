import { ProblemError, problem } from '../../../shared/error/problem.ts';
import type { ImportEngine } from './import-contract.ts';

/** Brings servers along, for the engine. */
export function createImportEngine(): ImportEngine {
  const reject = async () => {
    throw new ProblemError(problem('import.unreadable', 'Nothing can be imported yet.', 'Wait for it.'));
  };
  return {
    imports: {
      sources: async () => [],
      read: reject,
      readFile: reject,
      parse: reject,
      add: reject,
      undo: reject,
      close: () => {},
    },
  };
}
