import { ProblemError, problem } from '../../../shared/error/problem.ts';
import type { SecretsView } from '../../../shared/model/secret.ts';
import { Emitter } from '../base/emitter.ts';
import type { SecretsEngine } from './secrets-contract.ts';

/** The vault, for the engine. */
export function createSecretsEngine(): SecretsEngine {
  const changes = new Emitter<SecretsView>();
  const reject = async () => {
    throw new ProblemError(problem('secret.unknown', 'No secret can be stored yet.', 'Wait for it.'));
  };
  return {
    secrets: {
      list: () => ({ secrets: [], missing: [] }),
      set: reject,
      delete: reject,
      onChange: changes.event,
    },
  };
}
