import { ProblemError, problem } from '../../../shared/error/problem.ts';
import { Emitter } from '../base/emitter.ts';
import type { ConnectEngine } from './connect-contract.ts';

/** Connects clients for the engine. */
export function createConnectEngine(): ConnectEngine {
  const reject = async () => {
    throw new ProblemError(problem('client.unknown', 'No client can be connected yet.', 'Wait for it.'));
  };
  return {
    connect: {
      list: async () => [],
      setFile: reject,
      preview: reject,
      apply: reject,
      prove: reject,
      quitClient: reject,
      undo: reject,
      accept: reject,
      journal: async () => [],
      snippet: reject,
      bundleFile: reject,
      check: async () => {},
      onChange: new Emitter<never>().event,
    },
  };
}
