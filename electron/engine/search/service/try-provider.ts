import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import type { SearchTrial } from '../../../../shared/model/tool/search.ts';
import type { LanguageModel } from '../model/contract.ts';
import { type ClassifierSources, chooseEmbedder, keyOf } from './choose-provider.ts';

type SearchModule = typeof import('../search-module.ts');

/** Milliseconds: a local model may have to be loaded first. */
const timeoutMs = 30_000;

/** Sends a provider a request that reveals nothing about any tool. Built-in rules need no test. */
export async function tryProvider(
  search: SearchModule,
  trial: SearchTrial,
  sources: ClassifierSources,
): Promise<void> {
  if (trial.part === 'meaning') {
    if (trial.source.kind === 'off') return;
    await chooseEmbedder(search, trial.source, sources).embed(['a test'], timeoutMs);
    return;
  }
  const { source } = trial;
  if (source.kind === 'rules') return;
  if (source.kind === 'sampling') return tryModel(search.samplingModel(sources.askClient));
  const { url, model } = source;
  const endpoint = { url, model, key: keyOf(source.secret, sources.secret) };
  const make = source.kind === 'anthropic' ? search.anthropicModel : search.openAiModel;
  return tryModel(make(endpoint, timeoutMs));
}

async function tryModel(model: LanguageModel): Promise<void> {
  const text = await model.ask({
    instructions: 'You are asked whether you can be reached. Answer with the JSON {"ok":true} only.',
    text: '{}',
    // Reasoning models use tokens before they answer.
    maxTokens: 400,
  });
  if (text.trim() !== '') return;
  throw new ProblemError(
    problem('search.provider_failed', 'The model sent an empty answer.', 'Try another model.'),
  );
}
