import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import type { Classifier } from '../../../../shared/model/search.ts';
import type { ToolClassifier } from '../../search/contract.ts';
import type { AskClient } from '../../search/model/sampling-model.ts';

export interface ClassifierSources {
  readonly askClient: AskClient;
  readonly secret: (name: string) => string | undefined;
}

type SearchModule = typeof import('../../search/room.ts');

/** Creates the classifier that the settings choose. Rejects if its key is not stored. */
export function chooseClassifier(
  search: SearchModule,
  chosen: Classifier,
  { askClient, secret }: ClassifierSources,
): ToolClassifier {
  if (chosen.kind === 'rules') return search.ruleClassifier();
  if (chosen.kind === 'sampling') return search.modelClassifier(search.samplingModel(askClient));
  const { url, model } = chosen;
  const endpoint = { url, model, key: keyOf(chosen.secret, secret) };
  const made = chosen.kind === 'anthropic' ? search.anthropicModel(endpoint) : search.openAiModel(endpoint);
  return search.modelClassifier(made);
}

/** Reads the secret on each use, since it may change. */
export function keyOf(
  name: string | undefined,
  secret: ClassifierSources['secret'],
): () => string | undefined {
  return () => {
    if (name === undefined) return undefined;
    const value = secret(name);
    if (value !== undefined) return value;
    const sentence = `The secret ${name}, which the search model needs, is not stored.`;
    throw new ProblemError(problem('search.provider_failed', sentence, 'Store it, or choose another model.'));
  };
}
