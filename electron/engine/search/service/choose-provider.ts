import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import type { Classifier, EmbeddingSource } from '../../../../shared/model/tool/search.ts';
import type { ToolClassifier } from '../contract.ts';
import type { Embedder } from '../meaning/embedder.ts';
import type { AskClient } from '../model/sampling-model.ts';

export interface ClassifierSources {
  readonly askClient: AskClient;
  readonly secret: (name: string) => string | undefined;
}

type SearchModule = typeof import('../search-module.ts');

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

/** Creates the embedder that the settings choose. */
export function chooseEmbedder(
  search: SearchModule,
  { kind, url, model, secret: name }: Exclude<EmbeddingSource, { kind: 'off' }>,
  { secret }: Pick<ClassifierSources, 'secret'>,
): Embedder {
  const endpoint = { url, model, key: keyOf(name, secret) };
  return kind === 'ollama' ? search.ollamaEmbedder(endpoint) : search.openAiEmbedder(endpoint);
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
